/**
 * Checks where the locked packages come from and what they may do on installation: each is a
 * released version from the registry under its own name, pinned to its content by SHA-512, and runs
 * a script only where the root's `allowScripts` permits it. Other checks: lock-gaps.mjs (gaps and
 * download addresses), licenses.mjs (licenses), advisories.mjs (known vulnerabilities).
 */
import { readProjectFile } from '../source-files.mjs';
import { isCoveredByBundle } from './lock-gaps.mjs';

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
/**
 * Dependencies that the project's workspaces declare; these are pinned. Third-party packages
 * declare ranges, which the lock has resolved.
 */
const PINNED_KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'];
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;
/**
 * A version range, or a dist-tag. Git URLs, files, archives, links and aliases all contain `:` or
 * `/`.
 */
const RANGE = /^[0-9A-Za-z.*^~<>=|+\s-]*$/;
const OURS = '@keyfold/';

const nameAt = place => place.replace(/.*node_modules\//, '');

function findSourceProblems(place, entry, packages) {
  if (entry.link) {
    const isWorkspace = /^(?:apps|packages)\/[a-z-]+$/.test(entry.resolved ?? '') && packages[entry.resolved];
    return isWorkspace && nameAt(place).startsWith(OURS) ? [] : [`is a link to ${entry.resolved}`];
  }
  const problems = [];
  if (entry.name !== undefined && entry.name !== nameAt(place))
    problems.push(`is another package, ${entry.name}`);
  if (!VERSION.test(entry.version ?? '')) problems.push(`has the version ${entry.version}`);
  if (entry.resolved !== undefined) problems.push(`comes from ${entry.resolved.split(/[/?#]/, 1)[0]}`);
  const isBundled = entry.integrity === undefined && isCoveredByBundle(packages, place);
  if (!isBundled && !SHA512.test(entry.integrity ?? ''))
    problems.push('has no single SHA-512 integrity hash');
  if (nameAt(place).startsWith(OURS))
    problems.push('uses the scope of this project but is not one of its packages');
  return problems;
}

/**
 * Returns the problems of a lock's packages (the object `packages` of package-lock.json), given the
 * root's `allowScripts`: name to true (runs) or false (known, and not run).
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
