/**
 * enumeration: whether an outsider can distinguish an address with an account from one without, by
 * login, recovery, registration before the robot check is passed, restoring, the second step, and
 * without a session by keys and contacts. Signed-in users may query the directory openly, because
 * senders need keys. Argument: pairs (default 400). The goal is identical answers, medians within 5
 * % and a Mann-Whitney p above 0.01. Eight tests at 0.01 give a false result once in a dozen runs,
 * so a difference counts only when a second run with twice as many pairs shows it in the same
 * direction; it is open when the runs disagree. `login, after` is another client's call right after
 * a login: work left behind an answer must not be measurable in the next one.
 */
import { askInPairs, compare } from './enumeration/compare.mjs';
import { startWorld } from './enumeration/world.mjs';

/**
 * A name may be tried ten times from one source within a quarter of an hour, counting all calls
 * together.
 */
const TRIES = 9;
const DIFFERENCE_MAX_PERCENT = 5;
const P_MIN = 0.01;
const WARM_UP_PAIRS = 20;

const isSmall = ({ differencePercent, p }) =>
  Math.abs(differencePercent) < DIFFERENCE_MAX_PERCENT && p > P_MIN;

/**
 * Returns met, missed when every run shows the same difference, or null when the machine's own
 * noise exceeds the goal.
 */
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
    ? 'calls were rejected by rate limits'
    : 'times vary by more than the goal on this machine';
  return {
    bench: `enumeration ${name}`,
    ours: rounded(Math.abs(last.differencePercent), 2),
    peer: DIFFERENCE_MAX_PERCENT,
    unit: `% between medians, ${pairs * measured.length} pairs`,
    peer_is: 'the goal',
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
  // The warm-up, the first run, and the second, which has twice as many pairs.
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
