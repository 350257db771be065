// Limits of the index. They keep hostile messages to linear time and bounded memory. limits.test.ts
// pins the ones that are part of the format.

/**
 * Maximum characters of a word that are kept. Longer words are truncated, in messages and in
 * queries alike.
 */
export const WORD_MAX_CHARACTERS = 40;
/** Maximum parts of a joined word (an address, a host) that is also indexed whole. */
export const JOINED_MAX_PARTS = 8;
/** Maximum characters of a joined word that is also indexed whole. */
export const JOINED_MAX_CHARACTERS = 100;
/** Maximum terms per field of a message. Later terms are not searchable. */
export const FIELD_MAX_TERMS = 30_000;
/** Maximum characters indexed per field of a message. */
export const FIELD_MAX_CHARACTERS = 400_000;
/** Maximum messages in a segment that can still be merged. */
export const SEGMENT_MAX_DOCS = 16_384;
/** Number of segments of similar size that are merged into one. */
export const MERGE_FACTOR = 8;
/** Segments with fewer messages than this count as one size. */
export const SMALL_SEGMENT_DOCS = 256;
/** Dictionary terms per block, each block having one index entry. */
export const BLOCK_TERMS = 16;
/** Maximum characters of a query that are parsed. */
export const QUERY_MAX_CHARACTERS = 1_000;
/**
 * Maximum conditions of a query that are parsed: their results are passed as bits of one number.
 */
export const QUERY_MAX_CONDITIONS = 24;
/** Maximum nesting depth of parentheses. */
export const QUERY_MAX_DEPTH = 8;
