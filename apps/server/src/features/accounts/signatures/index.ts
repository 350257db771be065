/** Public interface of features/accounts/signatures for the rest of the server. */
export { refuseForeignSignature } from './service.ts';
