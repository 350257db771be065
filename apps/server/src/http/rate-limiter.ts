/**
 * Applies the rules of rate-limits.ts. PostgreSQL stores the counts, so that all nodes share them;
 * while it is unreachable, each node counts alone. Keys are keyed hashes, so the table identifies
 * no user.
 */
import { BlockList, isIPv6 } from 'node:net';
import { AppError } from '@keyfold/contract/errors';
import type { Plan } from '@keyfold/contract/plans';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { CompiledQuery } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf, plainAddress, siteOf } from '../adapters/network.ts';
import type { Deps } from '../context/deps.ts';
import { isKnownBrowser } from '../features/accounts/auth/index.ts';
import { RATE_RULES, type RateRule } from './rate-limits.ts';

const TABLE = 'rate_limits';

/** The parties that a request counts against. */
export type Counted = {
  readonly ip: string;
  readonly userId: string | null;
  readonly plan: Plan;
  /** The account that the request names. */
  readonly account: string | undefined;
  /** The cookie that identifies a known browser. */
  readonly browserToken?: string | undefined;
};

export type RateLimiter = {
  /** Counts a call. Throws rate_limited with the seconds to wait. */
  readonly consume: (callName: string, counted: Counted) => Promise<void>;
  /** Clears the counts that a success clears. */
  readonly succeed: (callName: string, counted: Counted) => Promise<void>;
};

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const isLoopback = (ip: string): boolean =>
  LOOPBACK.check(plainAddress(ip), isIPv6(plainAddress(ip)) ? 'ipv6' : 'ipv4');

const accountOf = ({ account }: Counted): string | null =>
  account === undefined ? null : normalizeAddress(account);

/**
 * Returns the key under which a rule counts a request; null when the rule does not count it.
 * `isKnown`: [Note: Known browsers].
 */
function keyOf(rule: RateRule, counted: Counted, isKnown: boolean): readonly string[] | null {
  const account = accountOf(counted);
  switch (rule.by) {
    case 'ip':
      return isLoopback(counted.ip) ? null : [networkOf(counted.ip)];
    case 'site':
      return isLoopback(counted.ip) ? null : [siteOf(counted.ip)];
    case 'user':
      return counted.userId === null ? null : [counted.userId];
    case 'account':
      return account === null || isKnown ? null : [account];
    case 'visitor':
      return account === null || isKnown ? null : [account, networkOf(counted.ip)];
    case 'browser':
      return account === null || !isKnown ? null : [account, counted.browserToken ?? ''];
  }
}

export function createRateLimiter(deps: Pick<Deps, 'db' | 'masterKey'>): RateLimiter {
  // The library expects a client with `query`; ours is the one shared pool.
  const storeClient = {
    query: (query: { text: string; values?: unknown[] }) =>
      deps.db.executeQuery(CompiledQuery.raw(query.text, query.values ?? [])),
  };
  const limiters = new Map<string, RateLimiterPostgres>();
  const limiterOf = (rule: RateRule, points: number): RateLimiterPostgres => {
    const id = `${rule.name} ${points}`;
    const known = limiters.get(id);
    if (known !== undefined) return known;
    const options = { points, duration: rule.seconds, keyPrefix: rule.name };
    const limiter = new RateLimiterPostgres({
      ...options,
      storeClient,
      storeType: 'pool',
      tableName: TABLE,
      tableCreated: true,
      clearExpiredByTimeout: limiters.size === 0,
      insuranceLimiter: new RateLimiterMemory(options),
    });
    limiters.set(id, limiter);
    return limiter;
  };
  // Looked up once per request: a success makes its browser a known one.
  const known = new WeakMap<Counted, Promise<boolean>>();
  /**
   * Returns whether the request comes from a browser that signed in to the account before; looked
   * up only where it counts.
   */
  const findKnown = (rules: readonly RateRule[], counted: Counted): Promise<boolean> => {
    const account = accountOf(counted);
    const isAsked = rules.some(({ by }) => by === 'browser');
    if (account === null || counted.browserToken === undefined || !isAsked) return Promise.resolve(false);
    const found = known.get(counted) ?? isKnownBrowser(deps.db, account, counted.browserToken);
    known.set(counted, found);
    return found;
  };
  const rulesFor = async (callName: string, counted: Counted) => {
    const rules = (RATE_RULES as Readonly<Record<string, readonly RateRule[]>>)[callName] ?? [];
    const isKnown = await findKnown(rules, counted);
    return rules.flatMap(rule => {
      const parts = keyOf(rule, counted, isKnown);
      if (parts === null) return [];
      const key = deps.masterKey.digest('rate limit', parts.join(' ')).toString('base64url');
      const points = typeof rule.points === 'number' ? rule.points : rule.points(counted.plan);
      return [{ rule, key, limiter: limiterOf(rule, points) }];
    });
  };
  return {
    consume: async (callName, counted) => {
      for (const { limiter, key } of await rulesFor(callName, counted)) {
        try {
          await limiter.consume(key);
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) });
        }
      }
    },
    succeed: async (callName, counted) => {
      for (const { rule, limiter, key } of await rulesFor(callName, counted)) {
        if (rule.clearedBySuccess) await limiter.delete(key);
      }
    },
  };
}
