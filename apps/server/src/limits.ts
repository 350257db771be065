/**
 * The server's own numbers: what only this side enforces. Each names its unit and source; limits.test.ts freezes those
 * of the specification.
 */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Deleted mail is kept this long (Spec §9). */
export const DELETED_MAIL_KEPT_MS = 30 * DAY_MS;
/** A device cookie restores sessions this long (Spec §9). */
export const DEVICE_LIFETIME_MS = 30 * DAY_MS;
/** A session not used for this long ends; a used one lives on. */
export const SESSION_IDLE_MS = 24 * HOUR_MS;
/** A session's use and its user's activity are written down at most this often. */
export const SESSION_TOUCH_MS = 5 * MINUTE_MS;
/** The CSRF token of admin calls is good this long; clients cache it for 23 hours (Spec §9, readings 35). */
export const CSRF_LIFETIME_MS = 24 * HOUR_MS;
/** A captcha challenge must be solved within this time. */
export const CAPTCHA_LIFETIME_MS = 10 * MINUTE_MS;
/** A draft that never got a body is collected after this time (readings 21). */
export const EMPTY_DRAFT_KEPT_MS = 24 * HOUR_MS;
/** A stored container that no mail refers to is collected after this time. */
export const ORPHAN_BLOB_KEPT_MS = 24 * HOUR_MS;
/** Answers of idempotent sends are remembered this long. */
export const IDEMPOTENCY_KEPT_MS = 48 * HOUR_MS;
/** Receipts of inbound mail, which recognise a repeated delivery, are remembered this long. */
export const RECEIPT_KEPT_MS = 7 * DAY_MS;
/** Attachments of inbound mail larger than this leave the message for a container (protocol.md §6). */
export const DETACH_MIN_BYTES = 32 * 1024;
/** Most bytes of one message to the outside, with its files put back: what we take in, others may take too. */
export const OUTGOING_MAX_BYTES = 50 * MIB;
/** The time in which a plan's sends are counted. */
export const SEND_WINDOW_MS = HOUR_MS;
/** Mail to the outside is tried this long before it bounces. */
export const OUTBOUND_GIVE_UP_MS = 5 * DAY_MS;
/** Extra storage for the first contact: 500 MB (Spec §9, readings 62). */
export const FIRST_CONTACT_BONUS_BYTES = 524_288_000;

/** What each plan allows (Spec §9 shows 5 GB; limits of the paid plans are ours). */
export const PLAN_LIMITS = {
  free: { storageBytes: 5 * GIB, domainLimit: 1, addressLimit: 3, sendsPerHour: 100 },
  plus: { storageBytes: 50 * GIB, domainLimit: 5, addressLimit: 15, sendsPerHour: 500 },
  pro: { storageBytes: 500 * GIB, domainLimit: 25, addressLimit: 100, sendsPerHour: 2000 },
} as const;
