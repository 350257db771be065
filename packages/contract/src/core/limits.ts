/**
 * Limits and closed sets that client and server must agree on. Values only: services and forms
 * implement the rules. Numbers and lists come from the specification (sections 3, 5, 6 and 9);
 * limits.test.ts freezes them.
 */

/** Minimum password length in code points (docs/spec-map.md 5.01, 5.02, 5.09). */
export const PASSWORD_MIN_CHARACTERS = 8;
/** Maximum password length in code points (docs/spec-map.md 5.01, 5.02, 5.09). */
export const PASSWORD_MAX_CHARACTERS = 64;
/**
 * Maximum length of an address in characters (docs/spec-map.md 5.01, 5.02, 5.09, RFC 5321
 * §4.5.3.1.3).
 */
export const EMAIL_MAX_CHARACTERS = 254;
/**
 * Maximum length of a display name in characters (not in the specification; what address books
 * store).
 */
export const NAME_MAX_CHARACTERS = 100;
/** Maximum length of an address's local part in characters (RFC 5321 §4.5.3.1.1). */
export const USERNAME_MAX_CHARACTERS = 64;
/** Maximum length of an address label in characters. */
export const ADDRESS_LABEL_MAX_CHARACTERS = 64;
/** Maximum length of a domain name in characters (RFC 1035 §2.3.4). */
export const DOMAIN_MAX_CHARACTERS = 253;
/** Maximum length of an affiliate code in characters (docs/interpretations.md#38). */
export const AFFILIATE_CODE_MAX_CHARACTERS = 64;
/** Maximum length of an operator's note on a code, in characters. */
export const CODE_NOTE_MAX_CHARACTERS = 100;
/** Maximum number of accounts per invitation code, and maximum lifetime of a code in days. */
export const INVITATION_USES_MAX = 10_000;
export const INVITATION_DAYS_MAX = 366;
/** Characters of an invitation code: 80 bits, five per character. */
export const INVITATION_CODE_CHARACTERS = 16;
/** Last page of the operator's lists, with fifty rows per page. */
export const OPERATIONS_PAGE_MAX = 10_000;
/**
 * Maximum number of codes of each kind in a list: the newest invitations, the most used affiliates.
 */
export const SIGNUP_CODES_MAX = 200;

/** Default number of messages per page of a query (docs/api-conventions.md#mail). */
export const QUERY_COUNT_DEFAULT = 50;
/** Maximum number of messages per page of a query (docs/api-conventions.md#mail). */
export const QUERY_COUNT_MAX = 200;
/** Maximum number of message ids in one flag call (docs/api-conventions.md#mail). */
export const EMAIL_IDS_MAX = 1000;
/** Maximum number of messages requested by id in one call. */
export const EMAILS_BY_ID_MAX = 200;
/** Maximum number of ids per page when listing all ids of a mailbox. */
export const EMAIL_IDS_PAGE_MAX = 5_000;
/** Maximum length of a search segment's sealed head in base64 characters, sent as a form field. */
export const SEGMENT_HEAD_B64_MAX_CHARACTERS = 4_000;
/**
 * Maximum length in characters of the list of segments that a new one replaces, sent as a form
 * field; a hundred ids.
 */
export const SEGMENT_REPLACES_MAX_CHARACTERS = 4_000;
/** Maximum number of addresses in one /user/keys call (docs/interpretations.md#88). */
export const KEYS_MAX = 100;
/** Maximum number of recipients of one message, including the sender's own copy. */
export const RECIPIENTS_MAX = 500;
/** Maximum size of one sealed body, in base64 characters on the wire. */
export const BODY_B64_MAX_CHARACTERS = 48 * 1024 * 1024;
/**
 * Maximum size of one encrypted attachment blob, in bytes (most peers accept 25 MB of mail; larger
 * attachments stay between users).
 */
export const ATTACHMENT_MAX_BYTES = 50 * 1024 * 1024;
/** Maximum size of one inbound message, in bytes (announced as SIZE, RFC 1870). */
export const INBOUND_MAX_BYTES = 50 * 1024 * 1024;
/** Default undo window for sent messages, in seconds (docs/api-conventions.md#mail). */
export const UNDO_SEND_SECONDS = 10;
/** Maximum undo window a sender can choose, in seconds. */
export const UNDO_SEND_MAX_SECONDS = 30;
/** How far ahead a message can be scheduled or snoozed, in days. */
export const SCHEDULE_MAX_DAYS = 366;

/**
 * Maximum number of messages per import call (docs/api-conventions.md#mail). The constants below
 * limit each message: characters of headers and summary, tags, encrypted blobs.
 */
export const IMPORT_MESSAGES_MAX = 200;
export const IMPORT_FROM_MAX_CHARACTERS = 320;
export const IMPORT_HEADERS_MAX_CHARACTERS = 64 * 1024;
export const IMPORT_SUMMARY_B64_MAX_CHARACTERS = 128 * 1024;
/** Equal to the number of tags a user can have (TAGS_MAX), so that an export imports unchanged. */
export const IMPORT_TAGS_MAX = 200;
export const IMPORT_ATTACHMENTS_MAX = 1_000;

/** Maximum number of tags per user, and maximum length of a tag name in code points. */
export const TAGS_MAX = 200;
export const TAG_NAME_MAX_CHARACTERS = 64;
/** Maximum number of rules for incoming mail, and of conditions per rule. */
export const RULES_MAX = 200;
export const RULE_CONDITIONS_MAX = 20;
/** Maximum number of custom rules of the spam filter. */
export const CUSTOM_RULES_MAX = 200;
/** Days covered by security analytics: minimum, default and maximum. */
export const ANALYTICS_DAYS_MIN = 7;
export const ANALYTICS_DAYS_DEFAULT = 30;
export const ANALYTICS_DAYS_MAX = 90;
/** Maximum number of entries in a list of senders. */
export const SENDERS_MAX = 5_000;
/** Maximum number of contacts per user: the user payload carries their keys, 2 KB each. */
export const CONTACTS_MAX = 1_000;
/** Characters of a share code: 128 bits, five per character. */
export const SHARE_CODE_CHARACTERS = 26;
/**
 * Maximum length of one sealed record in base64 characters, and maximum number of records per page.
 */
export const RECORD_B64_MAX_CHARACTERS = 350_000;
export const RECORDS_PAGE_MAX = 200;
/** Page size for records that may each have the maximum size: 4 MB per page at most. */
export const LARGE_RECORDS_PAGE = Math.floor(4_000_000 / RECORD_B64_MAX_CHARACTERS);
/** Maximum number of retired keys kept for old mail. */
export const RETIRED_KEYS_MAX = 20;
/** Maximum length of a signature in characters (docs/interpretations.md#92). */
export const SIGNATURE_HTML_MAX_CHARACTERS = 20_000;
export const SIGNATURE_TEXT_MAX_CHARACTERS = 5_000;
/** Maximum number of attendees of one event. */
export const ATTENDEES_MAX = 200;
/** Kinds of second factor. */
export const FACTOR_KINDS = ['totp', 'passkey', 'recovery_code'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];
/** Number of wrong codes that ends an MFA-pending session (docs/interpretations.md#29). */
export const MFA_TRIES = 5;
/** Number of recovery codes generated at a time. */
export const RECOVERY_CODES = 10;

/**
 * Maximum number of recovery code sets shown but not confirmed. Further ones are refused, so that
 * none of the shown sets becomes invalid.
 */
export const SHOWN_CODE_SETS_MAX = 10;

/**
 * Maximum number of a user's recovery kits whose words were shown but not confirmed. Further ones
 * are refused, so that none of the shown kits becomes invalid.
 */
export const SHOWN_KITS_MAX = 10;
/** Maximum number of passkeys and security keys per user, and maximum length of a passkey name. */
export const PASSKEYS_MAX = 20;
export const PASSKEY_NAME_MAX_CHARACTERS = 64;

/** Roles in an organization, weakest first (docs/api-conventions.md#organization). */
export const ORGANIZATION_ROLES = ['member', 'admin', 'owner'] as const;
export type OrganizationRole = (typeof ORGANIZATION_ROLES)[number];
/** Maximum length of an organization's name in characters. */
export const ORGANIZATION_NAME_MAX_CHARACTERS = 100;

/** Maximum length of a push token and of a device property, in characters. */
export const PUSH_TOKEN_MAX_CHARACTERS = 4_096;
export const PUSH_WORD_MAX_CHARACTERS = 100;
/** The unread counter never falls below this (docs/spec-map.md 9). */
export const UNREAD_FLOOR = 0;

/** Tag colors; an unknown color is shown as gray (docs/spec-map.md 3.41, 3.42). */
export const TAG_COLORS = ['blue', 'green', 'pink', 'lavender', 'peach', 'mint', 'gray', 'yellow'] as const;
export type TagColor = (typeof TAG_COLORS)[number];

/** Admin levels, weakest first (docs/spec-map.md 6). */
export const ADMIN_LEVELS = ['readonly', 'standard', 'super'] as const;
export type AdminLevel = (typeof ADMIN_LEVELS)[number];

/**
 * Minimum and maximum length of a suspension reason in characters (docs/spec-map.md 5.01, 5.02,
 * 5.09, docs/interpretations.md#72).
 */
export const SUSPENSION_REASON_MIN_CHARACTERS = 5;
export const SUSPENSION_REASON_MAX_CHARACTERS = 499;

/**
 * Limits of the admin's user list: pages, page sizes, and characters of a search (docs/spec-map.md
 * 5, 9).
 */
export const ADMIN_PAGE_MAX = 10_000;
export const ADMIN_PAGE_SIZE_MAX = 100;
export const ADMIN_PAGE_SIZE_DEFAULT = 20;
export const ADMIN_SEARCH_MAX_CHARACTERS = 100;
/** Number up to which the matches of a search or filter are counted. */
export const ADMIN_MATCHES_MAX = 10_000;
/**
 * Quota in bytes that the console compares every account's storage with, regardless of its plan
 * (docs/spec-map.md 9).
 */
export const ADMIN_SHOWN_QUOTA_BYTES = 5_368_709_120;
/**
 * Percent of that quota: above the first an account's storage level is high, below the second low.
 */
export const ADMIN_STORAGE_HIGH_PERCENT = 75;
export const ADMIN_STORAGE_LOW_PERCENT = 25;
/** Entries per page of the audit log. */
export const AUDIT_PAGE_MAX = 50;

/**
 * Password rules of docs/spec-map.md 5, in the order in which the first failing rule is reported.
 */
export const PASSWORD_RULES: readonly {
  readonly message: string;
  readonly holds: (password: string) => boolean;
}[] = [
  {
    message: 'Password is too short, minimal length is 8',
    holds: p => [...p].length >= PASSWORD_MIN_CHARACTERS,
  },
  {
    // The specification says "too short" for a password that is too long; the text is verbatim.
    message: 'Password is too short, maximum length is 64',
    holds: p => [...p].length <= PASSWORD_MAX_CHARACTERS,
  },
  { message: "Password doesn't contain an uppercase letter", holds: p => /\p{Lu}/u.test(p) },
  { message: "Password doesn't contain a lowercase letter", holds: p => /\p{Ll}/u.test(p) },
  { message: "Password doesn't contain a digit", holds: p => /\p{Nd}/u.test(p) },
];

/** Returns the text of the first broken password rule, or null when the password is acceptable. */
export const findPasswordProblem = (password: string): string | null =>
  PASSWORD_RULES.find(rule => !rule.holds(password))?.message ?? null;

/** Maximum number of key log states that a number on the wire can express. */
export const KEY_LOG_SIZE_MAX = 1_000_000_000_000;
/** Maximum number of versions returned by `key_log/history`: the newest ones. */
export const KEY_LOG_HISTORY_MAX = 1_000;

/**
 * Limits for a mailbox at another provider: characters of the host name (RFC 1035), user name and
 * password.
 */
export const IMAP_HOST_MAX_CHARACTERS = 253;
export const IMAP_USER_MAX_CHARACTERS = 320;
export const IMAP_PASSWORD_MAX_CHARACTERS = 1_000;
/** Maximum number of its folders, and maximum length of a full folder name in characters. */
export const IMAP_FOLDERS_MAX = 2_000;
export const IMAP_FOLDER_NAME_MAX_CHARACTERS = 1_000;
