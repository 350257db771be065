import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './run-command.mjs';
import { makeSbom, purlOf, writeSbomText } from './sbom.mjs';
import { readProjectFile } from './source-files.mjs';

const integrity = `sha512-${'A'.repeat(86)}==`;
const lock = {
  packages: {
    '': {
      name: 'keyfold',
      version: '0.1.0',
      license: 'AGPL-3.0-or-later',
      devDependencies: { '@x/d': '2.0.0' },
    },
    'apps/web': { name: '@keyfold/web', version: '0.1.0', dependencies: { a: '1.0.0' } },
    'node_modules/@keyfold/web': { resolved: 'apps/web', link: true },
    'node_modules/a': { version: '1.0.0', integrity, license: 'MIT', dependencies: { b: '^1.0.0' } },
    'node_modules/a/node_modules/b': { version: '1.5.0', integrity, license: '(MIT OR Apache-2.0)' },
    'node_modules/b': { version: '2.0.0', integrity, license: 'ISC', dev: true },
    'node_modules/@x/d': {
      version: '2.0.0',
      integrity,
      dev: true,
      dependencies: { b: '2', c: '*', '@keyfold/web': '*' },
    },
    'node_modules/@x/d/node_modules/a': { version: '1.0.0', integrity, dev: true },
  },
};
const sbom = makeSbom(JSON.stringify(lock));
const find = ref => sbom.components.find(one => one['bom-ref'] === ref);
const wants = ref => sbom.dependencies.find(one => one.ref === ref)?.dependsOn;

describe('the software bill of materials', () => {
  it('lists each package once, with its hash, license and scope', () => {
    expect(sbom.components.map(one => one['bom-ref'])).toEqual([
      'keyfold:apps/web',
      'pkg:npm/%40x/d@2.0.0',
      'pkg:npm/a@1.0.0',
      'pkg:npm/b@1.5.0',
      'pkg:npm/b@2.0.0',
    ]);
    expect(find('pkg:npm/a@1.0.0')).toMatchObject({
      scope: 'required',
      hashes: [{ alg: 'SHA-512', content: '00'.repeat(64) }],
      licenses: [{ license: { id: 'MIT' } }],
    });
    expect(find('pkg:npm/%40x/d@2.0.0')).toMatchObject({ group: '@x', name: 'd', scope: 'excluded' });
    expect(find('pkg:npm/b@1.5.0').licenses).toEqual([{ expression: '(MIT OR Apache-2.0)' }]);
  });

  it('lists the dependencies of each package in their resolved version', () => {
    expect(wants('keyfold:root')).toEqual(['keyfold:apps/web', 'pkg:npm/%40x/d@2.0.0']);
    expect(wants('keyfold:apps/web')).toEqual(['pkg:npm/a@1.0.0']);
    expect(wants('pkg:npm/a@1.0.0')).toEqual(['pkg:npm/b@1.5.0']);
    expect(wants('pkg:npm/%40x/d@2.0.0')).toEqual(['keyfold:apps/web', 'pkg:npm/b@2.0.0']);
  });

  it('is identical for the same lockfile and has another serial number for another one', () => {
    expect(makeSbom(JSON.stringify(lock))).toEqual(sbom);
    expect(sbom.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(makeSbom(JSON.stringify(lock, null, 1)).serialNumber).not.toBe(sbom.serialNumber);
  });

  it('writes names as package URLs', () => {
    expect(purlOf('@a/b', '1.0.0+x')).toBe('pkg:npm/%40a/b@1.0.0%2Bx');
  });

  it('contains the whole real lockfile and every dependency it names', () => {
    const { components, dependencies, metadata } = JSON.parse(writeSbomText(path.resolve(root)));
    const { packages } = JSON.parse(readProjectFile('package-lock.json'));
    const known = new Set([metadata.component['bom-ref'], ...components.map(one => one['bom-ref'])]);
    expect(known.size).toBe(components.length + 1);
    for (const [place, { version }] of Object.entries(packages))
      if (place.includes('node_modules/') && !place.includes('@keyfold/'))
        expect(known, place).toContain(purlOf(place.replace(/.*node_modules\//, ''), version));
    expect(new Set(dependencies.map(({ ref }) => ref))).toEqual(known);
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) expect(known).toContain(ref);
    // The archive of the package that contains a bundled one has the hash of both.
    const bundled = Object.entries(packages)
      .filter(([, { inBundle }]) => inBundle)
      .map(([place, { version }]) => purlOf(place.replace(/.*node_modules\//, ''), version));
    for (const one of components.filter(({ purl }) => purl)) {
      expect(one, one.purl).toMatchObject({ licenses: [{}] });
      if (!bundled.includes(one.purl)) expect(one, one.purl).toMatchObject({ hashes: [{ alg: 'SHA-512' }] });
    }
  });
});
