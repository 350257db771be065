/**
 * How many bytes of request bodies and of pages may be in memory at once, for one user and in all: each is held whole,
 * bodies until they are answered and pages until they are read, so that a few users with many requests, or many connections
 * that stop in the middle of a body, could otherwise fill the machine. Large ones and small ones are counted apart: ordinary
 * letters and drafts go on while large ones wait. Files are streams and have no part in this.
 */
import { AppError } from '@keyfold/contract/errors';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Up to this nothing is counted: connections have a limit of their own, and this much each is what they cost anyway. */
const FREE_MAX_BYTES = 4 * KIB;
/** Bodies up to this are small. */
const SMALL_MAX_BYTES = MIB;
/** Small ones: of one user, or of one network where nobody is signed in, and in all. */
const SMALL = { ownerMaxBytes: 32 * MIB, totalMaxBytes: 256 * MIB } as const;
/** Large ones. Two of the largest letters: the one that is sent and another draft that is saved. */
const LARGE = { ownerMaxBytes: 104 * MIB, totalMaxBytes: 320 * MIB } as const;
const RETRY_AFTER_SECONDS = 5;

export type BodyBudget = {
  /**
   * Takes bytes for a user, or for a network where nobody is signed in; the function it returns gives them back and may be
   * called again. Throws rate_limited when the owner has too many under way, unavailable when all together have.
   */
  readonly take: (owner: string, sizeBytes: number) => () => void;
};

type Pool = { readonly ownerMaxBytes: number; readonly totalMaxBytes: number };

const createPool = ({ ownerMaxBytes, totalMaxBytes }: Pool): BodyBudget => {
  const byOwner = new Map<string, number>();
  let total = 0;
  return {
    take: (owner, sizeBytes) => {
      const own = (byOwner.get(owner) ?? 0) + sizeBytes;
      if (own > ownerMaxBytes) throw new AppError('rate_limited', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      if (total + sizeBytes > totalMaxBytes) throw new AppError('unavailable');
      byOwner.set(owner, own);
      total += sizeBytes;
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        total -= sizeBytes;
        const left = (byOwner.get(owner) ?? 0) - sizeBytes;
        if (left > 0) byOwner.set(owner, left);
        else byOwner.delete(owner);
      };
    },
  };
};

export const createBodyBudget = (): BodyBudget => {
  const [small, large] = [createPool(SMALL), createPool(LARGE)];
  return {
    take: (owner, sizeBytes) => {
      if (sizeBytes <= FREE_MAX_BYTES) return () => undefined;
      return (sizeBytes <= SMALL_MAX_BYTES ? small : large).take(owner, sizeBytes);
    },
  };
};
