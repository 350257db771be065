/**
 * How the C library of a node keeps memory, as deploy/ sets it; docs/operations.md, Memory, says why. Each thread has an arena of its own
 * otherwise, and whatever is freed in one below 32 MB stays there: what sign-ins hash with, by four threads, and files and keys.
 * Other C libraries than glibc do not read it.
 */
export const ALLOCATOR: Readonly<Record<string, string>> = {
  /** Arenas for all threads together. */
  MALLOC_ARENA_MAX: '2',
  /** What is this large or larger, bytes, goes back to the system when it is freed. Set, it does not grow by itself. */
  MALLOC_MMAP_THRESHOLD_: '131072',
};
