// What bounds the index, so that hostile mail costs linear time and little room. limits.test.ts freezes the format's part.

/** Characters of a word that are kept; longer words are cut, in mail and in queries alike. */
export const WORD_MAX_CHARACTERS = 40;
/** Parts of a joined word (an address, a host) up to which it is also kept whole. */
export const JOINED_MAX_PARTS = 8;
/** Characters of a joined word up to which it is also kept whole. */
export const JOINED_MAX_CHARACTERS = 100;
/** Terms of one field of one mail; what follows is not found. */
export const FIELD_MAX_TERMS = 30_000;
/** Characters of one field of one mail that are read. */
export const FIELD_MAX_CHARACTERS = 400_000;
/** Mails of one segment above which it takes part in no further merge. */
export const SEGMENT_MAX_DOCS = 16_384;
/** Segments of about one size that are merged into one. */
export const MERGE_FACTOR = 8;
/** Mails below which all segments count as one size. */
export const SMALL_SEGMENT_DOCS = 256;
/** Terms of the dictionary that share one entry of its index. */
export const BLOCK_TERMS = 16;
/** Characters of a query that are read. */
export const QUERY_MAX_CHARACTERS = 1_000;
/** Conditions of a query that are read: their results travel as bits of one number. */
export const QUERY_MAX_CONDITIONS = 24;
/** How deep parentheses may nest. */
export const QUERY_MAX_DEPTH = 8;
