/**
 * Limits and closed sets that client and server must agree on. Nothing here is a rule's code: rules stand in services
 * and forms. Numbers and lists are the specification's (sections 3, 5, 6 and 9); limits.test.ts freezes them.
 */

/** Shortest password in code points (docs/spec-map.md 5.01, 5.02, 5.09). */
export const PASSWORD_MIN_CHARACTERS = 8;
/** Longest password in code points (docs/spec-map.md 5.01, 5.02, 5.09). */
export const PASSWORD_MAX_CHARACTERS = 64;
/** Longest e-mail address in characters (docs/spec-map.md 5.01, 5.02, 5.09, RFC 5321 §4.5.3.1.3). */
export const EMAIL_MAX_CHARACTERS = 254;
/** Longest display name in characters (spec silent; what address books keep). */
export const NAME_MAX_CHARACTERS = 100;
/** Longest local part of an address in characters (RFC 5321 §4.5.3.1.1). */
export const USERNAME_MAX_CHARACTERS = 64;
/** Longest label of an address in characters. */
export const ADDRESS_LABEL_MAX_CHARACTERS = 64;
/** Longest domain name in characters (RFC 1035 §2.3.4). */
export const DOMAIN_MAX_CHARACTERS = 253;
/** Longest affiliate code in characters (docs/interpretations.md#38). */
export const AFFILIATE_CODE_MAX_CHARACTERS = 64;
/** Longest note of an operator on a code, in characters. */
export const CODE_NOTE_MAX_CHARACTERS = 100;
/** Most accounts that one invitation code is good for, and most days that it lasts. */
export const INVITATION_USES_MAX = 10_000;
export const INVITATION_DAYS_MAX = 366;
/** Characters of an invitation code: 80 bits, five in each. */
export const INVITATION_CODE_CHARACTERS = 16;
/** Last page of the operator's lists, of fifty rows each. */
export const OPERATIONS_PAGE_MAX = 10_000;
/** Most codes of each kind that a list shows: the newest invitations, the busiest affiliates. */
export const SIGNUP_CODES_MAX = 200;

/** Mails in one page of a query when the caller does not say (docs/api-conventions.md#mail). */
export const QUERY_COUNT_DEFAULT = 50;
/** Most mails in one page of a query (docs/api-conventions.md#mail). */
export const QUERY_COUNT_MAX = 200;
/** Most mail ids in one flag call (docs/api-conventions.md#mail). */
export const EMAIL_IDS_MAX = 1000;
/** Most mails that are asked for by their ids in one call. */
export const EMAILS_BY_ID_MAX = 200;
/** Most ids in one page of all ids of a mailbox. */
export const EMAIL_IDS_PAGE_MAX = 5_000;
/** Most characters of the sealed head of a search segment as base64: a field of a form. */
export const SEGMENT_HEAD_B64_MAX_CHARACTERS = 4_000;
/** Most characters of the list of segments that one replaces: a field of a form; a hundred ids. */
export const SEGMENT_REPLACES_MAX_CHARACTERS = 4_000;
/** Most addresses in one /user/keys call (docs/interpretations.md#88). */
export const KEYS_MAX = 100;
/** Most recipients of one message, the sender's own copy included. */
export const RECIPIENTS_MAX = 500;
/** Most bytes of one sealed body as base64 text on the wire. */
export const BODY_B64_MAX_CHARACTERS = 48 * 1024 * 1024;
/** Most bytes of one attachment container (25 MB of mail is what most peers accept; larger ones stay between users). */
export const ATTACHMENT_MAX_BYTES = 50 * 1024 * 1024;
/** Most bytes of one inbound message (announced as SIZE, RFC 1870). */
export const INBOUND_MAX_BYTES = 50 * 1024 * 1024;
/** Seconds in which a sent mail can be recalled, when the sender does not choose otherwise (docs/api-conventions.md#mail). */
export const UNDO_SEND_SECONDS = 10;
/** Most seconds that a sender can choose for that. */
export const UNDO_SEND_MAX_SECONDS = 30;
/** How far ahead a mail can be scheduled or snoozed, days. */
export const SCHEDULE_MAX_DAYS = 366;

/**
 * Most messages of one import call (docs/api-conventions.md#mail), and of each message: characters of headers and summary, tags,
 * containers.
 */
export const IMPORT_MESSAGES_MAX = 200;
export const IMPORT_FROM_MAX_CHARACTERS = 320;
export const IMPORT_HEADERS_MAX_CHARACTERS = 64 * 1024;
export const IMPORT_SUMMARY_B64_MAX_CHARACTERS = 128 * 1024;
/** As many as one can have (TAGS_MAX): an export comes back as it was. */
export const IMPORT_TAGS_MAX = 200;
export const IMPORT_ATTACHMENTS_MAX = 1_000;

/** Most tags of one user, and longest name of one in code points. */
export const TAGS_MAX = 200;
export const TAG_NAME_MAX_CHARACTERS = 64;
/** Most rules for arriving mail, and most conditions of one. */
export const RULES_MAX = 200;
export const RULE_CONDITIONS_MAX = 20;
/** Most custom rules of the spam filter. */
export const CUSTOM_RULES_MAX = 200;
/** Days that security analytics look back: at least, when the caller does not say, and at most. */
export const ANALYTICS_DAYS_MIN = 7;
export const ANALYTICS_DAYS_DEFAULT = 30;
export const ANALYTICS_DAYS_MAX = 90;
/** Most entries of a list of senders. */
export const SENDERS_MAX = 5_000;
/** Most contacts of one user: the user payload carries their keys, 2 KB each. */
export const CONTACTS_MAX = 1_000;
/** Characters of a share code: 128 bits, five in each. */
export const SHARE_CODE_CHARACTERS = 26;
/** Most characters of one sealed record as base64, and most records of one page. */
export const RECORD_B64_MAX_CHARACTERS = 350_000;
export const RECORDS_PAGE_MAX = 200;
/** Records of which each may be as large as can be come in pages of so few: 4 MB at most. */
export const LARGE_RECORDS_PAGE = Math.floor(4_000_000 / RECORD_B64_MAX_CHARACTERS);
/** Most keys that were replaced and are kept for old mail. */
export const RETIRED_KEYS_MAX = 20;
/** Most characters of a signature (docs/interpretations.md#92). */
export const SIGNATURE_HTML_MAX_CHARACTERS = 20_000;
export const SIGNATURE_TEXT_MAX_CHARACTERS = 5_000;
/** Most attendees of one event. */
export const ATTENDEES_MAX = 200;
/** Ways to answer for the second factor. */
export const FACTOR_KINDS = ['totp', 'passkey', 'recovery_code'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];
/** Wrong codes that end a half-done sign-in (docs/interpretations.md#29). */
export const MFA_TRIES = 5;
/** Recovery codes that are made at a time. */
export const RECOVERY_CODES = 10;

/** Sets of recovery codes that were shown and not confirmed; further ones are refused, so that none of these ends. */
export const SHOWN_CODE_SETS_MAX = 10;

/** Recovery kits of a user whose words were shown and not confirmed; further ones are refused, so that none of these ends. */
export const SHOWN_KITS_MAX = 10;
/** Most passkeys and security keys of one user, and longest name of one. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_MAX_CHARACTERS = 64;

/** Roles in an organisation, weakest first (docs/api-conventions.md#organization). */
export const ORGANIZATION_ROLES = ['member', 'admin', 'owner'] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];
/** Longest name of an organisation in characters. */
export const ORGANIZATION_NAME_MAX_CHARACTERS = 100;

/** Most characters of a push token, of a word about a device, and the highest number on an icon. */
export const PUSH_TOKEN_MAX_CHARACTERS = 4_096;
export const PUSH_WORD_MAX_CHARACTERS = 100;
/** The unread counter never falls below this (docs/spec-map.md 9). */
export const UNREAD_FLOOR = 0;

/** Tag colours; an unknown one is shown as gray (docs/spec-map.md 3.41, 3.42). */
export const TAG_COLORS = ['blue', 'green', 'pink', 'lavender', 'peach', 'mint', 'gray', 'yellow'] as const;
export type TagColor = (typeof TAG_COLORS)[number];

/** Admin levels, weakest first (docs/spec-map.md 6). */
export const ADMIN_LEVELS = ['readonly', 'standard', 'super'] as const;
export type AdminLevel = (typeof ADMIN_LEVELS)[number];

/** Characters of the reason for a suspension (docs/spec-map.md 5.01, 5.02, 5.09, docs/interpretations.md#72). */
export const SUSPENSION_REASON_MIN_CHARACTERS = 5;
export const SUSPENSION_REASON_MAX_CHARACTERS = 499;

/** The admin's list of users: pages, sizes of a page, and characters of a search (docs/spec-map.md 5, 9). */
export const ADMIN_PAGE_MAX = 10_000;
export const ADMIN_PAGE_SIZE_MAX = 100;
export const ADMIN_PAGE_SIZE_DEFAULT = 20;
export const ADMIN_SEARCH_MAX_CHARACTERS = 100;
/** Users whom a search or filter finds are counted up to here. */
export const ADMIN_MATCHES_MAX = 10_000;
/** Bytes that the console measures every account's storage against, whatever its plan (docs/spec-map.md 9). */
export const ADMIN_SHOWN_QUOTA_BYTES = 5_368_709_120;
/** Percent of that: above the first an account's storage level is high, below the second low. */
export const ADMIN_STORAGE_HIGH_PERCENT = 75;
export const ADMIN_STORAGE_LOW_PERCENT = 25;
/** Entries of one page of the audit log. */
export const AUDIT_PAGE_MAX = 50;

/** Plans a user can have (docs/spec-map.md 5.01, 5.02, 5.09). */
export const PLANS = ['free', 'plus', 'pro'] as const;
export type Plan = (typeof PLANS)[number];
/** What a plan that is none of them is answered with (docs/spec-map.md 5.01, 5.02, 5.09). */
export const INVALID_PLAN = 'Invalid plan. Must be free, plus, or pro.';
/** How often a plan is paid for, and what counts when nothing is said (docs/spec-map.md 7, 9). */
export const BILLING_PERIODS = ['monthly', 'yearly'] as const;
export type BillingPeriod = (typeof BILLING_PERIODS)[number];
export const BILLING_PERIOD_DEFAULT: BillingPeriod = 'monthly';

/** The password rules of docs/spec-map.md 5, in the order in which the first failing one is reported. */
export const PASSWORD_RULES: readonly {
  readonly message: string;
  readonly holds: (password: string) => boolean;
}[] = [
  {
    message: 'Password is too short, minimal length is 8',
    holds: p => [...p].length >= PASSWORD_MIN_CHARACTERS,
  },
  {
    // The text says "too short" for a password that is too long: it is the specification's, kept to the letter.
    message: 'Password is too short, maximum length is 64',
    holds: p => [...p].length <= PASSWORD_MAX_CHARACTERS,
  },
  { message: "Password doesn't contain an uppercase letter", holds: p => /\p{Lu}/u.test(p) },
  { message: "Password doesn't contain a lowercase letter", holds: p => /\p{Ll}/u.test(p) },
  { message: "Password doesn't contain a digit", holds: p => /\p{Nd}/u.test(p) },
];

/** The first broken password rule's text, or null when the password is acceptable. */
export const findPasswordProblem = (password: string): string | null =>
  PASSWORD_RULES.find(rule => !rule.holds(password))?.message ?? null;

/** States of the key log that a number of the wire can name. */
export const KEY_LOG_SIZE_MAX = 1_000_000_000_000;
/** Versions that `key_log/history` answers with: the newest. */
export const KEY_LOG_HISTORY_MAX = 1_000;

/** What is taken of a mailbox at another provider: characters of its host's name (RFC 1035), of its user name and password. */
export const IMAP_HOST_MAX_CHARACTERS = 253;
export const IMAP_USER_MAX_CHARACTERS = 320;
export const IMAP_PASSWORD_MAX_CHARACTERS = 1_000;
/** Its folders, and characters of the whole name of one. */
export const IMAP_FOLDERS_MAX = 2_000;
export const IMAP_FOLDER_NAME_MAX_CHARACTERS = 1_000;
