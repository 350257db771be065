// How much the readers of mail files take into memory, and how far they follow what packs itself small. Numbers of our own:
// the specification has none.

const MIB = 1024 * 1024;

/** Bytes that are asked of a file at a time. */
export const SLICE_BYTES = 4 * MIB;
/** Most bytes of one message; a larger one is named as too large. */
export const MESSAGE_MAX_BYTES = 128 * MIB;
/** Longest line that is looked at as one; what follows belongs to it and begins nothing. */
export const LINE_MAX_BYTES = 64 * 1024;
/** Most files of one archive. */
export const ARCHIVE_FILES_MAX = 2_000_000;
/** Unpacked bytes of one file that need no reason, and how many times its packed ones it may have beyond. */
export const UNPACKED_FREE_BYTES = 16 * MIB;
export const UNPACKED_RATIO_MAX = 200;
/** The same for all files of an archive together, beside so many times its own bytes. */
export const UNPACKED_TOTAL_FREE_BYTES = 128 * MIB;
/** Most bytes of an archive's list of files, which is in memory as a whole; deepest folder in it. */
export const ARCHIVE_LIST_MAX_BYTES = 512 * MIB;
export const ARCHIVE_DEPTH_MAX = 64;
