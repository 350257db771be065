/**
 * `npm run bench -- reliability [ROW...] [rounds=N] [minutes=N]`: the reliability goals, one line
 * per row: the goal, the result, and whether it is met. Each row is measured by existing tests and
 * benchmarks. Anything that did not run (a skipped test, a missing file, fewer rounds than the goal
 * names) leaves `met` at null and is listed in `not_measured`: nothing counts as passed without
 * being observed. Without ROW all rows are measured, which takes hours. `rounds` are those of the
 * crash test (500), `minutes` those of the soak test (15).
 */
import { authorization, hostileServer, races, stolenDisk } from './reliability/attackers.mjs';
import { pst } from './reliability/files.mjs';
import { inbound, send } from './reliability/kills.mjs';
import { hostileMail } from './reliability/mail.mjs';
import { enumeration } from './reliability/names.mjs';
import { clients, slowloris, smuggling } from './reliability/network.mjs';
import { soak } from './reliability/soak.mjs';
import { clock, database, disk } from './reliability/stores.mjs';

/** Rows by their argument name, in the order of the goals. */
export const ROWS = {
  inbound,
  send,
  database,
  disk,
  clock,
  clients,
  slowloris,
  races,
  smuggling,
  'hostile-mail': hostileMail,
  'hostile-server': hostileServer,
  'stolen-disk': stolenDisk,
  authorization,
  enumeration,
  pst,
  soak,
};

/** Parses arguments into rows and numbers. Throws an error that names any other argument. */
export function readArguments(args) {
  const names = args.filter(argument => !argument.includes('='));
  const numbers = Object.fromEntries(
    args
      .filter(argument => argument.includes('='))
      .map(argument => argument.split('='))
      .map(([name, value]) => [name, Number(value)]),
  );
  const unknown = names.filter(name => !(name in ROWS));
  const isOdd = Object.entries(numbers).some(
    ([name, value]) => !['rounds', 'minutes'].includes(name) || !(value >= 1),
  );
  if (unknown.length > 0 || isOdd)
    throw new Error(`available rows: ${Object.keys(ROWS).join(', ')}; numbers are rounds=N and minutes=N`);
  return { names: names.length === 0 ? Object.keys(ROWS) : names, numbers };
}

/** Runs a test that several rows read only once. */
function createOnce() {
  const runs = new Map();
  return (key, work) => {
    if (!runs.has(key)) runs.set(key, work());
    return runs.get(key);
  };
}

/** Returns the line of a row that was aborted: not measured, hence not passed. */
const brokenOff = (name, { goal }, error) => ({
  bench: `reliability ${name}`,
  ours: null,
  peer: 0,
  unit: 'nothing was measured',
  peer_is: 'the goal',
  goal,
  met: null,
  not_measured: [error instanceof Error ? error.message : String(error)],
});

export async function* run(args) {
  const { names, numbers } = readArguments(args);
  const once = createOnce();
  for (const name of names) {
    try {
      yield await ROWS[name].measure(once, numbers);
    } catch (error) {
      yield brokenOff(name, ROWS[name], error);
    }
  }
}
