// Limits for reading and writing mail (docs/spec-map.md 9.21, 9.22; docs/interpretations.md#27,
// #79). Numbers only. Limits that both ends of a call must agree on are in contract/limits.

/**
 * Recovery rejects a raw message longer than this, in characters of the raw string.
 * docs/spec-map.md 9.21, 9.22.
 */
export const RECOVERY_MAX_RAW_CHARACTERS = 26_214_400;

/**
 * Recovery skips a part longer than this, in characters of the raw string. docs/spec-map.md 9.21,
 * 9.22.
 */
export const RECOVERY_MAX_PART_CHARACTERS = 5_242_880;

/**
 * A calendar description is shown only if it is shorter than this, in characters. docs/spec-map.md
 * 9.21, 9.22.
 */
export const INVITE_DESCRIPTION_MAX_CHARACTERS = 500;

/**
 * The same limit for the summary form of an invitation, in characters. docs/spec-map.md 9.21, 9.22.
 */
export const INVITE_SUMMARY_DESCRIPTION_MAX_CHARACTERS = 300;

/**
 * Attachments larger than this, in bytes, move from the message to their own container.
 * docs/wire-format.md#attachments.
 */
export const DETACH_MIN_BYTES = 32_768;

/**
 * Maximum length of a snippet in a sealed summary, in UTF-16 units. docs/wire-format.md#summaries.
 */
export const SNIPPET_MAX_CHARACTERS = 200;

/** Maximum length of an email address, in characters. docs/spec-map.md 9.21, 9.22. */
export const ADDRESS_MAX_CHARACTERS = 254;

/** Maximum length of the local part of an address, in characters. RFC 5321 §4.5.3.1.1. */
export const LOCAL_PART_MAX_CHARACTERS = 64;

/**
 * Maximum number of addresses read from one header; the rest is ignored, as a defense against lists
 * made to exhaust memory.
 */
export const ADDRESS_LIST_MAX_ENTRIES = 5_000;

/** Maximum nesting depth of parts; deeper multiparts are read as one opaque part. */
export const MIME_MAX_DEPTH = 256;

/** Maximum nesting depth parsed inside one message; recovery handles the rest. */
export const PARSE_MAX_DEPTH = 28;

/**
 * Maximum number of nested messages parsed as text of the outer one; together with the limit above,
 * this stays below MIME_MAX_DEPTH.
 */
export const PARSE_MAX_MESSAGES = 8;

/**
 * Maximum number of parts distinguished in one message; a message with more is kept whole and not
 * parsed.
 */
export const MIME_MAX_PARTS = 10_000;

/**
 * A part with more lines than this is passed to the parser in another form, because the parser
 * keeps an object for each line.
 */
export const PART_MAX_LINES = 2_000;

/**
 * Maximum number of lines in a whole message, counted once per enclosing message; beyond it the
 * message is not parsed but recovered.
 */
export const PARSE_MAX_LINES = 100_000;

/** Maximum size of a calendar file, in bytes; larger files are rejected unread. */
export const ICS_MAX_BYTES = 2 * 1024 * 1024;

/**
 * Maximum number of content lines in a calendar file, and of characters in one line; the excess is
 * ignored.
 */
export const ICS_MAX_LINES = 50_000;
export const ICS_MAX_LINE_CHARACTERS = 100_000;

/**
 * Maximum number of events kept per file, guests per event, and dates added to or removed from a
 * recurrence.
 */
export const ICS_MAX_EVENTS = 500;
export const ICS_MAX_ATTENDEES = 500;
export const ICS_MAX_DATES = 1_000;

/** Maximum number of characters kept from a text field of an event. */
export const ICS_MAX_TEXT_CHARACTERS = 20_000;

/**
 * Maximum number of periods (years, months, weeks or days) searched for the next date of a
 * recurrence, so that every rule terminates.
 */
export const ICS_MAX_PERIODS = 20_000;

/** Maximum number of characters in a vCard file, and of cards read from it. */
export const VCARD_FILE_MAX_CHARACTERS = 64 * 1024 * 1024;
export const VCARD_CARDS_MAX = 25_000;
/**
 * Limits for what is kept of one card: characters of its name and note, and number of addresses.
 */
export const VCARD_TEXT_MAX_CHARACTERS = { name: 100, note: 10_000, emails: 50 } as const;
/**
 * Maximum number of lines read from one card, and of characters in a line and in a picture; the
 * rest is ignored.
 */
export const VCARD_CARD_MAX_LINES = 300;
export const VCARD_LINE_MAX_CHARACTERS = 20_000;
export const VCARD_PICTURE_MAX_CHARACTERS = 120_000;
/** Characters of groups after which a written card starts another line of them. */
export const VCARD_GROUPS_LINE_CHARACTERS = 10_000;
/** Maximum number of pieces of an address text that are examined for the few that are kept. */
export const CONTACT_LIST_MAX_PIECES = 200;
/**
 * Maximum number of group memberships examined in one contacts file, counted once per person: five
 * for each of 20,000 people.
 */
export const CONTACT_FILE_GROUPS_MAX = 100_000;

/**
 * Maximum size of a contacts CSV file, in bytes, and maximum numbers of rows and columns read from
 * it.
 */
export const CONTACT_CSV_MAX_BYTES = 32 * 1024 * 1024;
export const CONTACT_CSV_MAX_ROWS = 25_000;
export const CONTACT_CSV_MAX_COLUMNS = 500;
/** Maximum number of characters in one CSV cell. */
export const CONTACT_CSV_CELL_MAX_CHARACTERS = 20_000;
