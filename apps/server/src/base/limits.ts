/**
 * The limits that only the server enforces. Each states its unit and source; limits.test.ts pins
 * those of the specification.
 */
import { ANALYTICS_DAYS_MAX } from '@keyfold/contract/limits';
import type { Plan } from '@keyfold/contract/plans';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** How long deleted messages are kept (docs/spec-map.md 9). */
export const DELETED_MAIL_KEPT_MS = 30 * DAY_MS;
/** How long a device cookie restores sessions (docs/spec-map.md 9). */
export const DEVICE_LIFETIME_MS = 30 * DAY_MS;
/**
 * How long a registration whose response was lost may be repeated with the same keys and login
 * hash.
 */
export const REGISTRATION_REPEAT_MS = 10 * 60 * 1000;
/** How long a restore whose response was lost may be repeated under the same key. */
export const RESTORE_REPEAT_MS = 60 * 1000;
/**
 * Lifetime of the token for biometric sign-in on a phone; the second value applies to devices that
 * stay signed in (docs/spec-map.md 9).
 */
export const BIOMETRIC_LIFETIME_MS = 7 * DAY_MS;
export const KEPT_BIOMETRIC_LIFETIME_MS = 30 * DAY_MS;
/** A session ends when it has not been used for this long. */
export const SESSION_IDLE_MS = 24 * HOUR_MS;
/** How long a session that was ended elsewhere reports the reason. */
export const ENDED_SESSION_KEPT_MS = 24 * HOUR_MS;
/**
 * Maximum lifetime of a session, or of a device that stays signed in, since its login, regardless
 * of use.
 */
export const SESSION_MAX_MS = 90 * DAY_MS;
/**
 * How long sign-ins are remembered, and the maximum number per user of successful ones and,
 * separately, of failed ones.
 */
export const LOGIN_KEPT_MS = 90 * DAY_MS;
export const LOGINS_MAX = 100;
/** Biometric unlocks of a phone are recorded once per device and network in this time. */
export const BIOMETRIC_LOGIN_EVERY_MS = DAY_MS;
/**
 * How long a browser that signed in is known to its users, so that they are not notified of further
 * sign-ins from it.
 */
export const KNOWN_BROWSER_KEPT_MS = 400 * DAY_MS;
/** Minimum interval between updates of a session's last use and its user's last activity. */
export const SESSION_TOUCH_MS = 5 * MINUTE_MS;
/**
 * Lifetime of an MFA-pending session (docs/interpretations.md#29), and of a challenge for a
 * security key.
 */
export const HALF_SESSION_LIFETIME_MS = 5 * MINUTE_MS;
export const PASSKEY_CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;
/**
 * Time after which an authenticator app's secret is deleted when no code has confirmed it
 * (docs/interpretations.md#86).
 */
export const TOTP_PENDING_MS = 10 * MINUTE_MS;
/**
 * Codes of authenticator apps: bytes of the secret, seconds per step, and accepted steps before and
 * after the current one.
 */
export const TOTP_SECRET_BYTES = 20;
export const TOTP_STEP_SECONDS = 30;
export const TOTP_STEPS_ASIDE = 1;
/**
 * How long codes are refused after too many wrong ones; doubled after every five more, up to the
 * maximum.
 */
export const CODE_WAIT_MS = MINUTE_MS;
export const CODE_WAIT_MAX_MS = 6 * HOUR_MS;
/**
 * A user who has not been active for this long, or ever, counts as churned (docs/spec-map.md 9,
 * docs/interpretations.md#89).
 */
export const CHURN_MS = 30 * DAY_MS;
/** Maximum age at which the totals of the outbound queue are shown without recounting (ADR 33). */
export const QUEUE_TOTALS_KEPT_MAX_MS = 10 * SECOND_MS;
/**
 * Lifetime of the CSRF token for admin endpoints; clients cache it for 23 hours (docs/spec-map.md
 * 9, docs/interpretations.md#35).
 */
export const CSRF_LIFETIME_MS = 24 * HOUR_MS;
/** A captcha challenge must be solved within this time. */
export const CAPTCHA_LIFETIME_MS = 10 * MINUTE_MS;
/** Time after which a draft that never got a body is deleted (docs/interpretations.md#21). */
export const EMPTY_DRAFT_KEPT_MS = 24 * HOUR_MS;
/** Time after which a stored blob that no message refers to is deleted. */
export const ORPHAN_BLOB_KEPT_MS = 24 * HOUR_MS;
/** How far before the oldest archived database change a deleted blob's archived copy is kept. */
export const ARCHIVED_CONTAINER_SPARED_MS = DAY_MS;
/** How long responses of idempotent sends are remembered. */
export const IDEMPOTENCY_KEPT_MS = 48 * HOUR_MS;
/** How long receipts of inbound messages, which detect repeated deliveries, are remembered. */
export const RECEIPT_KEPT_MS = 7 * DAY_MS;
/**
 * Attachments of inbound messages larger than this are moved to a separate blob
 * (docs/wire-format.md#attachments).
 */
export const DETACH_MIN_BYTES = 32 * 1024;
/** Window for counting new accounts of the service. */
export const SIGNUP_WINDOW_MS = HOUR_MS;
/** Extra storage for the first contact: 500 MB (docs/spec-map.md 9, docs/interpretations.md#62). */
export const FIRST_CONTACT_BONUS_BYTES = 524_288_000;
/** Lifetime of a share code (docs/api-conventions.md#account; docs/adr/0020). */
export const SHARE_CODE_LIFETIME_MS = 10 * MINUTE_MS;
/** Maximum share codes per user; the oldest are removed first. */
export const SHARE_CODES_MAX = 10;
/**
 * Storage for a user's search index: a share of the user's storage, plus a fixed number of bytes
 * ([Note: Room for the index]).
 */
export const SEARCH_INDEX_SHARE = 0.1;
export const SEARCH_INDEX_BASE_BYTES = 256 * MIB;
/** Maximum segments of one user's search index; clients merge them long before. */
export const SEARCH_SEGMENTS_MAX = 200;
/**
 * Maximum stored size of the users' filters that a process caches, in bytes; decrypted, they take
 * several times as much.
 */
export const FILTERS_READY_MAX_BYTES = 8 * MIB;
/** Overhead of one user's cached filters, in bytes. */
export const FILTERS_READY_BASE_BYTES = 1024;
/**
 * Score from which each sensitivity flags a message, on rspamd's scale, where 6 is probable and 15
 * certain spam; and the scores for messages that their own domain disowns, and for probable and
 * certain spam.
 */
export const SPAM_POINTS = { low: 10, medium: 6, high: 4 } as const;
export const DISOWNED_SPAM_POINTS = SPAM_POINTS.low;
export const PROBABLE_SPAM_POINTS = SPAM_POINTS.medium;
export const CERTAIN_SPAM_POINTS = 15;
/**
 * Plans with security analytics (docs/spec-map.md 6); arrivals are counted only for their users.
 */
export const ANALYTICS_PLANS: ReadonlySet<Plan> = new Set(['plus', 'pro']);
/** How long counts of arrivals are kept: longer than the range of analytics. */
export const ARRIVAL_COUNTS_KEPT_MS = (ANALYTICS_DAYS_MAX + 1) * DAY_MS;
/**
 * Minimum time that replaced keys are kept: data being sealed to them has been stored or rejected
 * by then.
 */
export const RETIRED_KEY_KEPT_MS = 60 * MINUTE_MS;
/** Messages that one request rewraps from the sender's wrap to the reader's own. */
export const RETIRED_WRAPS_AT_ONCE = 2_000;
/** Maximum signatures per user. */
export const SIGNATURES_MAX = 50;
/**
 * Maximum number and total size of records that a user's clients store; they do not count toward
 * the storage that users see.
 */
export const RECORDS_MAX = 2_000;
export const RECORDS_MAX_BYTES = 64 * MIB;
/**
 * How long after its event a guest can answer an invitation, and the maximum time after the
 * invitation.
 */
export const EVENT_TOKEN_KEPT_MS = 366 * DAY_MS;
export const EVENT_TOKEN_KEPT_MAX_MS = 5 * 366 * DAY_MS;
/**
 * How often a guest can change the answer to one invitation; each change sends the organizer a
 * message.
 */
export const EVENT_ANSWER_CHANGES_MAX = 20;
/**
 * Maximum guests of one event over all its invitations, and of all events of a user that are
 * current or recent.
 */
export const EVENT_GUESTS_MAX = 1_000;
export const EVENT_GUESTS_PER_USER_MAX = 20_000;
/** Maximum size of a remote image, decompressed, in bytes. */
export const REMOTE_IMAGE_MAX_BYTES = 10 * MIB;
/** Timeout of a request to another site, including redirects; shorter than that of the API call. */
export const REMOTE_TIMEOUT_MS = 20 * SECOND_MS;
/** Maximum redirects that are followed. */
export const REMOTE_REDIRECTS_MAX = 3;
/**
 * Maximum concurrent requests to other sites: per user, and per process, which holds the responses
 * in memory.
 */
export const REMOTE_AT_ONCE_PER_USER = 6;
export const REMOTE_AT_ONCE = 32;
/** Maximum requests that one user may have queued. */
export const REMOTE_WAITING_PER_USER = 100;
/** Time limit for all DNS queries about one domain; shorter than a client's own timeout. */
export const DOMAIN_LOOK_TIMEOUT_MS = 8 * SECOND_MS;
/** Interval until the next check of a domain that is healthy, unhealthy, or not yet verified. */
export const DOMAIN_CHECK_HEALTHY_MS = 12 * HOUR_MS;
export const DOMAIN_CHECK_UNHEALTHY_MS = HOUR_MS;
export const DOMAIN_CHECK_UNPROVED_MS = 10 * MINUTE_MS;
/** Age from which an unverified claim is checked only as often as a healthy domain. */
export const DOMAIN_CLAIM_FRESH_MS = 7 * DAY_MS;
/**
 * A verified domain whose ownership record has been missing for this long can be claimed by any
 * user who verifies it.
 */
export const DOMAIN_LOST_AFTER_MS = 3 * DAY_MS;
/** How long a webhook's signature is valid (Stripe's own advice). */
export const WEBHOOK_TOLERANCE_SECONDS = 300;
/** Stripe retries an event for three days; its receipt is remembered longer. */
export const BILLING_EVENT_KEPT_MS = 30 * DAY_MS;
/** Timeout of one request to Stripe, not including its single retry. */
export const PAYMENTS_TIMEOUT_MS = 8 * SECOND_MS;
/** Interval for reloading prices; the second value applies after a failure. */
export const PRICES_KEPT_MS = 5 * MINUTE_MS;
export const PRICES_MISSED_MS = 10 * SECOND_MS;
/**
 * How long another request about the same subscription is refused, unless the first one finishes
 * earlier.
 */
export const BILLING_TURN_MS = MINUTE_MS;
/** The daily job skips subscriptions that were checked within this time. */
export const BILLING_LOOK_AGAIN_MS = HOUR_MS;
/**
 * A payment page is valid for one day; a customer without a subscription is checked for this long
 * after it was opened.
 */
export const CHECKOUT_WATCHED_MS = 3 * DAY_MS;
/** Delay before deleting a customer at Stripe is retried, doubled each time up to the maximum. */
export const CLOSING_RETRY_MS = 5 * MINUTE_MS;
export const CLOSING_RETRY_MAX_MS = DAY_MS;
/**
 * How long the link of an organization's invitation is valid; it is then listed as expired for the
 * same time.
 */
export const INVITE_LIFETIME_MS = 7 * DAY_MS;
/** How long the link by which a member sets a new password is valid. */
export const RESET_LIFETIME_MS = 3 * DAY_MS;
/** Limits of each plan (docs/spec-map.md 9 shows 5 GB; limits of the paid plans are ours). */
export const PLAN_LIMITS = {
  free: {
    storageBytes: 5 * GIB,
    domainLimit: 1,
    addressLimit: 3,
    memberLimit: 5,
    sendsPerHour: 100,
    recipientsPerHour: 500,
    strangersPerDay: 150,
  },
  plus: {
    storageBytes: 50 * GIB,
    domainLimit: 5,
    addressLimit: 15,
    memberLimit: 25,
    sendsPerHour: 500,
    recipientsPerHour: 2_500,
    strangersPerDay: 750,
  },
  pro: {
    storageBytes: 500 * GIB,
    domainLimit: 25,
    addressLimit: 100,
    memberLimit: 250,
    sendsPerHour: 2000,
    recipientsPerHour: 10_000,
    strangersPerDay: 3_000,
  },
} as const;
/** Time after which a run of a recurring job counts as lost and is restarted. */
export const JOB_EXPIRES_MS = 30 * 60_000;
/** Maximum devices per user that receive pushes; the one inactive for longest is removed first. */
export const PUSH_DEVICES_MAX = 20;
/**
 * Maximum messages that a device is notified of individually within a time window; further ones are
 * combined into one delayed summary.
 */
export const PUSH_BURST_MAX = 10;
export const PUSH_BURST_MS = 5 * MINUTE_MS;
export const PUSH_SUMMARY_WAIT_MS = MINUTE_MS;
/**
 * Maximum items that one pass over a mailbox reads: notices about the account, and messages to
 * match against a device's preferences.
 */
export const PUSH_LOOK_NOTICES_MAX = 50;
export const PUSH_LOOK_MAILS_MAX = 200;
/**
 * Time after which an undelivered notification is dropped. Push services receive the same limit.
 */
export const PUSH_KEPT_MS = DAY_MS;
/** Lease of a worker on a delivery attempt. */
export const PUSH_LEASE_MS = MINUTE_MS;
/**
 * Waits after the first, second, … failed attempt; the last one repeats. A push service may request
 * longer waits, up to the maximum.
 */
export const PUSH_WAITS_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS] as const;
export const PUSH_WAIT_MAX_MS = 6 * HOUR_MS;
/**
 * How long a push service that is unavailable for all devices is paused, unless it requests more.
 */
export const PUSH_REST_MS = MINUTE_MS;
/** Time of continuous failure after which a device is removed. */
export const PUSH_FAILING_KEPT_MS = 14 * DAY_MS;
/**
 * Concurrent attempts per process and per user, and the timeout of one attempt: for the phone
 * vendors' services, and for endpoints that users supply. The limits are separate, so that slow
 * endpoints do not delay the vendors' services.
 */
export const PUSH_SERVICES = { atOnce: 4, atOncePerUser: 2, timeoutMs: 10 * SECOND_MS } as const;
export const PUSH_ADDRESSES = { atOnce: 4, atOncePerUser: 1, timeoutMs: 4 * SECOND_MS } as const;
/** Maximum users that the fair queue remembers as already served. */
export const PUSH_TURNS_MAX = 1_000;
/**
 * Maximum displayed messages per device that the server tracks, and maximum notification groups
 * whose counts are stored.
 */
export const PUSH_SHOWN_MAX = 20;
export const PUSH_GROUPS_MAX = 50;
/**
 * How long after a backup's last heartbeat no blob is deleted, and the interval of the heartbeat.
 */
export const CONTAINER_HOLD_MS = 15 * MINUTE_MS;
export const CONTAINER_HOLD_RENEWED_MS = MINUTE_MS;
/** How long one run moves blobs between stores before the next one continues. */
export const MOVE_RUN_MS = 4 * MINUTE_MS;
/**
 * Reports from other servers about this one: maximum size of the message, of its decompressed
 * report, and of all messages waiting to be read.
 */
export const REPORT_MAIL_MAX_BYTES = 12 * MIB;
export const REPORT_TEXT_MAX_BYTES = 16 * MIB;
export const REPORTS_WAITING_MAX_BYTES = 32 * MIB;
/** Maximum waiting messages per network, and in total. */
export const REPORTS_WAITING_PER_NETWORK_MAX = 20;
export const REPORTS_WAITING_MAX = 400;
/** Limits of the thread that reads a report: heap in MB, and time. */
export const REPORT_HEAP_MAX_MB = 256;
export const REPORT_TIMEOUT_MS = 20 * SECOND_MS;
/**
 * Maximum reports kept per day, how long they are kept, and the period summarized for the operator.
 */
export const RECEIVED_REPORTS_PER_DAY_MAX = 5_000;
/** Maximum reports from one reporter per day, and the maximum of any count in a report. */
export const REPORTS_OF_ONE_PER_DAY_MAX = 50;
export const REPORTED_COUNT_MAX = 10_000_000;
/**
 * Range of days for which reports are accepted: allows for a late weekly report, and for clocks
 * that are ahead.
 */
export const REPORTED_BACK_MAX_MS = 14 * DAY_MS;
export const REPORTED_AHEAD_MAX_MS = DAY_MS;
export const RECEIVED_REPORTS_KEPT_MS = 90 * DAY_MS;
export const RECEIVED_REPORTS_SHOWN_MS = 30 * DAY_MS;
/**
 * Days that a rewritten sender is valid: the next server may queue a message for five days, and so
 * may the server after it.
 */
export const SRS_DAYS = 21;
