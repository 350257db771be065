/**
 * Applies the rules of rate-limits.ts. Counts stand in PostgreSQL, so that all nodes share them; while it cannot be
 * reached each node counts for itself. Keys are keyed hashes: the table names nobody.
 */
import { BlockList, isIPv6 } from 'node:net';
import { AppError } from '@keyfold/contract/errors';
import type { Plan } from '@keyfold/contract/limits';
import { normaliseAddress } from '@keyfold/mail/address-form';
import { CompiledQuery } from 'kysely';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../adapters/network.ts';
import type { Deps } from '../deps.ts';
import { RATE_RULES, type RateRule } from './rate-limits.ts';

const TABLE = 'rate_limits';

/** Whom a request is counted for. */
export type Counted = {
  readonly ip: string;
  readonly userId: string | null;
  readonly plan: Plan;
  /** The account that the request names. */
  readonly account: string | undefined;
};

export type RateLimiter = {
  /** Counts a call. Throws rate_limited with the seconds to wait. */
  readonly consume: (callName: string, counted: Counted) => Promise<void>;
  /** Clears what a success clears. */
  readonly succeed: (callName: string, counted: Counted) => Promise<void>;
};

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const isLoopback = (ip: string): boolean =>
  LOOPBACK.check(ip.replace(/^::ffff:/, ''), isIPv6(ip) && !ip.startsWith('::ffff:') ? 'ipv6' : 'ipv4');

/** What a rule counts a request under; null when it does not count this one. */
const keyOf = (rule: RateRule, counted: Counted): readonly string[] | null => {
  const account = counted.account === undefined ? null : normaliseAddress(counted.account);
  switch (rule.by) {
    case 'ip':
      return isLoopback(counted.ip) ? null : [networkOf(counted.ip)];
    case 'user':
      return counted.userId === null ? null : [counted.userId];
    case 'account':
      return account === null ? null : [account];
    case 'visitor':
      return account === null ? null : [account, networkOf(counted.ip)];
  }
};

export const createRateLimiter = (deps: Pick<Deps, 'db' | 'masterKey'>): RateLimiter => {
  // The library wants a client with `query`; ours is the one pool that everything shares.
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
  const rulesFor = (callName: string, counted: Counted) =>
    ((RATE_RULES as Readonly<Record<string, readonly RateRule[]>>)[callName] ?? []).flatMap(rule => {
      const parts = keyOf(rule, counted);
      if (parts === null) return [];
      const key = deps.masterKey.digest('rate limit', parts.join(' ')).toString('base64url');
      const points = typeof rule.points === 'number' ? rule.points : rule.points(counted.plan);
      return [{ rule, key, limiter: limiterOf(rule, points) }];
    });
  return {
    consume: async (callName, counted) => {
      for (const { limiter, key } of rulesFor(callName, counted)) {
        try {
          await limiter.consume(key);
        } catch (refusal) {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(refusal.msBeforeNext / 1000) });
        }
      }
    },
    succeed: async (callName, counted) => {
      for (const { rule, limiter, key } of rulesFor(callName, counted)) {
        if (rule.clearedBySuccess) await limiter.delete(key);
      }
    },
  };
};
