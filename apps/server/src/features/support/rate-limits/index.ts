/** Public interface of features/support/rate-limits. */
export { createSharedWindows, type SharedWindows, takeAtOnce } from './service.ts';
