/** Public interface of features/accounts/key-log for the rest of the server. */
export { withProofs } from './service.ts';
