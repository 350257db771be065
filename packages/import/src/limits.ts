// Limits on how much the readers of mail files load into memory and how far they follow compressed
// data. Keyfold chooses these numbers; the specification has none.

const MIB = 1024 * 1024;

/** Bytes read from a file at a time. */
export const SLICE_BYTES = 4 * MIB;
/** Maximum size of one message, in bytes; a larger one is reported as too large. */
export const MESSAGE_MAX_BYTES = 128 * MIB;
/** Longest line examined as one; the rest belongs to the same line and cannot start a message. */
export const LINE_MAX_BYTES = 64 * 1024;
/** Maximum number of files in one archive. */
export const ARCHIVE_FILES_MAX = 2_000_000;
/**
 * Uncompressed bytes that one file may always have, and the maximum compression ratio beyond them.
 */
export const UNPACKED_FREE_BYTES = 16 * MIB;
export const UNPACKED_RATIO_MAX = 200;
/** The same for all files of an archive together, relative to the size of the archive. */
export const UNPACKED_TOTAL_FREE_BYTES = 128 * MIB;
/**
 * Maximum size of an archive's directory, in bytes (it is held in memory as a whole), and the
 * maximum folder depth in it.
 */
export const ARCHIVE_LIST_MAX_BYTES = 512 * MIB;
export const ARCHIVE_DEPTH_MAX = 64;
