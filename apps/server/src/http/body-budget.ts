/**
 * Limits how many bytes of request bodies and of pages are in memory at once, per user and in
 * total. Each is held whole, bodies until they are answered and pages until they are read, so a few
 * users with many requests, or many connections that stall in the middle of a body, could otherwise
 * exhaust memory. Large and small ones are counted separately: ordinary messages and drafts proceed
 * while large ones wait. Files are streams and are not counted.
 *
 * Limits apply per user and not per network: an office, a school or a mobile carrier has all its
 * people behind few addresses, who may be all the users of a service, and a user who takes too much
 * can be identified.
 *
 * [Note: Bodies of strangers] Requests without a session share a small separate pool. It counts
 * only bytes that have arrived, not the announced length of a body. Any number of strangers
 * therefore cannot block a user. Each network has a share of the pool, and a site, which may have
 * hundreds of networks, a larger one: an attacker with one site leaves capacity for sign-ins from
 * others.
 */
import { AppError } from '@keyfold/contract/errors';
import { networkOf, siteOf } from '../adapters/network.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Size up to which nothing is counted, in bytes: connections have their own limit, and each costs
 * this much anyway.
 */
const FREE_MAX_BYTES = 4 * KIB;
/** Maximum size of a small body, in bytes. */
const SMALL_MAX_BYTES = MIB;
/** Limits for small bodies: per user, and in total. */
const SMALL = { ownerMaxBytes: 32 * MIB, totalMaxBytes: 256 * MIB } as const;
/**
 * Limits for large bodies. Allows two of the largest messages: one being sent and another draft
 * being saved.
 */
const LARGE = { ownerMaxBytes: 104 * MIB, totalMaxBytes: 320 * MIB } as const;
/**
 * Limits for bodies of public calls: per network, per site, and in total. Bodies of services that
 * sign their calls are fewer and larger, and come from adjacent addresses.
 */
const STRANGE = { ownerMaxBytes: 2 * MIB, groupMaxBytes: 8 * MIB, totalMaxBytes: 32 * MIB } as const;
const STRANGE_SIGNED = { ownerMaxBytes: 2 * MIB, groupMaxBytes: 4 * MIB, totalMaxBytes: 8 * MIB } as const;
/**
 * Bytes of all bodies that a process holds when every pool is full; for the memory this requires,
 * see docs/operations.md, Memory.
 */
export const BODIES_MAX_BYTES = [SMALL, LARGE, STRANGE, STRANGE_SIGNED].reduce(
  (sum, { totalMaxBytes }) => sum + totalMaxBytes,
  0,
);
const RETRY_AFTER_SECONDS = 5;

/** A body of a request without a session, from its arrival until it is answered. */
export type Receipt = {
  /**
   * Counts received bytes. Throws rate_limited when the network or site exceeds its share,
   * unavailable when the pool is full.
   */
  readonly add: (sizeBytes: number) => void;
  /** Releases the bytes; later bytes are not counted. */
  readonly close: () => void;
};

export type BodyBudget = {
  /**
   * Reserves bytes for a user; the returned function releases them and may be called repeatedly.
   * Throws rate_limited when the user exceeds their share, unavailable when the pool is full.
   */
  readonly take: (userId: string, sizeBytes: number) => () => void;
  /**
   * Counts a body from an address without a session as it arrives; `isSigned` is true for a service
   * that signs its calls.
   */
  readonly receive: (ip: string, isSigned: boolean) => Receipt;
};

type Limits = {
  readonly ownerMaxBytes: number;
  /** Limit for all owners of one group, where groups exist. */
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
