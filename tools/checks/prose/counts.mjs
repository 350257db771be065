/**
 * Faults of prose that were there before their check, as a number per file. A number may only fall:
 * a file with more fails, and so does one with fewer, until `node tools/prose-counts.mjs` has
 * lowered its number. What moves to a new file takes its number along.
 */

/** How to lower the numbers. */
export const LOWER = 'Run: node tools/prose-counts.mjs';

/** How many faults of a file are named when it has too many. */
const SHOWN_MAX = 20;

/**
 * Compares faults with the numbers allowed.
 * @param {Record<string, string[]>} faults by file, each with its line
 * @param {Record<string, number>} allowed by file
 * @param {string} list where the numbers are
 */
export function findCountProblems(faults, allowed, list) {
  const problems = [];
  for (const [file, found] of Object.entries(faults)) {
    const most = allowed[file] ?? 0;
    if (found.length <= most) continue;
    if (most > 0)
      problems.push(
        `${file} has ${found.length} such faults; ${list} allows ${most}. All of them, old and new:`,
      );
    problems.push(...found.slice(0, SHOWN_MAX));
  }
  for (const [file, most] of Object.entries(allowed)) {
    const count = faults[file]?.length ?? 0;
    if (count < most) problems.push(`${list} allows ${most} for ${file}, which has ${count}. ${LOWER}`);
  }
  return problems;
}

/**
 * The numbers as they are now, none higher than before. Files that are new take over what gone ones
 * had, so that moving and dividing a file needs no rewriting of its texts.
 * @param {Record<string, number>} counts by file
 * @param {Record<string, number>} allowed by file
 * @param {(file: string) => boolean} exists
 */
export function lowerCounts(counts, allowed, exists) {
  const lowered = {};
  let moved = 0;
  for (const [file, most] of Object.entries(allowed)) {
    const count = Math.min(counts[file] ?? 0, most);
    if (count > 0) lowered[file] = count;
    if (!exists(file)) moved += most;
  }
  for (const [file, count] of Object.entries(counts)) {
    if (allowed[file] !== undefined || count > moved) continue;
    lowered[file] = count;
    moved -= count;
  }
  return Object.fromEntries(Object.entries(lowered).sort(([a], [b]) => (a < b ? -1 : 1)));
}
