/**
 * How many bytes of large request bodies and large pages may be in memory at once, for one user and in all: each is held
 * whole, bodies until they are answered and pages until they are read, so that a few users with many requests could
 * otherwise fill the machine. Small ones are not counted. Files are streams and have no part in this.
 */
import { AppError } from '@keyfold/contract/errors';

const MIB = 1024 * 1024;

/** Bodies up to this are not counted: ordinary letters and drafts go on while large ones wait. */
const SMALL_MAX_BYTES = MIB;
/** Two of the largest letters: the one that is sent and another draft that is saved. */
const USER_MAX_BYTES = 104 * MIB;
const TOTAL_MAX_BYTES = 320 * MIB;
const RETRY_AFTER_SECONDS = 5;

export type BodyBudget = {
  /**
   * Takes a body's bytes; the function it returns gives them back and may be called again. Throws rate_limited when the
   * user has too many under way, unavailable when all users together have.
   */
  readonly take: (userId: string, sizeBytes: number) => () => void;
};

export const createBodyBudget = (): BodyBudget => {
  const byUser = new Map<string, number>();
  let total = 0;
  return {
    take: (userId, sizeBytes) => {
      if (sizeBytes <= SMALL_MAX_BYTES) return () => undefined;
      const own = (byUser.get(userId) ?? 0) + sizeBytes;
      if (own > USER_MAX_BYTES)
        throw new AppError('rate_limited', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      if (total + sizeBytes > TOTAL_MAX_BYTES) throw new AppError('unavailable');
      byUser.set(userId, own);
      total += sizeBytes;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        total -= sizeBytes;
        const left = (byUser.get(userId) ?? 0) - sizeBytes;
        if (left > 0) byUser.set(userId, left);
        else byUser.delete(userId);
      };
    },
  };
};
