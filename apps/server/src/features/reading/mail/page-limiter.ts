/**
 * Lets a user have few large pages made at once: each holds up to 16 MiB of bodies while it is made, and once more as
 * text. Further ones wait their turn; nobody is refused here.
 */

/** Pages of one user that are made at the same time. */
const PAGES_MAX = 2;

export type PageLimiter = {
  /** Does the work when it is the user's turn. */
  readonly run: <T>(userId: string, work: () => Promise<T>) => Promise<T>;
};

export function createPageLimiter(): PageLimiter {
  const byUser = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return {
    run: async (userId, work) => {
      const turn = byUser.get(userId) ?? { running: 0, waiting: [] };
      byUser.set(userId, turn);
      if (turn.running >= PAGES_MAX) await new Promise<void>(resolve => turn.waiting.push(resolve));
      else turn.running += 1;
      try {
        return await work();
      } finally {
        // A turn goes straight to the next in line, so that nobody slips in between.
        const next = turn.waiting.shift();
        if (next !== undefined) next();
        else turn.running -= 1;
        if (turn.running === 0) byUser.delete(userId);
      }
    },
  };
}
