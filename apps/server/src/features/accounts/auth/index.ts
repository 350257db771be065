/** The exports of features/accounts/auth for the rest of the server. */
export { endAllSessions } from './access-store.ts';
export { prepareReset } from './account-reset.ts';
export { isAddressUsed } from './address-store.ts';
export { isCsrfToken } from './csrf.ts';
export { exchangeKeys } from './key-exchange.ts';
export { isKnownBrowser } from './login-history.ts';
export { requireOwner, requirePassword } from './password.ts';
export { requireUsableKeys } from './registration.ts';
export { forgetRepeats } from './restore-repeats.ts';
export {
  announceEnd,
  findLivingSession,
  findLivingSessions,
  noSessionError,
  type Place,
  suspendedError,
} from './sessions.ts';
export { isAllowedUsername, isUsernameShaped } from './usernames.ts';
