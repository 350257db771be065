/** Public interface of features/accounts/sign-up-codes for the rest of the server. */
export { createInvitation, redeemCode, requireInvitation, signupDomainsOf } from './service.ts';
