/**
 * Finds three problems that npm silently writes into a lock: missing optional packages of other
 * platforms (`npm ci` then fails there), addresses of the author's download server, and packages
 * without a content hash.
 */
import { readProjectFile } from '../source-files.mjs';

/**
 * Resolves a name as Node would from the package at `place`: its own node_modules first, then each
 * one above.
 */
function isLocked(packages, place, name) {
  let at = place;
  for (;;) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true;
    if (at === '') return false;
    const cut = at.lastIndexOf('node_modules/');
    at = cut > 0 ? at.slice(0, cut - 1) : '';
  }
}

/**
 * The packages whose archives contain their dependencies. The lock alone is not believed: npm would
 * fetch an entry that is wrongly marked `inBundle` without checking its content.
 */
const BUNDLERS = ['node_modules/@tailwindcss/oxide-wasm32-wasi'];

/**
 * Returns whether the package at `place` is in the archive of one of the bundlers: the hash of that
 * archive then covers it.
 */
export function isCoveredByBundle(packages, place) {
  const cut = place.lastIndexOf('/node_modules/');
  const parent = packages[place.slice(0, Math.max(cut, 0))];
  const name = place.slice(cut + '/node_modules/'.length);
  return (
    cut > 0 &&
    BUNDLERS.includes(place.slice(0, cut)) &&
    packages[place]?.inBundle === true &&
    parent?.integrity !== undefined &&
    (parent.bundleDependencies ?? []).includes(name)
  );
}

/**
 * Returns every dependency edge of the lock without a target, and every entry with a download
 * address.
 */
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
    const isHashed = entry.integrity !== undefined || isCoveredByBundle(packages, place);
    if (place.includes('node_modules/') && !entry.link && !isHashed)
      problems.push(`package-lock.json: ${title} has no integrity`);
  }
  return problems;
}

export function checkLockGaps() {
  return findLockProblems(JSON.parse(readProjectFile('package-lock.json')).packages);
}
