/**
 * Leaves a destination alone for a while when none of its servers opens a session, several times in a row: what else waits
 * for it is put off for the same reason, each mail by its own waits, and no connection is spent on it. Then a few are tried
 * again. Kept in memory: another process finds out for itself.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../adapters/clock.ts';
import type { Outcome, Transport } from '../../features/outbound/delivery/index.ts';

/** Attempts in a row that end without a session before a destination rests. */
const FAILURES_MIN = 3;
const FIRST_REST_MS = 30_000;
/** Shorter than the waits of a mail that has failed some times, so that the next attempt is a real one. */
const LONGEST_REST_MS = 240_000;
/** Destinations that are remembered. */
const DOMAINS_MAX = 10_000;

type Trouble = {
  readonly failures: number;
  /** When the rest begins and ends, milliseconds. */
  readonly since: number;
  readonly until: number;
  readonly reason: Outcome;
};

/** Whether an attempt never came as far as a session: all have one outcome, and no recipient had a part in it. */
function reasonOf(outcomes: readonly Outcome[]): Outcome | null {
  const [first] = outcomes;
  return first?.kind === 'deferred' && first.isUnmet === true ? first : null;
}

/** The same transport, with rests. */
export function withCircuitBreaker(transport: Transport, clock: Clock): Transport {
  const troubles = new LRUCache<string, Trouble>({ max: DOMAINS_MAX });
  const note = (domain: string, reason: Outcome | null): void => {
    const failures = (troubles.get(domain)?.failures ?? 0) + 1;
    if (reason === null) {
      troubles.delete(domain);
      return;
    }
    const restMs =
      failures < FAILURES_MIN ? 0 : Math.min(FIRST_REST_MS * 2 ** (failures - FAILURES_MIN), LONGEST_REST_MS);
    const since = clock.now().getTime();
    troubles.set(domain, { failures, since, until: since + restMs, reason });
  };
  return {
    transmit: async (job, signal) => {
      const trouble = troubles.get(job.domain);
      const now = clock.now().getTime();
      // A clock that was set back since must not make a rest of minutes one of hours.
      if (trouble !== undefined && trouble.since <= now && now < trouble.until)
        return job.recipients.map(() => trouble.reason);
      const outcomes = await transport.transmit(job, signal);
      note(job.domain, reasonOf(outcomes));
      return outcomes;
    },
  };
}
