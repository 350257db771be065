/** Computes the lines of seal-inbound from its rounds, including those of unavailable peers. */
import { atLeast, none, withoutPeer } from '../shared/goals.mjs';

const RATES = [
  ['seal-inbound', 'perSecond', 'messages of 4 KB per second'],
  ['seal-inbound-per-core', 'perCpuSecond', 'messages of 4 KB per second of CPU time'],
];

const median = numbers => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * `peers` are the peers with the target ratio (`least`), and either `rounds` or `problem`, the
 * reason why there are none; `ours` are Keyfold's rounds, `messages` the number of messages in
 * each.
 */
export function linesOf({ ours, peers, messages }) {
  const medianOf = (rounds, field) => Math.round(median(rounds.map(one => one[field])));
  const ofPeers = peers.flatMap(({ name, least, rounds, problem }) =>
    RATES.map(([bench, field, unit]) => {
      const goal = `at least ${least.toFixed(1)}`;
      const line = { bench, ours: medianOf(ours, field), unit, peer_is: name, goal };
      return problem === null
        ? atLeast(least, { ...line, peer: medianOf(rounds, field) })
        : withoutPeer(line, problem);
    }),
  );
  const lost = ours.reduce((sum, round) => sum + round.lost, 0);
  const unit = `lost of ${ours.length * messages} acknowledged messages`;
  const ofLost = { bench: 'seal-inbound-lost', ours: lost, peer: 0, unit, peer_is: 'the goal' };
  return [...ofPeers, none({ ...ofLost, goal: '0 lost' })];
}
