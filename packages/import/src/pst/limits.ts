// Limits on how much of a PST is followed. A file counts as hostile until it has been read: each
// number bounds memory or time.

/** Maximum number of source pages kept in memory, and bytes of one: 16 MB at most. */
export const PAGE_BYTES = 262_144;
export const PAGES_KEPT = 64;

/**
 * Maximum number of folders and messages in one file; the location of each takes 24 bytes of
 * memory.
 */
export const NODES_MAX = 8_000_000;

/** Maximum depth of the two trees of a file; the largest real ones have four levels. */
export const TREE_LEVELS_MAX = 12;

/**
 * Maximum bytes of one item that are loaded into memory, including attachments and nested messages.
 */
export const ITEM_MAX_BYTES = 41_943_040;

/** Maximum number of subnodes of one item: its attachments, tables and long values. */
export const SUBNODES_MAX = 20_000;

/**
 * Total bytes that a file may decompress to: this many per byte of the file, plus a fixed
 * allowance.
 */
export const UNPACKED_PER_BYTE = 50;
export const UNPACKED_ANYWAY_BYTES = 67_108_864;

/**
 * Maximum number of rows in one table, and depth of the tree that lists them or the properties of
 * an object.
 */
export const ROWS_MAX = 5_000;
export const HEAP_LEVELS_MAX = 8;

/** Maximum nesting depth of folders. */
export const FOLDER_DEPTH_MAX = 64;

/** Maximum characters of a folder name that are kept. */
export const FOLDER_NAME_MAX_CHARACTERS = 200;
