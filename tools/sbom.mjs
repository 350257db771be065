/**
 * Writes the bill of materials: every locked package with version, hash, license and dependents, as
 * CycloneDX 1.6 in JSON. Derived from package-lock.json alone, so that the same lock gives the same
 * bytes on every machine; `npm sbom` adds the time and a random number. Runs under Node 18 or
 * newer.
 *
 *   npm run -s sbom > keyfold.cdx.json
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Name of the file in the built web client. */
export const SBOM_FILE = 'sbom.cdx.json';

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Returns the package URL of a registry package (purl-spec, type npm), with the scope's @ encoded
 * as %40.
 */
export function purlOf(name, version) {
  return `pkg:npm/${name.replace(/^@/, '%40')}@${encodeURIComponent(version)}`;
}

/** Derives a UUID (version 8, RFC 9562) from a text; the same text always gives the same UUID. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16], 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const licensesOf = license =>
  license === undefined
    ? undefined
    : [/^[A-Za-z0-9.-]+$/.test(license) ? { license: { id: license } } : { expression: license }];

/**
 * Returns the location of the package that `name` resolves to at `place`: its own node_modules, or
 * the nearest one above that has it.
 */
function findPlace(packages, place, name) {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const found = `${at ? `${at}/` : ''}node_modules/${name}`;
    if (packages[found]) return packages[found].link ? packages[found].resolved : found;
    if (at === '') return null;
    if (!at.includes('node_modules/')) at = '';
  }
}

/**
 * Returns the reference of a lock entry in the list: a workspace by its path, any other package by
 * name and version.
 */
const refOf = (place, entry) =>
  place.includes('node_modules/')
    ? purlOf(place.replace(/.*node_modules\//, ''), entry.version)
    : `keyfold:${place || 'root'}`;

function componentOf(place, entry) {
  const fullName = place.replace(/.*node_modules\//, '');
  const [group, name] = fullName.startsWith('@') ? fullName.split('/') : [undefined, fullName];
  const sha512 = /^sha512-(\S+)$/.exec(entry.integrity ?? '')?.[1];
  return {
    type: 'library',
    'bom-ref': refOf(place, entry),
    group,
    name,
    version: entry.version,
    // Build and test dependencies are not part of what runs.
    scope: entry.dev ? 'excluded' : entry.optional || entry.devOptional ? 'optional' : 'required',
    hashes: sha512 && [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }],
    licenses: licensesOf(entry.license),
    purl: purlOf(fullName, entry.version),
  };
}

const workspaceOf = (place, entry) => ({
  type: place === '' || place.startsWith('apps/') ? 'application' : 'library',
  'bom-ref': refOf(place, entry),
  name: entry.name,
  version: entry.version,
  licenses: licensesOf(entry.license),
});

const SCOPES = ['required', 'optional', 'excluded'];

/** Returns the list as an object, from the text of a package-lock.json (lockfileVersion 3). */
export function makeSbom(lockText) {
  const { packages } = JSON.parse(lockText);
  const components = new Map();
  const wants = new Map();
  for (const [place, entry] of Object.entries(packages)) {
    if (entry.link) continue;
    const ref = refOf(place, entry);
    const isOther = place.includes('node_modules/');
    const component = isOther ? componentOf(place, entry) : workspaceOf(place, entry);
    const known = components.get(ref);
    // One version may be at several locations; it gets the scope of the location that needs it
    // most.
    if (known === undefined) components.set(ref, component);
    else if (SCOPES.indexOf(component.scope) < SCOPES.indexOf(known.scope)) known.scope = component.scope;
    const wanted = wants.get(ref) ?? new Set();
    wants.set(ref, wanted);
    const names = { ...entry.dependencies, ...entry.optionalDependencies, ...entry.peerDependencies };
    for (const name of Object.keys(isOther ? names : { ...names, ...entry.devDependencies })) {
      const at = findPlace(packages, place, name);
      if (at !== null) wanted.add(refOf(at, packages[at]));
    }
    if (place === '')
      for (const place of Object.keys(packages))
        if (place !== '' && !place.includes('node_modules/')) wanted.add(refOf(place, packages[place]));
  }
  const root = components.get('keyfold:root');
  components.delete('keyfold:root');
  const sorted = [...components.values()].sort((a, b) => byText(a['bom-ref'], b['bom-ref']));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(lockText)}`,
    version: 1,
    metadata: { component: root },
    components: sorted,
    dependencies: [...wants]
      .map(([ref, wanted]) => ({ ref, dependsOn: [...wanted].sort(byText) }))
      .sort((a, b) => byText(a.ref, b.ref)),
  };
}

/** Returns the text of the list for the checkout at `root`, ending with a line feed. */
export function writeSbomText(root) {
  const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8').replaceAll('\r\n', '\n');
  return `${JSON.stringify(makeSbom(lockText), null, 1)}\n`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(writeSbomText(path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')));
