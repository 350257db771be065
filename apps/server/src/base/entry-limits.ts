/**
 * How often something may be done, and how much of it there may be, for those who sign up and sign in. Times are in limits.ts,
 * requests in http/rate-limits.ts.
 */

/** How often one solution tells at sign-up whether an address is free, and how often one may try to register with it. */
export const CAPTCHA_LOOKUPS_MAX = 20;
export const CAPTCHA_TRIES_MAX = 20;

/** Where one account is signed in at most: sessions, and devices that stay signed in. The least recently used make room. */
export const SIGNED_IN_MAX = 100;
/** Sessions of one device at most. */
export const SESSIONS_PER_DEVICE_MAX = 10;
