/**
 * The server's own numbers: what only this side enforces. Each names its unit and source; limits.test.ts freezes those
 * of the specification.
 */
import { ANALYTICS_DAYS_MAX, type Plan } from '@keyfold/contract/limits';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** Deleted mail is kept this long (docs/spec-map.md 9). */
export const DELETED_MAIL_KEPT_MS = 30 * DAY_MS;
/** A device cookie restores sessions this long (docs/spec-map.md 9). */
export const DEVICE_LIFETIME_MS = 30 * DAY_MS;
/** A registration whose answer was lost may be repeated this long with the same keys and login hash. */
export const REGISTRATION_REPEAT_MS = 10 * 60 * 1000;
/** A restore whose answer was lost may be repeated this long under the same key. */
export const RESTORE_REPEAT_MS = 60 * 1000;
/** The token behind a phone's biometrics is good this long; the second where one stays signed in (docs/spec-map.md 9). */
export const BIOMETRIC_LIFETIME_MS = 7 * DAY_MS;
export const KEPT_BIOMETRIC_LIFETIME_MS = 30 * DAY_MS;
/** A session not used for this long ends; a used one lives on. */
export const SESSION_IDLE_MS = 24 * HOUR_MS;
/** How long a session that ended elsewhere says why. */
export const ENDED_SESSION_KEPT_MS = 24 * HOUR_MS;
/** A session, and a device that stays signed in, ends this long after its login, however much it is used. */
export const SESSION_MAX_MS = 90 * DAY_MS;
/** Sign-ins are remembered this long, and at most so many of a user that succeeded, and as many that did not. */
export const LOGIN_KEPT_MS = 90 * DAY_MS;
export const LOGINS_MAX = 100;
/** Openings of a phone by biometrics are remembered once in this time for each device and network. */
export const BIOMETRIC_LOGIN_EVERY_MS = DAY_MS;
/** A browser that signed in is known to its users this long: no notice is sent of it. */
export const KNOWN_BROWSER_KEPT_MS = 400 * DAY_MS;
/** A session's use and its user's activity are written down at most this often. */
export const SESSION_TOUCH_MS = 5 * MINUTE_MS;
/** A half-done sign-in waits this long for the second factor (docs/interpretations.md#29), and a challenge for a key's answer. */
export const HALF_SESSION_LIFETIME_MS = 5 * MINUTE_MS;
export const PASSKEY_CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS;
/** A secret for an authenticator app that no code was seen of is forgotten after this time (docs/interpretations.md#86). */
export const TOTP_PENDING_MS = 10 * MINUTE_MS;
/** Codes of authenticator apps: bytes of a secret, seconds of a step, and steps to either side of now that count as well. */
export const TOTP_SECRET_BYTES = 20;
export const TOTP_STEP_SECONDS = 30;
export const TOTP_STEPS_ASIDE = 1;
/** How long codes are refused after so many wrong ones: doubled with each further five, up to the longest. */
export const CODE_WAIT_MS = MINUTE_MS;
export const CODE_WAIT_MAX_MS = 6 * HOUR_MS;
/** Who was not seen for this long, or never, counts as gone (docs/spec-map.md 9, docs/interpretations.md#89). */
export const CHURN_MS = 30 * DAY_MS;
/** The longest that the totals of the outbound queue are shown without counting again (ADR 33). */
export const QUEUE_TOTALS_KEPT_MAX_MS = 10 * SECOND_MS;
/** Mail that a suspended account left in the queue is looked at again after this time. */
export const SUSPENDED_MAIL_WAIT_MS = 15 * MINUTE_MS;
/**
 * The CSRF token of admin calls is good this long; clients cache it for 23 hours (docs/spec-map.md 9,
 * docs/interpretations.md#35).
 */
export const CSRF_LIFETIME_MS = 24 * HOUR_MS;
/** A captcha challenge must be solved within this time. */
export const CAPTCHA_LIFETIME_MS = 10 * MINUTE_MS;
/** A draft that never got a body is collected after this time (docs/interpretations.md#21). */
export const EMPTY_DRAFT_KEPT_MS = 24 * HOUR_MS;
/** A stored container that no mail refers to is collected after this time. */
export const ORPHAN_BLOB_KEPT_MS = 24 * HOUR_MS;
/** An archived container that is no more is kept for so long before the oldest change that the archive has. */
export const ARCHIVED_CONTAINER_SPARED_MS = DAY_MS;
/** A container of an import that no message took up is forgotten after this time: well before it is collected. */
export const IMPORT_CONTAINER_KEPT_MS = 12 * HOUR_MS;
/** Containers of one user that wait, and bytes that each of them takes at least of the room for waiting ones. */
export const IMPORT_CONTAINERS_MAX = 5_000;
export const IMPORT_CONTAINER_COUNTED_BYTES = 4096;
/** Batches of one user's imports that a process stores at one time. */
export const IMPORT_BATCHES_PER_USER = 2;
/** Answers of idempotent sends are remembered this long. */
export const IDEMPOTENCY_KEPT_MS = 48 * HOUR_MS;
/** Receipts of inbound mail, which recognise a repeated delivery, are remembered this long. */
export const RECEIPT_KEPT_MS = 7 * DAY_MS;
/** Attachments of inbound mail larger than this leave the message for a container (docs/wire-format.md#attachments). */
export const DETACH_MIN_BYTES = 32 * 1024;
/** Most bytes of one message to the outside, with its files put back: what we take in, others may take too. */
export const OUTGOING_MAX_BYTES = 50 * MIB;
/** The time in which a plan's sends are counted. */
export const SEND_WINDOW_MS = HOUR_MS;
/** The time in which new accounts of the service are counted. */
export const SIGNUP_WINDOW_MS = HOUR_MS;
/** Letters that one user may send to one reader outside, whatever the plan: within an hour, and within 24 of them. */
export const MESSAGES_TO_ONE_PER_HOUR = 100;
export const MESSAGES_TO_ONE_PER_DAY = 300;
export const MESSAGES_TO_ONE_WATCHED_MS = DAY_MS;
/** A queued message without recipients is what a crash left: removed after this time. */
export const FINISHED_MESSAGE_KEPT_MS = HOUR_MS;
/** Mail to the outside is tried this long before it bounces. */
export const OUTBOUND_GIVE_UP_MS = 5 * DAY_MS;
/** Extra storage for the first contact: 500 MB (docs/spec-map.md 9, docs/interpretations.md#62). */
export const FIRST_CONTACT_BONUS_BYTES = 524_288_000;
/** A share code is good this long (docs/api-conventions.md#account; docs/adr/0020). */
export const SHARE_CODE_LIFETIME_MS = 10 * MINUTE_MS;
/** Most share codes of one user at a time; the oldest make room. */
export const SHARE_CODES_MAX = 10;

/** Room for a user's search index: a share of the storage, and bytes beside it ([Note: Room for the index]). */
export const SEARCH_INDEX_SHARE = 0.1;
export const SEARCH_INDEX_BASE_BYTES = 256 * MIB;
/** Most segments of one user's search index; clients merge them long before. */
export const SEARCH_SEGMENTS_MAX = 200;

/** Bytes of users' filters, as they are stored, that a process keeps ready; opened they take several times as much. */
export const FILTERS_READY_MAX_BYTES = 8 * MIB;
/** What the filters of one user take beside their bytes. */
export const FILTERS_READY_BASE_BYTES = 1024;

/**
 * Points at which each sensitivity flags a mail, on the scale of rspamd, where 6 is probably spam and 15 certainly; and
 * those of what is disowned by its own domain, or certain otherwise.
 */
export const SPAM_POINTS = { low: 10, medium: 6, high: 4 } as const;
export const DISOWNED_SPAM_POINTS = SPAM_POINTS.low;
export const PROBABLE_SPAM_POINTS = SPAM_POINTS.medium;
export const CERTAIN_SPAM_POINTS = 15;

/** Plans that have security analytics (docs/spec-map.md 6), for whose users alone arrivals are counted. */
export const ANALYTICS_PLANS: ReadonlySet<Plan> = new Set(['plus', 'pro']);
/** Counts of arrivals are kept this long: more than analytics look back. */
export const ARRIVAL_COUNTS_KEPT_MS = (ANALYTICS_DAYS_MAX + 1) * DAY_MS;

/** Replaced keys are kept at least this long: whatever was being sealed to them has been stored, or refused, by then. */
export const RETIRED_KEY_KEPT_MS = 60 * MINUTE_MS;
/** Mails that one request turns from a sender's wrap to their reader's own. */
export const RETIRED_WRAPS_AT_ONCE = 2_000;

/** Most signatures of one user. */
export const SIGNATURES_MAX = 50;
/** Most records that a user's clients keep, and their bytes; they do not count against the storage that people see. */
export const RECORDS_MAX = 2_000;
export const RECORDS_MAX_BYTES = 64 * MIB;
/** A guest can answer an invitation until this long after its event, and at most so long after the invitation. */
export const EVENT_TOKEN_KEPT_MS = 366 * DAY_MS;
export const EVENT_TOKEN_KEPT_MAX_MS = 5 * 366 * DAY_MS;
/** How often a guest can change the answer to one invitation: each change is a mail to the organiser. */
export const EVENT_ANSWER_CHANGES_MAX = 20;
/** Guests who can be asked to one event, over all its invitations, and to all events of a user that are not long over. */
export const EVENT_GUESTS_MAX = 1_000;
export const EVENT_GUESTS_PER_USER_MAX = 20_000;

/** Most bytes of a remote image, unpacked. */
export const REMOTE_IMAGE_MAX_BYTES = 10 * MIB;
/** The longest a request to another site may take, redirects included; below the call's own time. */
export const REMOTE_TIMEOUT_MS = 20 * SECOND_MS;
/** Most redirects that are followed. */
export const REMOTE_REDIRECTS_MAX = 3;
/** Requests to other sites at one time: for one user, and of one process, whose memory holds what they bring. */
export const REMOTE_AT_ONCE_PER_USER = 6;
export const REMOTE_AT_ONCE = 32;
/** Most requests that one user may have waiting for a turn. */
export const REMOTE_WAITING_PER_USER = 100;

/** All DNS questions about one domain end by then: below a client's own limit. */
export const DOMAIN_LOOK_TIMEOUT_MS = 8 * SECOND_MS;
/** How long after a look the next one is due: of a domain that is in order, of one that is not, of one not yet proved. */
export const DOMAIN_CHECK_HEALTHY_MS = 12 * HOUR_MS;
export const DOMAIN_CHECK_UNHEALTHY_MS = HOUR_MS;
export const DOMAIN_CHECK_UNPROVED_MS = 10 * MINUTE_MS;
/** A claim that is older than this and not proved is looked at as rarely as what is in order. */
export const DOMAIN_CLAIM_FRESH_MS = 7 * DAY_MS;
/** A proved domain whose ownership record has been gone for this long goes to whoever proves it. */
export const DOMAIN_LOST_AFTER_MS = 3 * DAY_MS;

/** A webhook's signature is good this long (Stripe's own advice). */
export const WEBHOOK_TOLERANCE_SECONDS = 300;
/** Stripe repeats an event for three days; that it came is remembered longer. */
export const BILLING_EVENT_KEPT_MS = 30 * DAY_MS;
/** The longest one request to Stripe may take, without its one repetition. */
export const PAYMENTS_TIMEOUT_MS = 8 * SECOND_MS;
/** Prices are asked for again after this time; and after this one when they could not be had. */
export const PRICES_KEPT_MS = 5 * MINUTE_MS;
export const PRICES_MISSED_MS = 10 * SECOND_MS;
/** Another request about the same subscription is refused this long, unless the first is done before. */
export const BILLING_TURN_MS = MINUTE_MS;
/** A subscription that was looked at within this time is not looked at by the daily job. */
export const BILLING_LOOK_AGAIN_MS = HOUR_MS;
/** A payment page can be paid for a day; so long after it somebody without a subscription is still looked at. */
export const CHECKOUT_WATCHED_MS = 3 * DAY_MS;
/** Deleting a customer at Stripe is tried again after this time, doubled each time up to the longest. */
export const CLOSING_RETRY_MS = 5 * MINUTE_MS;
export const CLOSING_RETRY_MAX_MS = DAY_MS;

/** The link of an organisation's invitation is good this long, and listed as expired for as long again. */
export const INVITE_LIFETIME_MS = 7 * DAY_MS;
/** The link by which a member sets a new password is good this long. */
export const RESET_LIFETIME_MS = 3 * DAY_MS;

/** What is sent to the outside is watched over so long ([Note: Signs]). */
export const SEND_WATCHED_MS = DAY_MS;
/** An account of the free plan is fresh for so long, and writes to so many people outside whom it never wrote to before. */
export const FRESH_ACCOUNT_MS = 3 * DAY_MS;
export const FRESH_STRANGERS_PER_DAY = 50;
/** So many recipients, and such a share of all, that were refused or got what looks like spam are a sign. */
export const WATCHED_RECIPIENTS_MIN = 20;
export const WATCHED_SHARE_MAX = 0.3;
/** A letter that is certain spam is refused, and stands for so many recipients: three within a day are a sign. */
export const CERTAIN_SPAM_RECIPIENTS = 7;
/** So many mails that readers complained of, and such a share of the recipients, are one too. */
export const WATCHED_COMPLAINTS_MIN = 5;
export const COMPLAINTS_SHARE_MAX = 0.003;
/** They are about mail to so many different domains, or sets of them: one reader who collects letters is no sign. */
export const COMPLAINED_AUDIENCES_MIN = 3;
/** And so many organisations stand by them, or one of them by so many more: a feedback loop may be one provider's alone. */
export const COMPLAINING_ORGANIZATIONS_MIN = 2;
export const COMPLAINTS_OF_ONE_MIN = 20;
/** How long the first, the second and each further hold lasts; after this time without one the next is the first again. */
export const SEND_HOLDS_MS = [HOUR_MS, 6 * HOUR_MS, DAY_MS] as const;
export const SEND_STRIKES_KEPT_MS = 7 * DAY_MS;
/** Who was not written to for the first time within this time counts as new again. */
export const OUTSIDE_RECIPIENT_KEPT_MS = 365 * DAY_MS;

/** What each plan allows (docs/spec-map.md 9 shows 5 GB; limits of the paid plans are ours). */
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

/** How long a run of a recurring job may take; afterwards it counts as lost and is begun anew. */
export const JOB_EXPIRES_MS = 30 * 60_000;

/** The largest PST file that the server reads; larger ones are read in the browser. */
export const PST_FILE_MAX_BYTES = 20 * GIB;
/** A file may be this many times larger than the room that its owner has: much of a PST is not mail. */
export const PST_FILE_PER_FREE_BYTE = 2;
/** An upload of a PST that shows no sign of life for this long has ended, and another may begin. */
export const PST_UPLOAD_LEASE_MS = 3 * MINUTE_MS;
/** How often an upload says that it is alive, and looks whether the disk still has room. */
export const PST_UPLOAD_NOTED_MS = 15_000;
/** Bytes of the disk that PST files never take: mail that arrives needs them. */
export const DISK_RESERVE_BYTES = 2 * GIB;
/** An import that shows no sign of life for this long is taken up by another process. */
export const PST_LEASE_MS = 3 * MINUTE_MS;
/** How long one file is read while others wait; then it goes behind them. */
export const PST_TURN_MS = 5 * MINUTE_MS;
/** How long a process reads one file in all: so much for each, and so much more for each GiB of it. */
export const PST_READING_MS = 2 * HOUR_MS;
export const PST_READING_PER_GIB_MS = HOUR_MS;
/** When a file that the bucket did not give is asked for again. */
export const PST_STORE_AWAY_MS = MINUTE_MS;
/** When a file of somebody who is suspended is looked at again. */
export const PST_SUSPENDED_MS = HOUR_MS;
/** One thing of a PST that is not read within this time is left out. */
export const PST_ITEM_TIMEOUT_MS = MINUTE_MS;
/** How often a reading process may die before its file is given up. */
export const PST_DEATHS_MAX = 20;
/** Memory of a reading process: what it keeps as objects, MB, and all it may have, bytes. */
export const PST_HEAP_MAX_MB = 256;
export const PST_PROCESS_MAX_BYTES = 512 * MIB;
/** Things that could not be read, of which the place in the file is told. */
export const PST_ERRORS_KEPT = 100;
/** How long one can see what became of an import. */
export const SERVER_IMPORT_KEPT_MS = 30 * DAY_MS;

/** IMAP imports that one process runs at a time: they wait for others most of the time. */
export const IMAP_LANES = 2;
/** How long a mailbox is looked into before an import of it: to connect, to sign in, to list. */
export const IMAP_LOOK_MS = 2 * MINUTE_MS;
/** How long one is connected with one opening of its credentials. */
export const IMAP_TURN_MS = 5 * MINUTE_MS;
/** How long an import goes on in all, since it was asked for; then its credentials are forgotten. */
export const IMAP_IMPORT_MS = 7 * DAY_MS;
/** To connect, to greet and to be silent; to answer a command; to give messages that were asked for. */
export const IMAP_CONNECT_MS = 20_000;
export const IMAP_COMMAND_MS = MINUTE_MS;
export const IMAP_FETCH_MS = 2 * MINUTE_MS;
/** To ask how many messages each folder has. */
export const IMAP_COUNTING_MS = 30_000;
/** The longest line of an answer: the numbers of all messages of a folder stand in one. */
export const IMAP_LINE_MAX_BYTES = 16 * MIB;
/** All of an answer that is no mail: the list of folders, sizes and flags of some messages. */
export const IMAP_ANSWER_MAX_BYTES = 20 * MIB;
/** Messages whose sizes and flags are asked for at once, and those that are fetched at once, with their bytes. */
export const IMAP_MEASURED_AT_ONCE = 200;
export const IMAP_FETCHED_AT_ONCE = 20;
export const IMAP_FETCHED_AT_ONCE_BYTES = 8 * MIB;
/** Messages of one import. */
export const IMAP_MESSAGES_MAX = 2_000_000;
/** Interruptions one after the other without a message between them: at so many the next message is left out. */
export const IMAP_BREAKS_PER_MESSAGE = 3;
/** At so many that not even the mailbox opened, the import ends. */
export const IMAP_BREAKS_MAX = 9;
/** After the first interruption one waits so long, after each further one twice as long, to this at most. */
export const IMAP_WAIT_MS = MINUTE_MS;
export const IMAP_WAIT_MAX_MS = HOUR_MS;

/** Devices of one user that are pushed to; the one that was seen longest ago makes room. */
export const PUSH_DEVICES_MAX = 20;
/** Mails that a device is told of one by one within a time; more are told of by one summary, after a while. */
export const PUSH_BURST_MAX = 10;
export const PUSH_BURST_MS = 5 * MINUTE_MS;
export const PUSH_SUMMARY_WAIT_MS = MINUTE_MS;
/** What one look at a mailbox reads at most: notices about the account, and mails to find in what a device wants to hear of. */
export const PUSH_LOOK_NOTICES_MAX = 50;
export const PUSH_LOOK_MAILS_MAX = 200;
/** News that could not be told within this time is none. Push services are told the same. */
export const PUSH_KEPT_MS = DAY_MS;
/** How long a worker has an attempt for itself. */
export const PUSH_LEASE_MS = MINUTE_MS;
/** Waits after the first, second, … failed attempt; the last one repeats. A push service may ask for more, up to the longest. */
export const PUSH_WAITS_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS] as const;
export const PUSH_WAIT_MAX_MS = 6 * HOUR_MS;
/** How long a service that is away for all is left alone, unless it asks for more. */
export const PUSH_REST_MS = MINUTE_MS;
/** A device to which nothing could be sent for this long is forgotten. */
export const PUSH_FAILING_KEPT_MS = 14 * DAY_MS;
/**
 * Attempts of a process and of one user at one time, and the longest that one takes: at the services of makers of phones, and at
 * addresses that users name. Those are apart, so that what is slow there holds up nothing here.
 */
export const PUSH_SERVICES = { atOnce: 4, atOncePerUser: 2, timeoutMs: 10 * SECOND_MS } as const;
export const PUSH_ADDRESSES = { atOnce: 4, atOncePerUser: 1, timeoutMs: 4 * SECOND_MS } as const;
/** Users that are remembered to have had their turn. */
export const PUSH_TURNS_MAX = 1_000;
/** Mails that a device shows, of which the server knows; and groups of notifications that numbers are kept of. */
export const PUSH_SHOWN_MAX = 20;
export const PUSH_GROUPS_MAX = 50;

/** No container's bytes are removed for so long after a backup was last heard of; it tells of itself this often. */
export const CONTAINER_HOLD_MS = 15 * MINUTE_MS;
export const CONTAINER_HOLD_RENEWED_MS = MINUTE_MS;
/** How long one run moves containers between blob stores; the next one goes on. */
export const MOVE_RUN_MS = 4 * MINUTE_MS;

/** Reports of other servers about this one: the largest mail, its report unpacked, and the mails that wait to be read. */
export const REPORT_MAIL_MAX_BYTES = 12 * MIB;
export const REPORT_TEXT_MAX_BYTES = 16 * MIB;
export const REPORTS_WAITING_MAX_BYTES = 32 * MIB;
/** Mails of one network, and of all, that wait at one time. */
export const REPORTS_WAITING_PER_NETWORK_MAX = 20;
export const REPORTS_WAITING_MAX = 400;
/** A thread that reads one: heap, MB, and time. */
export const REPORT_HEAP_MAX_MB = 256;
export const REPORT_TIMEOUT_MS = 20 * SECOND_MS;
/** Reports that are kept of one day, how long, and how far back they are summed up for the operator. */
export const RECEIVED_REPORTS_PER_DAY_MAX = 5_000;
/** Those of one reporter's within a day, and the most that one may count of anything. */
export const REPORTS_OF_ONE_PER_DAY_MAX = 50;
export const REPORTED_COUNT_MAX = 10_000_000;
/** Of which days reports are taken: a week's report that was late, and clocks that are ahead. */
export const REPORTED_BACK_MAX_MS = 14 * DAY_MS;
export const REPORTED_AHEAD_MAX_MS = DAY_MS;
export const RECEIVED_REPORTS_KEPT_MS = 90 * DAY_MS;
export const RECEIVED_REPORTS_SHOWN_MS = 30 * DAY_MS;
/** A complaint about older mail counts for nothing. */
export const COMPLAINT_AGE_MAX_MS = 60 * DAY_MS;

/** Days that a rewritten sender is good: the other side may hold a mail for five days, and so may whoever it sends it on to. */
export const SRS_DAYS = 21;
/** Messages that are sent on within an hour, whatever comes in: what floods a role must not flood through us. */
export const FORWARDS_PER_HOUR = 300;
/** Those of one site (IPv4 /24, IPv6 /48) among them, and sites that are counted at one time: nobody uses up the others' share. */
export const FORWARDS_PER_SITE = 60;
export const FORWARDING_SITES_MAX = 10_000;
export const FORWARD_WINDOW_MS = HOUR_MS;
/** Bounces of one rewritten sender, and of all, that are sent back within the window. */
export const RETURNS_PER_SENDER = 3;
export const RETURNS_PER_HOUR = 300;
export const RETURN_WINDOW_MS = HOUR_MS;
/** Senders whose bounces are counted at one time. */
export const RETURNS_COUNTED_MAX = 10_000;
/** Largest message that is sent on; what many servers take. The copy in the mailbox is whole in any case. */
export const FORWARD_MAX_BYTES = 25 * MIB;
/** Largest bounce that is sent back. Most have headers alone. */
export const RETURN_MAX_BYTES = MIB;
/** Received fields from which on a message is held to go in circles (RFC 5321 §6.3). */
export const HOPS_MAX = 100;
