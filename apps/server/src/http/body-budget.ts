/**
 * How many bytes of request bodies and of pages may be in memory at once, for one user and in all: each is held whole,
 * bodies until they are answered and pages until they are read, so that a few users with many requests, or many connections
 * that stop in the middle of a body, could otherwise fill the machine. Large ones and small ones are counted apart: ordinary
 * letters and drafts go on while large ones wait. Files are streams and have no part in this.
 *
 * [Note: Bodies of strangers] Whoever is not signed in has a small pool of their own, of which nothing is taken for a word about
 * how long a body will be: only for bytes that came. So strangers, however many, keep no user from anything.
 */
import { AppError } from '@keyfold/contract/errors';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Up to this nothing is counted: connections have a limit of their own, and this much each is what they cost anyway. */
const FREE_MAX_BYTES = 4 * KIB;
/** Bodies up to this are small. */
const SMALL_MAX_BYTES = MIB;
/** Small ones: of one user, and in all. */
const SMALL = { ownerMaxBytes: 32 * MIB, totalMaxBytes: 256 * MIB } as const;
/** Large ones. Two of the largest letters: the one that is sent and another draft that is saved. */
const LARGE = { ownerMaxBytes: 104 * MIB, totalMaxBytes: 320 * MIB } as const;
/** Bodies of public calls: of one network, and in all. Those of a service that signs what it says are few and larger. */
const STRANGE = { ownerMaxBytes: 2 * MIB, totalMaxBytes: 32 * MIB } as const;
const STRANGE_SIGNED = { ownerMaxBytes: 2 * MIB, totalMaxBytes: 8 * MIB } as const;
const RETRY_AFTER_SECONDS = 5;

/** A body of somebody who is not signed in, while it comes and until it is answered. */
export type Receipt = {
  /** Counts bytes that came. Throws rate_limited when the network has too many under way, unavailable when all together have. */
  readonly add: (sizeBytes: number) => void;
  /** Gives them back; what comes after that is not counted. */
  readonly close: () => void;
};

export type BodyBudget = {
  /**
   * Takes bytes for a user; the function it returns gives them back and may be called again. Throws rate_limited when the
   * user has too many under way, unavailable when all together have.
   */
  readonly take: (userId: string, sizeBytes: number) => () => void;
  /** Counts a body of a network where nobody is signed in, as it comes; `isSigned`: of a service that signs it. */
  readonly receive: (network: string, isSigned: boolean) => Receipt;
};

type Limits = { readonly ownerMaxBytes: number; readonly totalMaxBytes: number };
type Pool = Pick<BodyBudget, 'take'>;

const createPool = ({ ownerMaxBytes, totalMaxBytes }: Limits): Pool => {
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

const createReceipt = (pool: Pool, network: string): Receipt => {
  const returns: (() => void)[] = [];
  let [receivedBytes, takenBytes, isOpen] = [0, 0, true];
  return {
    add: sizeBytes => {
      receivedBytes += sizeBytes;
      if (!isOpen || receivedBytes <= FREE_MAX_BYTES) return;
      returns.push(pool.take(network, receivedBytes - takenBytes));
      takenBytes = receivedBytes;
    },
    close: () => {
      isOpen = false;
      for (const giveBack of returns.splice(0)) giveBack();
    },
  };
};

export const createBodyBudget = (): BodyBudget => {
  const [small, large] = [createPool(SMALL), createPool(LARGE)];
  const [strange, strangeSigned] = [createPool(STRANGE), createPool(STRANGE_SIGNED)];
  return {
    take: (owner, sizeBytes) => {
      if (sizeBytes <= FREE_MAX_BYTES) return () => undefined;
      return (sizeBytes <= SMALL_MAX_BYTES ? small : large).take(owner, sizeBytes);
    },
    receive: (network, isSigned) => createReceipt(isSigned ? strangeSigned : strange, network),
  };
};
