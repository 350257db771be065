/**
 * Memory allocator settings for a node's C library, as deploy/ sets them; docs/operations.md,
 * Memory, explains why. By default each thread has its own arena, and freed blocks below 32 MB stay
 * in it: the memory that sign-ins hash with, on four threads, as well as files and keys. C
 * libraries other than glibc ignore these settings.
 */
export const ALLOCATOR: Readonly<Record<string, string>> = {
  /** Total arenas for all threads. */
  MALLOC_ARENA_MAX: '2',
  /**
   * Blocks of at least this size, in bytes, are returned to the system when freed. Setting the
   * threshold disables its automatic growth.
   */
  MALLOC_MMAP_THRESHOLD_: '131072',
};
