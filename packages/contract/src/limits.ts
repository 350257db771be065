/**
 * Limits and closed sets that client and server must agree on. Nothing here is a rule's code: rules stand in services
 * and forms. Numbers and lists are the specification's (sections 3, 5, 6 and 9); limits.test.ts freezes them.
 */

/** Shortest password in code points (Spec §5). */
export const PASSWORD_MIN_CHARACTERS = 8;
/** Longest password in code points (Spec §5). */
export const PASSWORD_MAX_CHARACTERS = 64;
/** Longest e-mail address in characters (Spec §5, RFC 5321 §4.5.3.1.3). */
export const EMAIL_MAX_CHARACTERS = 254;
/** Longest display name in characters (spec silent; what address books keep). */
export const NAME_MAX_CHARACTERS = 100;
/** Longest local part of an address in characters (RFC 5321 §4.5.3.1.1). */
export const USERNAME_MAX_CHARACTERS = 64;
/** Longest affiliate code in characters (readings 38). */
export const AFFILIATE_CODE_MAX_CHARACTERS = 64;

/** Mails in one page of a query when the caller does not say (api.md, Mail). */
export const QUERY_COUNT_DEFAULT = 50;
/** Most mails in one page of a query (api.md, Mail). */
export const QUERY_COUNT_MAX = 200;
/** Most mail ids in one flag call (api.md, Mail). */
export const EMAIL_IDS_MAX = 1000;
/** Most addresses in one /user/keys call (readings 88). */
export const KEYS_MAX = 100;
/** Most recipients of one message, the sender's own copy included. */
export const RECIPIENTS_MAX = 500;
/** Most bytes of one sealed body as base64 text on the wire. */
export const BODY_B64_MAX_CHARACTERS = 48 * 1024 * 1024;
/** Most bytes of one attachment container (25 MB of mail is what most peers accept; larger ones stay between users). */
export const ATTACHMENT_MAX_BYTES = 50 * 1024 * 1024;
/** Most bytes of one inbound message (announced as SIZE, RFC 1870). */
export const INBOUND_MAX_BYTES = 50 * 1024 * 1024;
/** Window in which a sent mail can be recalled, milliseconds (api.md, Mail). */
export const UNDO_SEND_MS = 10_000;

/** Tag colours; an unknown one is shown as gray (Spec §3). */
export const TAG_COLORS = ['blue', 'green', 'pink', 'lavender', 'peach', 'mint', 'gray', 'yellow'] as const;
export type TagColor = (typeof TAG_COLORS)[number];

/** Admin levels, weakest first (Spec §6). */
export const ADMIN_LEVELS = ['readonly', 'standard', 'super'] as const;
export type AdminLevel = (typeof ADMIN_LEVELS)[number];

/** Plans a user can have (Spec §5). */
export const PLANS = ['free', 'plus', 'pro'] as const;
export type Plan = (typeof PLANS)[number];

/** The password rules of Spec §5, in the order in which the first failing one is reported. */
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
