/**
 * Three faults of a lock that npm writes without a word: optional packages of other platforms left out (`npm ci` then
 * refuses elsewhere), addresses of the download server of whoever wrote it, and packages without a hash of their content.
 */
import { readProjectFile } from '../source-files.mjs';

/** Looks a name up as Node would from the package at `place`: its own node_modules first, then each one above. */
function isLocked(packages, place, name) {
  let at = place;
  for (;;) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (at === '') return false;
    const cut = at.lastIndexOf('node_modules/');
    at = cut > 0 ? at.slice(0, cut - 1) : '';
  }
}

/** Every dependency edge of the lock that leads nowhere, and every entry that names a download address. */
export function findLockProblems(packages) {
  const problems = [];
  for (const [place, entry] of Object.entries(packages)) {
    const title = `${place.replace(/.*node_modules\//, '') || 'the root'}@${entry.version ?? 'workspace'}`;
    for (const kind of ['dependencies', 'optionalDependencies']) {
      const missing = Object.keys(entry[kind] ?? {}).filter(name => !isLocked(packages, place, name));
      if (missing.length > 0) problems.push(`package-lock.json: ${title} lacks ${missing.join(', ')}`);
    }
    if (/^https?:/.test(entry.resolved ?? ''))
      problems.push(`package-lock.json: ${title} names a download address`);
    if (place.includes('node_modules/') && !entry.link && entry.integrity === undefined)
      problems.push(`package-lock.json: ${title} has no integrity`);
  }
  return problems;
}

export function checkLockGaps() {
  return findLockProblems(JSON.parse(readProjectFile('package-lock.json')).packages);
}
