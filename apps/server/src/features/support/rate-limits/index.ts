/** What the rest of the server may use of features/support/rate-limits. */
export { createSharedWindows, type SharedWindows, takeAtOnce } from './service.ts';
