/** What the rest of the server may use of features/accounts/key-log. */
export { withProofs } from './service.ts';
