import { describe, expect, it } from 'vitest';
import { readProjectFile } from '../source-files.mjs';
import { findAuditProblems } from './lock-audit.mjs';

const integrity = `sha512-${'A'.repeat(86)}==`;
const good = { version: '1.2.3', integrity, license: 'MIT' };
const withA = (entry, allowScripts) =>
  findAuditProblems({ '': {}, 'node_modules/a': { ...good, ...entry } }, allowScripts);

describe('the lockfile audit', () => {
  it('accepts packages from the registry and workspaces', () => {
    const packages = {
      '': { dependencies: { a: '1.2.3' } },
      'apps/web': { name: '@keyfold/web', dependencies: { '@keyfold/mail': '*', a: '1.2.3' } },
      'node_modules/@keyfold/web': { resolved: 'apps/web', link: true },
      'node_modules/a': { ...good, dependencies: { b: '^1.0.0 || >=2 <4', c: 'next' } },
      'node_modules/a/node_modules/@x/b': { ...good, version: '2.0.0-beta.1' },
    };
    expect(findAuditProblems(packages)).toEqual([]);
  });

  it.each([
    ['a weaker hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'SHA-512'],
    ['two hashes, of which one would do', { integrity: `sha1-AAAA ${integrity}` }, 'SHA-512'],
    ['half a hash', { integrity: 'sha512-AAAA' }, 'SHA-512'],
    ['no hash', { integrity: undefined }, 'SHA-512'],
    ['a repository', { resolved: 'git+ssh://git@example.test/a.git#1' }, 'comes from git+ssh:'],
    ['an archive', { resolved: 'file:../a.tgz' }, 'comes from file:..'],
    ['a version that is an address', { version: 'git+https://example.test/a.git' }, 'has the version'],
    ['another package under its name', { name: 'b' }, 'another package, b'],
    ['an install script', { hasInstallScript: true }, 'install script'],
  ])('finds %s', (_what, entry, problem) => {
    expect(withA(entry).join()).toContain(problem);
  });

  describe('bundled packages', () => {
    const bundler = 'node_modules/@tailwindcss/oxide-wasm32-wasi';
    const bundled = { version: '1.2.3', inBundle: true };
    const parent = { ...good, bundleDependencies: ['b'] };
    const problem = 'package-lock.json: b@1.2.3 has no single SHA-512 integrity hash';
    const find = (container, child, at = bundler) =>
      findAuditProblems({ '': {}, [at]: container, [`${at}/node_modules/b`]: child });

    it('need no hash of their own in the archive of a known bundler', () => {
      expect(find(parent, bundled)).toEqual([]);
    });

    it('need one everywhere else, whatever the lock claims', () => {
      expect(find(parent, bundled, 'node_modules/a')).toEqual([problem]);
      expect(find({ ...good, bundleDependencies: ['c'] }, bundled)).toEqual([problem]);
      expect(find(good, bundled)).toEqual([problem]);
      expect(find(parent, { version: '1.2.3' })).toEqual([problem]);
      expect(find(parent, { ...bundled, integrity: 'sha1-AAAA' })).toEqual([problem]);
      expect(find({ ...parent, integrity: undefined }, bundled)).toContain(problem);
      expect(findAuditProblems({ '': {}, 'node_modules/b': bundled, 'node_modules/bx': good })).toEqual([
        problem,
      ]);
    });
  });

  it.each([
    'git+https://example.test/b.git',
    'github:x/b',
    'x/b',
    'https://example.test/b.tgz',
    'file:../b',
    'link:../b',
    'npm:c@1.0.0',
  ])('finds a package that depends on another from %s', wanted => {
    for (const kind of ['dependencies', 'optionalDependencies', 'peerDependencies'])
      expect(withA({ [kind]: { b: wanted } })).toEqual([`package-lock.json: a@1.2.3 wants b from ${wanted}`]);
  });

  it('accepts decided install scripts and refuses a decision without a script', () => {
    for (const decision of [true, false])
      expect(withA({ hasInstallScript: true }, { a: decision })).toEqual([]);
    expect(withA({}, { a: true })).toEqual(['package.json: allowScripts names a, which has no script']);
  });

  it('finds links to elsewhere and foreign packages with our name', () => {
    const problems = findAuditProblems({
      '': {},
      'node_modules/@keyfold/web': { resolved: '../web', link: true },
      'node_modules/@keyfold/mail': good,
    });
    expect(problems.join('\n')).toMatch(/link to \.\.\/web\n.*not one of its packages/);
  });

  it('finds a workspace with an unpinned dependency', () => {
    expect(findAuditProblems({ 'apps/web': { dependencies: { a: '^1.2.3' } } })).toEqual([
      'package-lock.json: apps/web does not pin a: ^1.2.3',
    ]);
  });

  it('finds one problem for one damaged entry in the real lockfile', () => {
    const { packages } = JSON.parse(readProjectFile('package-lock.json'));
    const { allowScripts } = JSON.parse(readProjectFile('package.json'));
    expect(findAuditProblems(packages, allowScripts)).toEqual([]);
    packages['node_modules/zod'].integrity = 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=';
    expect(findAuditProblems(packages, allowScripts)).toHaveLength(1);
  });
});
