/** The limits of sending: queues, the watch for spam, forwards and bounces. */

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIB = 1024 * 1024;

/** Interval for checking queued messages of a suspended account again. */
export const SUSPENDED_MAIL_WAIT_MS = 15 * MINUTE_MS;
/**
 * Maximum size of one outbound message with its attachments included, in bytes: the size that we
 * accept, other servers may accept too.
 */
export const OUTGOING_MAX_BYTES = 50 * MIB;
/** Window for counting a plan's sends. */
export const SEND_WINDOW_MS = HOUR_MS;
/**
 * Maximum messages from one user to one external recipient, regardless of plan: within one hour,
 * and within 24 hours.
 */
export const MESSAGES_TO_ONE_PER_HOUR = 100;
export const MESSAGES_TO_ONE_PER_DAY = 300;
export const MESSAGES_TO_ONE_WATCHED_MS = DAY_MS;
/** Time after which a queued message without recipients, left by a crash, is deleted. */
export const FINISHED_MESSAGE_KEPT_MS = HOUR_MS;
/** How long delivery of outbound mail is retried before it bounces. */
export const OUTBOUND_GIVE_UP_MS = 5 * DAY_MS;
/** How long sends to external recipients are monitored ([Note: Signs]). */
export const SEND_WATCHED_MS = DAY_MS;
/**
 * How long an account on the free plan counts as new, and how many new external recipients it may
 * write to per day.
 */
export const FRESH_ACCOUNT_MS = 3 * DAY_MS;
export const FRESH_STRANGERS_PER_DAY = 50;
/**
 * Minimum number and share of recipients that were rejected, or were sent suspected spam, to count
 * as a sign.
 */
export const WATCHED_RECIPIENTS_MIN = 20;
export const WATCHED_SHARE_MAX = 0.3;
/**
 * A message that is certain spam is refused and counts as this many recipients: three within a day
 * are a sign.
 */
export const CERTAIN_SPAM_RECIPIENTS = 7;
/**
 * Minimum number of messages that recipients complained about, and minimum share of the recipients,
 * to count as a sign.
 */
export const WATCHED_COMPLAINTS_MIN = 5;
export const COMPLAINTS_SHARE_MAX = 0.003;
/**
 * Minimum number of different domains, or sets of domains, that the complaints concern: one
 * recipient who reports many messages is not a sign.
 */
export const COMPLAINED_AUDIENCES_MIN = 3;
/**
 * Minimum number of organizations that report the complaints, or the minimum number of complaints
 * when there is only one: a feedback loop may exist at one provider only.
 */
export const COMPLAINING_ORGANIZATIONS_MIN = 2;
export const COMPLAINTS_OF_ONE_MIN = 20;
/**
 * Duration of the first, the second and each further hold; after the second value without a hold,
 * the sequence starts over.
 */
export const SEND_HOLDS_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS] as const;
export const SEND_STRIKES_KEPT_MS = 7 * DAY_MS;
/** A recipient counts as new again when the first message to them is older than this. */
export const OUTSIDE_RECIPIENT_KEPT_MS = 365 * DAY_MS;
/** Complaints about messages older than this are ignored. */
export const COMPLAINT_AGE_MAX_MS = 60 * DAY_MS;
/** Maximum messages forwarded per hour, so that a flood to a role address is not relayed. */
export const FORWARDS_PER_HOUR = 300;
/**
 * Maximum of these per site (IPv4 /24, IPv6 /48), and maximum sites counted at a time, so that no
 * site uses up the others' share.
 */
export const FORWARDS_PER_SITE = 60;
export const FORWARDING_SITES_MAX = 10_000;
export const FORWARD_WINDOW_MS = HOUR_MS;
/** Maximum bounces returned within the window, per rewritten sender and in total. */
export const RETURNS_PER_SENDER = 3;
export const RETURNS_PER_HOUR = 300;
export const RETURN_WINDOW_MS = HOUR_MS;
/** Maximum senders whose bounces are counted at a time. */
export const RETURNS_COUNTED_MAX = 10_000;
/**
 * Maximum size of a forwarded message, in bytes; many servers accept this size. The copy in the
 * mailbox is always complete.
 */
export const FORWARD_MAX_BYTES = 25 * MIB;
/** Maximum size of a returned bounce, in bytes. Most contain only headers. */
export const RETURN_MAX_BYTES = MIB;
/** Number of Received fields from which a message counts as looping (RFC 5321 §6.3). */
export const HOPS_MAX = 100;
