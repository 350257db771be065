// Limits of reading and writing mail (docs/spec-map.md 9.21, 9.22; docs/interpretations.md#27, #79). Only numbers live here;
// limits which both ends of a call must agree on are in contract/limits.

/** Recovery refuses a raw message longer than this, in characters of the raw string. docs/spec-map.md 9.21, 9.22. */
export const RECOVERY_MAX_RAW_CHARACTERS = 26_214_400;

/** Recovery skips a part longer than this, in characters of the raw string. docs/spec-map.md 9.21, 9.22. */
export const RECOVERY_MAX_PART_CHARACTERS = 5_242_880;

/** A calendar description is shown only when shorter than this, in characters. docs/spec-map.md 9.21, 9.22. */
export const INVITE_DESCRIPTION_MAX_CHARACTERS = 500;

/** The same bound for the summary form of an invitation, in characters. docs/spec-map.md 9.21, 9.22. */
export const INVITE_SUMMARY_DESCRIPTION_MAX_CHARACTERS = 300;

/** Attachments larger than this leave the message for a container of their own, in bytes. docs/wire-format.md#attachments. */
export const DETACH_MIN_BYTES = 32_768;

/** Longest snippet in a sealed summary, in UTF-16 units. docs/wire-format.md#summaries. */
export const SNIPPET_MAX_CHARACTERS = 200;

/** Longest e-mail address, in characters. docs/spec-map.md 9.21, 9.22. */
export const ADDRESS_MAX_CHARACTERS = 254;

/** Longest local part of an address, in characters. RFC 5321 §4.5.3.1.1. */
export const LOCAL_PART_MAX_CHARACTERS = 64;

/** Addresses read from one header; the rest of a longer list is ignored, against lists made to exhaust memory. */
export const ADDRESS_LIST_MAX_ENTRIES = 5_000;

/** Deepest nesting of parts that is followed; deeper multiparts are read as one opaque part. */
export const MIME_MAX_DEPTH = 256;

/** Deepest nesting inside one message that is parsed; more is left to recovery. */
export const PARSE_MAX_DEPTH = 28;

/** Messages inside messages that are parsed as text of the outer one; with the above this stays below MIME_MAX_DEPTH. */
export const PARSE_MAX_MESSAGES = 8;

/** Most parts of one message that are told apart; a message with more is left in one piece, and not parsed. */
export const MIME_MAX_PARTS = 10_000;

/** Lines of one part beyond which its body is handed to the parser in another form; it keeps an object for each. */
export const PART_MAX_LINES = 2_000;

/** Lines of a whole message, once for each message around another, beyond which it is not parsed but recovered. */
export const PARSE_MAX_LINES = 100_000;

/** A calendar file larger than this is refused unread, in bytes. */
export const ICS_MAX_BYTES = 2 * 1024 * 1024;

/** Content lines of a calendar file, and characters of one of them; what is beyond is left out. */
export const ICS_MAX_LINES = 50_000;
export const ICS_MAX_LINE_CHARACTERS = 100_000;

/** Events of one file, guests of one event, and dates added to or taken from a repetition that are kept. */
export const ICS_MAX_EVENTS = 500;
export const ICS_MAX_ATTENDEES = 500;
export const ICS_MAX_DATES = 1_000;

/** Characters kept of a text of an event. */
export const ICS_MAX_TEXT_CHARACTERS = 20_000;

/** Years, months, weeks or days of a repetition that are looked through for its next date: no rule runs for ever. */
export const ICS_MAX_PERIODS = 20_000;

/** Most characters of a vCard file, and most cards that are read of one. */
export const VCARD_FILE_MAX_CHARACTERS = 64 * 1024 * 1024;
export const VCARD_CARDS_MAX = 25_000;
/** What is kept of one card: characters of its name and note, and how many addresses. */
export const VCARD_TEXT_MAX_CHARACTERS = { name: 100, note: 10_000, emails: 50 } as const;
/** Lines of one card that are read, and characters of one and of a picture; the rest is left out. */
export const VCARD_CARD_MAX_LINES = 300;
export const VCARD_LINE_MAX_CHARACTERS = 20_000;
export const VCARD_PICTURE_MAX_CHARACTERS = 120_000;
/** Characters of groups after which a card that is written begins another line of them. */
export const VCARD_GROUPS_LINE_CHARACTERS = 10_000;
/** Pieces of a text of addresses that are looked at for the few that are kept. */
export const CONTACT_LIST_MAX_PIECES = 200;
/**
 * Groups of people that are looked at in one file of contacts, the same one once for each who is in it: five for each of
 * 20,000 people.
 */
export const CONTACT_FILE_GROUPS_MAX = 100_000;

/** Most bytes of a CSV file of contacts, and most of its rows and columns that are read. */
export const CONTACT_CSV_MAX_BYTES = 32 * 1024 * 1024;
export const CONTACT_CSV_MAX_ROWS = 25_000;
export const CONTACT_CSV_MAX_COLUMNS = 500;
/** Most characters of one of its cells. */
export const CONTACT_CSV_CELL_MAX_CHARACTERS = 20_000;
