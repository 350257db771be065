/**
 * Lets a user have few large pages made at once: each holds up to 16 MiB of bodies while it is made, and once more as
 * text. Further ones wait their turn; nobody is refused here.
 */
import pLimit, { type LimitFunction } from 'p-limit';

/** Pages of one user that are made at the same time. */
const PAGES_MAX = 2;

export type PageLimiter = {
  /** Does the work when it is the user's turn. */
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
