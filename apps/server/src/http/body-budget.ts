/**
 * How many bytes of request bodies and of pages may be in memory at once, for one user and in all: each is held whole,
 * bodies until they are answered and pages until they are read, so that a few users with many requests, or many connections
 * that stop in the middle of a body, could otherwise fill the machine. Large ones and small ones are counted apart: ordinary
 * letters and drafts go on while large ones wait. Files are streams and have no part in this.
 *
 * Users have a share each, and no share of the place where they are: an office, a school or a mobile carrier has all its people
 * behind few addresses, who may be all the users of a service, and one of them who takes too much is known by name.
 *
 * [Note: Bodies of strangers] Whoever is not signed in has a small pool of their own, of which nothing is taken for a word about
 * how long a body will be: only for bytes that came. So strangers, however many, keep no user from anything. A network has a share
 * of it, and a site, which may have hundreds of networks, a larger one: whoever has one site leaves room to sign in from the others.
 */
import { AppError } from '@keyfold/contract/errors';
import { networkOf, siteOf } from '../adapters/network.ts';

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
/**
 * Bodies of public calls: of one network, of one site, and in all. Those of a service that signs what it says are few and larger,
 * and come from addresses side by side.
 */
const STRANGE = { ownerMaxBytes: 2 * MIB, groupMaxBytes: 8 * MIB, totalMaxBytes: 32 * MIB } as const;
const STRANGE_SIGNED = { ownerMaxBytes: 2 * MIB, groupMaxBytes: 4 * MIB, totalMaxBytes: 8 * MIB } as const;
/** Bytes of all bodies that a process has under way when every pool is full; what it needs for them stands in docs/operations.md, Memory. */
export const BODIES_MAX_BYTES = [SMALL, LARGE, STRANGE, STRANGE_SIGNED].reduce(
  (sum, { totalMaxBytes }) => sum + totalMaxBytes,
  0,
);
const RETRY_AFTER_SECONDS = 5;

/** A body of somebody who is not signed in, while it comes and until it is answered. */
export type Receipt = {
  /** Counts bytes that came. Throws rate_limited when network or site have too many under way, unavailable when all have. */
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
  /** Counts a body from an address where nobody is signed in, as it comes; `isSigned`: of a service that signs it. */
  readonly receive: (ip: string, isSigned: boolean) => Receipt;
};

type Limits = {
  readonly ownerMaxBytes: number;
  /** Of all owners of one group, where there are groups. */
  readonly groupMaxBytes?: number;
  readonly totalMaxBytes: number;
};
type Pool = { readonly take: (owner: string, sizeBytes: number, group?: string) => () => void };

function createPool(limits: Limits): Pool {
  const { ownerMaxBytes, groupMaxBytes = limits.totalMaxBytes, totalMaxBytes } = limits;
  const [byOwner, byGroup] = [new Map<string, number>(), new Map<string, number>()];
  let total = 0;
  const change = (counts: Map<string, number>, key: string, by: number): void => {
    const now = (counts.get(key) ?? 0) + by;
    if (now > 0) counts.set(key, now);
    else counts.delete(key);
  };
  const move = (owner: string, group: string | undefined, by: number): void => {
    total += by;
    change(byOwner, owner, by);
    if (group !== undefined) change(byGroup, group, by);
  };
  return {
    take: (owner, sizeBytes, group) => {
      const own = (byOwner.get(owner) ?? 0) + sizeBytes;
      const shared = group === undefined ? 0 : (byGroup.get(group) ?? 0) + sizeBytes;
      if (own > ownerMaxBytes || shared > groupMaxBytes)
        throw new AppError('rate_limited', { retryAfterSeconds: RETRY_AFTER_SECONDS });
      if (total + sizeBytes > totalMaxBytes) throw new AppError('unavailable');
      move(owner, group, sizeBytes);
      let isTaken = true;
      return () => {
        if (isTaken) move(owner, group, -sizeBytes);
        isTaken = false;
      };
    },
  };
}

function createReceipt(pool: Pool, ip: string): Receipt {
  const [network, site] = [networkOf(ip), siteOf(ip)];
  const returns: (() => void)[] = [];
  let [receivedBytes, takenBytes, isOpen] = [0, 0, true];
  return {
    add: sizeBytes => {
      receivedBytes += sizeBytes;
      if (!isOpen || receivedBytes <= FREE_MAX_BYTES) return;
      returns.push(pool.take(network, receivedBytes - takenBytes, site));
      takenBytes = receivedBytes;
    },
    close: () => {
      isOpen = false;
      for (const giveBack of returns.splice(0)) giveBack();
    },
  };
}

export function createBodyBudget(): BodyBudget {
  const [small, large] = [createPool(SMALL), createPool(LARGE)];
  const [strange, strangeSigned] = [createPool(STRANGE), createPool(STRANGE_SIGNED)];
  return {
    take: (owner, sizeBytes) => {
      if (sizeBytes <= FREE_MAX_BYTES) return () => undefined;
      return (sizeBytes <= SMALL_MAX_BYTES ? small : large).take(owner, sizeBytes);
    },
    receive: (ip, isSigned) => createReceipt(isSigned ? strangeSigned : strange, ip),
  };
}
