// How much of a PST is followed. A file is hostile until it has been read: each number bounds memory or time.

/** Pages of the source that are kept in memory, and bytes of one: 16 MB at most. */
export const PAGE_BYTES = 262_144;
export const PAGES_KEPT = 64;

/** Folders and messages of one file; their places in the file take 24 bytes of memory each. */
export const NODES_MAX = 8_000_000;

/** Levels of the two trees of a file; the widest real ones have four. */
export const TREE_LEVELS_MAX = 12;

/** Bytes of one item that are taken into memory, attachments and what is inside of them included. */
export const ITEM_MAX_BYTES = 41_943_040;

/** Subnodes of one item: its attachments, tables and long values. */
export const SUBNODES_MAX = 20_000;

/** Bytes that may be unpacked of a file altogether: this many for each of its bytes, and these in any case. */
export const UNPACKED_PER_BYTE = 50;
export const UNPACKED_ANYWAY_BYTES = 67_108_864;

/** Rows of one table, and levels of the tree that lists them or the properties of an object. */
export const ROWS_MAX = 5_000;
export const HEAP_LEVELS_MAX = 8;

/** Folders inside folders. */
export const FOLDER_DEPTH_MAX = 64;

/** Characters of one folder's name that are kept. */
export const FOLDER_NAME_MAX_CHARACTERS = 200;
