/**
 * Limits how many large pages are built concurrently for one user: each holds up to 16 MiB of
 * bodies while it is built, and the same again as text. Further pages queue; none is rejected here.
 */
import pLimit, { type LimitFunction } from 'p-limit';

/** Maximum number of pages built concurrently for one user. */
const PAGES_MAX = 2;

export type PageLimiter = {
  /** Runs the work once the user has a free slot. */
  readonly run: <T>(userId: string, work: () => Promise<T>) => Promise<T>;
};

export function createPageLimiter(): PageLimiter {
  const byUser = new Map<string, LimitFunction>();
  return {
    run: async (userId, work) => {
      const limit = byUser.get(userId) ?? pLimit(PAGES_MAX);
      byUser.set(userId, limit);
      try {
        return await limit(work);
      } finally {
        if (limit.activeCount === 0) byUser.delete(userId);
      }
    },
  };
}
