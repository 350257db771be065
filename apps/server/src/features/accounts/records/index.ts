/** Public interface of features/accounts/records for the rest of the server. */
export { forgetScheduled } from './service.ts';
