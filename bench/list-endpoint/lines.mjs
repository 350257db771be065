/** The lines of list-endpoint from the medians of its rounds. */
import { atLeast, atMost } from '../shared/goals.mjs';

/** The goal is a box of so many mails, asked by so many at once; with fewer it is open. */
const GOAL_MAILS = 1_000_000;
const SEEN_MAX_BYTES = 900;
const PLAIN_RATE = 1700;
const SELECT = 'a bare select of the same rows';
const SMALL = 'a box of 1,000 mails';

/** `measured` has p50 and p99 of each series in milliseconds, `bytesEach` what a row weighs that was seen before. */
export function linesOf({ measured, bytesEach, size, clients }) {
  const shortOf = size < GOAL_MAILS ? [`a box of ${size} in place of ${GOAL_MAILS} mails`] : [];
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
    unit: 'bytes a row that was seen before',
    peer_is: 'the goal itself',
    goal: 'at most 1',
  };
  const ofRate = {
    bench: 'list-endpoint rate',
    ours: Math.round(clients / (of('inbox', 'p50') / 1000)),
    peer: PLAIN_RATE,
    unit: 'requests/s',
    peer_is: 'the plain design, as measured before',
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
