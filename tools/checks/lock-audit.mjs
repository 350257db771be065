/**
 * Where the packages of the lock come from and what they may do at installation: each is a released version from the
 * registry under its own name, bound to its content by SHA-512, and runs a script only where the root's `allowScripts`
 * says so. Gaps and download addresses are lock-gaps.mjs's, licences licenses.mjs's, known faults advisories.mjs's.
 */
import { readProjectFile } from '../source-files.mjs';

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
/** What rooms declare: these are pinned. What others' packages declare are ranges, which the lock has settled. */
const PINNED_KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'];
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
/** A range of versions, or the name of a release line. Git, files, archives, links and other names all have `:` or `/`. */
const RANGE = /^[0-9A-Za-z.*^~<>=|+\s-]*$/;
const OURS = '@keyfold/';

const nameAt = place => place.replace(/.*node_modules\//, '');

function findSourceProblems(place, entry, packages) {
  if (entry.link) {
    const isRoom = /^(?:apps|packages)\/[a-z-]+$/.test(entry.resolved ?? '') && packages[entry.resolved];
    return isRoom && nameAt(place).startsWith(OURS) ? [] : [`is a link to ${entry.resolved}`];
  }
  const problems = [];
  if (entry.name !== undefined && entry.name !== nameAt(place))
    problems.push(`is another package, ${entry.name}`);
  if (!VERSION.test(entry.version ?? '')) problems.push(`has the version ${entry.version}`);
  if (entry.resolved !== undefined) problems.push(`comes from ${entry.resolved.split(/[/?#]/, 1)[0]}`);
  if (!SHA512.test(entry.integrity ?? '')) problems.push('is not bound to its content by one SHA-512');
  if (nameAt(place).startsWith(OURS)) problems.push('has a name of ours and is none of our rooms');
  return problems;
}

/**
 * What is wrong with a lock's packages (the object `packages` of package-lock.json), given the root's `allowScripts`: name
 * to true (runs) or false (known, and not run).
 */
export function findAuditProblems(packages, allowScripts = {}) {
  const problems = [];
  const withScript = new Set();
  for (const [place, entry] of Object.entries(packages)) {
    const isInstalled = place.includes('node_modules/');
    const title = isInstalled ? `${nameAt(place)}@${entry.version}` : place || 'the root';
    const found = isInstalled ? findSourceProblems(place, entry, packages) : [];
    for (const kind of KINDS)
      for (const [name, wanted] of Object.entries(entry[kind] ?? {})) {
        if (!RANGE.test(wanted)) found.push(`wants ${name} from ${wanted}`);
        else if (
          !isInstalled &&
          PINNED_KINDS.includes(kind) &&
          !name.startsWith(OURS) &&
          !VERSION.test(wanted)
        )
          found.push(`does not pin ${name}: ${wanted}`);
      }
    if (entry.hasInstallScript) {
      withScript.add(nameAt(place));
      if (typeof allowScripts[nameAt(place)] !== 'boolean')
        found.push('has an install script that allowScripts does not name');
    }
    problems.push(...found.map(problem => `package-lock.json: ${title} ${problem}`));
  }
  for (const name of Object.keys(allowScripts))
    if (!withScript.has(name)) problems.push(`package.json: allowScripts names ${name}, which has no script`);
  return problems;
}

export function checkLockAudit() {
  const { packages } = JSON.parse(readProjectFile('package-lock.json'));
  const { allowScripts } = JSON.parse(readProjectFile('package.json'));
  return findAuditProblems(packages, allowScripts);
}
