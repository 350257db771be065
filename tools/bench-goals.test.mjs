// Checks that benchmark lines report their goals correctly: met, missed, or open when something
// could not be measured.
import { expect, it } from 'vitest';
import { linesOf as listLines } from '../bench/list-endpoint/lines.mjs';
import { linesOf as inboundLines } from '../bench/seal-inbound/lines.mjs';
import { atLeast, atMost, below, none, withoutPeer } from '../bench/shared/goals.mjs';
import { toLine } from './bench.mjs';

it('a goal is met at its limit, missed beyond it, and open without a peer or enough data', () => {
  const at = (ours, peer) => ({ ours, peer });
  expect([atMost(1.5, at(3, 2)).met, atMost(1.5, at(4, 2)).met]).toEqual([true, false]);
  expect([below(1, at(299, 300)).met, below(1, at(300, 300)).met]).toEqual([true, false]);
  expect([atLeast(2, at(4, 2)).met, atLeast(2, at(3, 2)).met]).toEqual([true, false]);
  expect(atMost(1, at(null, 2))).toMatchObject({ met: null, not_measured: ['not measured'] });
  expect(atMost(1, at(1, 2), ['half of it'])).toMatchObject({ met: null, not_measured: ['half of it'] });
  expect(atMost(1, at(3, 2), ['half of it'])).toMatchObject({ met: false, not_measured: ['half of it'] });
  expect([none({ ours: 0 }).met, none({ ours: 1 }).met, none({ ours: 0 }, ['some']).met]).toEqual([
    true,
    false,
    null,
  ]);
  expect(withoutPeer({ ours: 3 }, 'it is not here')).toEqual({
    ours: 3,
    peer: null,
    met: null,
    not_measured: ['it is not here'],
  });
});

it('inbound throughput is compared with each peer, and an unavailable peer is reported', () => {
  const ours = [100, 120, 110].map(rate => ({ perSecond: rate, perCpuSecond: 2 * rate, lost: 0 }));
  const peers = [
    { name: 'Postfix', least: 1.5, problem: null, rounds: [{ perSecond: 60, perCpuSecond: 200 }] },
    { name: 'Haraka', least: 1, problem: 'Haraka could not be installed', rounds: undefined },
  ];
  const lines = inboundLines({ ours, peers, messages: 10 }).map(one =>
    JSON.parse(toLine('seal-inbound', one)),
  );
  expect(lines).toMatchObject([
    { bench: 'seal-inbound', peer_is: 'Postfix', ratio: 1.833, met: true },
    { bench: 'seal-inbound-per-core', peer_is: 'Postfix', ratio: 1.1, met: false },
    { bench: 'seal-inbound', peer_is: 'Haraka', ours: 110, peer: null, ratio: null, met: null },
    { bench: 'seal-inbound-per-core', not_measured: ['Haraka could not be installed'], met: null },
    { bench: 'seal-inbound-lost', ours: 0, goal: '0 lost', met: true },
  ]);
  const [, , lost] = inboundLines({ ours: [{ ...ours[0], lost: 1 }], peers: peers.slice(1), messages: 10 });
  expect(lost).toMatchObject({ ours: 1, unit: 'lost of 10 acknowledged messages', met: false });
});

it('list goals are judged by their ratios and stay open for a smaller mailbox', () => {
  const series = ['folders', 'cursor', 'skip', 'first', 'inbox', 'threads', 'smallInbox', 'smallThreads'];
  const measured = Object.fromEntries(series.map(name => [name, { p50: 18, p99: 30 }]));
  const box = { measured: { ...measured, select: { p50: 8, p99: 10 } }, bytesEach: 850, clients: 32 };
  const metOf = lines => Object.fromEntries(lines.map(({ bench, met }) => [bench.slice(14), met]));
  expect(metOf(listLines({ ...box, size: 1_000_000 }))).toEqual({
    p50: false,
    p99: true,
    'page 10,000 by cursor': true,
    'page 10,000 by skip': true,
    size: true,
    'size, conversations': true,
    bytes: true,
    rate: true,
  });
  const small = listLines({ ...box, size: 1_000 });
  expect(metOf(small)).toMatchObject({ p50: false, p99: null, size: null, rate: null });
  expect(small[1].not_measured).toEqual(['a mailbox of 1000 instead of 1000000 messages']);
});
