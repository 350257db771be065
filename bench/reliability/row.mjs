/**
 * The line of one row of the reliability goals: the goal, the result, and whether the result
 * suffices. A row is met only when all of it was measured: a test that did not run, or too few
 * rounds, leave it open (`met` is null) however good the rest is.
 */

/** @typedef {import('./test-run.mjs').TestRun} TestRun */

/**
 * Merges several runs into one.
 * @param {TestRun[]} runs
 * @returns {TestRun}
 */
export const joinRuns = runs => ({
  passed: runs.reduce((sum, run) => sum + run.passed, 0),
  failed: runs.flatMap(run => run.failed),
  notRun: runs.flatMap(run => run.notRun),
  lines: runs.flatMap(run => run.lines),
});

function judge(isBroken, missing) {
  if (isBroken) return false;
  return missing.length === 0 ? true : null;
}

/**
 * Returns the line of a row that tests judge. `figures` are numbers that the tests printed;
 * `shortOf` names the parts of the goal that were not measured although all tests passed.
 * @param {string} name
 * @param {string} goal
 * @param {TestRun} run
 * @param {{ figures?: object, shortOf?: string[] }} [more]
 */
export function lineOfTests(name, goal, run, { figures = {}, shortOf = [] } = {}) {
  const { passed, failed, notRun } = run;
  const missing = [...notRun, ...shortOf];
  return {
    bench: `reliability ${name}`,
    ours: passed + failed.length === 0 ? null : failed.length,
    peer: 0,
    unit: `of ${passed + failed.length} tests failed`,
    peer_is: 'the goal',
    goal,
    met: judge(failed.length > 0, missing),
    ...(missing.length > 0 ? { not_measured: missing } : {}),
    ...(failed.length > 0 ? { failed } : {}),
    figures,
  };
}

/**
 * A number below a limit by which a row is judged. `ours` is null when it could not be measured;
 * `failures` lists further problems.
 * @typedef {object} Figure
 * @property {number | null} ours
 * @property {number} limit
 * @property {string} unit
 * @property {string[]} [failures]
 * @property {string[]} [shortOf]
 * @property {object} [figures]
 */

/**
 * Returns the line of a row that a figure judges.
 * @param {string} name
 * @param {string} goal
 * @param {Figure} figure
 */
export function lineOfFigure(name, goal, { ours, limit, unit, failures = [], shortOf = [], figures = {} }) {
  const missing = ours === null ? ['not measured', ...shortOf] : shortOf;
  return {
    bench: `reliability ${name}`,
    ours,
    peer: limit,
    unit,
    peer_is: 'the goal',
    goal,
    met: judge(failures.length > 0 || (ours !== null && ours >= limit), missing),
    ...(missing.length > 0 ? { not_measured: missing } : {}),
    ...(failures.length > 0 ? { failed: failures } : {}),
    figures,
  };
}

/** Returns the numbers that a pattern finds in the lines, one for each match of its first group. */
export const numbersIn = (lines, pattern) =>
  lines.flatMap(line => [...line.matchAll(pattern)].map(match => Number(match[1])));

/** Returns the largest number that a pattern finds; null if it finds none. */
export function largestIn(lines, pattern) {
  const numbers = numbersIn(lines, pattern);
  return numbers.length === 0 ? null : Math.max(...numbers);
}

/** Returns the lines that a test printed under its prefix, in order. */
export const saidBy = (lines, word) =>
  lines.filter(line => line.startsWith(`${word}: `)).map(line => line.slice(word.length + 2).trim());
