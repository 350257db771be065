/**
 * enumeration: whether a stranger can tell an address that has an account from one that nobody has: by login, recovery,
 * registration before the robot check is passed, restoring, the second step, and without a session by keys and contacts. Of a
 * signed-in user the directory is asked openly: senders need keys. Argument: pairs (default 400). The goal is one answer,
 * medians within 5 % and a Mann-Whitney p above 0.01; eight tests at 0.01 are wrong once in a dozen runs, so a difference counts
 * when twice as many pairs show it again, in the same direction, and is open when they do not agree. `login, after` is another's
 * call right after a login: what is left to be done behind an answer must not show in the next one.
 */
import { askInPairs, compare } from './enumeration/compare.mjs';
import { startWorld } from './enumeration/world.mjs';

/** A name may be tried ten times from one place in a quarter of an hour; the same for all calls that count. */
const TRIES = 9;
const DIFFERENCE_MAX_PERCENT = 5;
const P_MIN = 0.01;
const WARM_UP_PAIRS = 20;

const isSmall = ({ differencePercent, p }) =>
  Math.abs(differencePercent) < DIFFERENCE_MAX_PERCENT && p > P_MIN;

/** Met; missed, when every run shows the same difference; or null, when the machine's own unrest is larger than the goal. */
function judge(measured) {
  if (measured.some(one => one.isTold)) return false;
  const last = measured.at(-1);
  if (isSmall(last)) return true;
  const isSure = measured.every(
    one => one.p <= P_MIN && Math.sign(one.differencePercent) === Math.sign(last.differencePercent),
  );
  return isSure ? false : null;
}

const rounded = (value, digits) => Number(value.toFixed(digits));

function lineOf(name, pairs, measured) {
  const last = measured.at(-1);
  const isRefusedForCount = measured.some(one => one.kinds.includes(429));
  const met = isRefusedForCount ? null : judge(measured);
  const why = isRefusedForCount
    ? 'calls were refused for their number'
    : 'times vary by more than the goal here';
  return {
    bench: `enumeration ${name}`,
    ours: rounded(Math.abs(last.differencePercent), 2),
    peer: DIFFERENCE_MAX_PERCENT,
    unit: `% between medians, ${pairs * measured.length} pairs`,
    peer_is: 'the goal itself',
    goal: 'same status and text; below 1, and p > 0.01',
    met,
    ...(met === null ? { not_measured: [why] } : {}),
    figures: {
      same_answer: measured.every(one => !one.isTold),
      status: last.kinds,
      runs: measured.map(one => ({
        existing_ms: rounded(one.existingMs, 3),
        nobody_ms: rounded(one.nobodyMs, 3),
        difference_percent: rounded(one.differencePercent, 2),
        p: rounded(one.p, 4),
      })),
    },
  };
}

export async function* run([given = '400']) {
  const pairs = Number(given);
  // The warming up, the first run and the second, which has twice as many.
  const accounts = Math.ceil((WARM_UP_PAIRS + 3 * pairs) / TRIES) * 2;
  const world = await startWorld(accounts);
  const half = world.pairs.length / 2;
  const asked = [
    ...Object.entries(world.calls).map(([name, call]) => ({
      name,
      call,
      after: null,
      own: world.pairs.slice(half),
    })),
    { name: 'login, after', call: world.calls.login, after: world.another, own: world.pairs.slice(0, half) },
  ];
  try {
    for (const { name, call, after, own } of asked) {
      let used = 0;
      const take = count => {
        const some = Array.from({ length: count }, (_, index) => own[(used + index) % own.length]);
        used += count;
        return some;
      };
      const ask = async count => compare(await askInPairs(call, take(count), count, after));
      await ask(WARM_UP_PAIRS);
      const measured = [await ask(pairs)];
      if (!isSmall(measured[0])) measured.push(await ask(2 * pairs));
      yield lineOf(name, pairs, measured);
    }
  } finally {
    await world.close();
  }
}
