/** What the rest of the server may use of features/accounts/signatures. */
export { refuseForeignSignature } from './service.ts';
