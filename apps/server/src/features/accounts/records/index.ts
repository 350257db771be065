/** What the rest of the server may use of features/accounts/records. */
export { forgetScheduled } from './service.ts';
