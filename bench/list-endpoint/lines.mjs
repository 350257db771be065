/** Computes the lines of list-endpoint from the medians of its rounds. */
import { atLeast, atMost } from '../shared/goals.mjs';

/**
 * Number of messages that the goal names, queried by that many clients at once; with fewer the
 * result is open.
 */
const GOAL_MAILS = 1_000_000;
const SEEN_MAX_BYTES = 900;
const PLAIN_RATE = 1700;
const SELECT = 'a bare select of the same rows';
const SMALL = 'a mailbox of 1,000 messages';

/**
 * `measured` has the p50 and p99 of each series in milliseconds, `bytesEach` the size of a row of
 * an opened message.
 */
export function linesOf({ measured, bytesEach, size, clients }) {
  const shortOf = size < GOAL_MAILS ? [`a mailbox of ${size} instead of ${GOAL_MAILS} messages`] : [];
  const of = (name, share) => Number(measured[name][share].toFixed(2));
  const line = (bench, [ours, peer], share, peer_is, limit) =>
    atMost(
      limit,
      {
        bench: `list-endpoint ${bench}`,
        ours: of(ours, share),
        peer: of(peer, share),
        unit: `ms, ${share}, ${clients} clients`,
        peer_is,
        goal: `at most ${limit}`,
      },
      shortOf,
    );
  const ofBytes = {
    bench: 'list-endpoint bytes',
    ours: Number.isFinite(bytesEach) ? Math.round(bytesEach) : null,
    peer: SEEN_MAX_BYTES,
    unit: 'bytes per row that was already fetched',
    peer_is: 'the goal',
    goal: 'at most 1',
  };
  const ofRate = {
    bench: 'list-endpoint rate',
    ours: Math.round(clients / (of('inbox', 'p50') / 1000)),
    peer: PLAIN_RATE,
    unit: 'requests/s',
    peer_is: 'the plain design, measured earlier',
    goal: 'at least 1',
  };
  return [
    line('p50', ['folders', 'select'], 'p50', SELECT, 2),
    line('p99', ['folders', 'select'], 'p99', SELECT, 4),
    line('page 10,000 by cursor', ['cursor', 'first'], 'p50', 'page 1', 1.5),
    line('page 10,000 by skip', ['skip', 'first'], 'p50', 'page 1', 1.5),
    line('size', ['inbox', 'smallInbox'], 'p50', SMALL, 1.3),
    line('size, conversations', ['threads', 'smallThreads'], 'p50', SMALL, 1.3),
    atMost(1, ofBytes),
    atLeast(1, ofRate, shortOf),
  ];
}
