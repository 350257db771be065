/**
 * Stops contacting a destination for a while after several consecutive attempts in which none of
 * its servers opened a session. Other mail for it is deferred for the same reason without a
 * connection, each message by its own back-off. Afterwards a few messages are tried. The state is
 * kept in memory: every process learns it separately.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../adapters/clock.ts';
import type { Outcome, Transport } from '../../features/outbound/delivery/index.ts';

/** Consecutive attempts without a session after which the circuit of a destination opens. */
const FAILURES_MIN = 3;
const FIRST_REST_MS = 30_000;
/**
 * Shorter than the back-off of a message that has failed a few times, so that its next attempt is a
 * real one.
 */
const LONGEST_REST_MS = 240_000;
/** Maximum number of destinations remembered. */
const DOMAINS_MAX = 10_000;

type Trouble = {
  readonly failures: number;
  /** Start and end of the pause, in milliseconds. */
  readonly since: number;
  readonly until: number;
  readonly reason: Outcome;
};

/**
 * Returns the outcome of an attempt that never reached a session, or null: all recipients then have
 * the same outcome, and none of them caused it.
 */
function reasonOf(outcomes: readonly Outcome[]): Outcome | null {
  const [first] = outcomes;
  return first?.kind === 'deferred' && first.isUnmet === true ? first : null;
}

/** Wraps a transport with circuit breakers. */
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
      // If the clock was set back in the meantime, a pause of minutes must not become one of hours.
      if (trouble !== undefined && trouble.since <= now && now < trouble.until)
        return job.recipients.map(() => trouble.reason);
      const outcomes = await transport.transmit(job, signal);
      note(job.domain, reasonOf(outcomes));
      return outcomes;
    },
  };
}
