/**
 * Finds environment variables that look like settings but are unknown, because a misspelled setting
 * would silently have no effect. Base layer.
 */

/** Returns the number of single-character changes that turn one text into another. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, char] of [...from].entries()) {
    const next = [line + 1];
    for (let at = 0; at < to.length; at++)
      next.push(
        Math.min((row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1, (row[at] ?? 0) + (char === to[at] ? 0 : 1)),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}

/** Maximum edit distance at which a name counts as a misspelling of another. */
const MISSPELLED_MAX = 3;

function nearestOf(name: string, known: readonly string[]): string | null {
  const [nearest] = known
    .map(other => ({ other, distance: editDistance(name, other) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= MISSPELLED_MAX ? nearest.other : null;
}

/** Prefix of the settings that belong to this program alone. */
const OURS = 'KEYFOLD_';
/** Variables of this repository's tests and tools, which may be set when a server starts. */
const OF_TOOLS = /^KEYFOLD_(CRASH|E2E|FAULT|NODES|PICTURES|RECORD)(_|$)/;

/** Returns one line, with the nearest known name, for each unknown variable that has our prefix. */
export const findUnknownSettings = (
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] =>
  Object.keys(env)
    .filter(name => name.startsWith(OURS) && !known.includes(name) && !OF_TOOLS.test(name))
    .sort()
    .map(name => {
      const nearest = nearestOf(name, known);
      return `${name}: unknown setting${nearest === null ? '' : `; did you mean ${nearest}?`}`;
    });
