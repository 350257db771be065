/**
 * Rate and count limits for sign-up and sign-in. Durations are in limits.ts, request limits in
 * http/rate-limits.ts.
 */

/**
 * How many availability checks one captcha solution allows at sign-up, and how many registration
 * attempts.
 */
export const CAPTCHA_LOOKUPS_MAX = 20;
export const CAPTCHA_TRIES_MAX = 20;

/**
 * Maximum number of an account's sessions, and of devices that stay signed in. The least recently
 * used are removed first.
 */
export const SIGNED_IN_MAX = 100;
/** Maximum sessions per device. */
export const SESSIONS_PER_DEVICE_MAX = 10;
