/** What the rest of the server may use of features/accounts/sign-up-codes. */
export { createInvitation, redeemCode, requireInvitation, signupDomainsOf } from './service.ts';
