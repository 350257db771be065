import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTestFile, listProjectFiles, readProjectFile } from '../source-files.mjs';
import { findDependencyProblems, readRows } from './dependency-list.mjs';
import { findSizeProblems } from './file-size.mjs';
import { findForbiddenText, findHeaderProblem, findNameProblem } from './house-rules.mjs';
import { isAllowedLicense } from './licenses.mjs';
import { findLockProblems } from './lock-gaps.mjs';
import { listTypeConfigs } from './types.mjs';

describe('file sizes', () => {
  it('may reach the limit but not exceed it', () => {
    expect(findSizeProblems({ 'a.ts': 400 }, {})).toEqual([]);
    expect(findSizeProblems({ 'a.ts': 401 }, {})).toHaveLength(1);
  });

  it('have exceptions that can only shrink', () => {
    expect(findSizeProblems({ 'a.ts': 500 }, { 'a.ts': 500 })).toEqual([]);
    expect(findSizeProblems({ 'a.ts': 501 }, { 'a.ts': 500 }).join()).toContain('at most 500');
    expect(findSizeProblems({ 'a.ts': 450 }, { 'a.ts': 500 }).join()).toContain('Lower the entry');
    expect(findSizeProblems({ 'a.ts': 300 }, { 'a.ts': 500 }).join()).toContain('Remove the entry');
    expect(findSizeProblems({}, { 'a.ts': 500 }).join()).toContain('is gone');
  });
});

describe('types', () => {
  it('are checked in the root and in every workspace', () => {
    const configs = listTypeConfigs();
    for (const config of ['tsconfig.json', 'packages/crypto/tsconfig.json', 'apps/web/tsconfig.json'])
      expect(configs).toContain(config);
  });

  it('are checked in every script except the tests of apps', () => {
    const { include } = JSON.parse(readProjectFile('tsconfig.json'));
    const scripts = listProjectFiles().filter(file => file.endsWith('.mjs'));
    const isIncluded = file => include.some(pattern => path.matchesGlob(file, pattern));
    const left = scripts.filter(file => !isIncluded(file) && !(file.startsWith('apps/') && isTestFile(file)));
    expect(scripts.length).toBeGreaterThan(100);
    expect(left).toEqual([]);
  });
});

describe('the lockfile check', () => {
  it('finds a missing optional package at any lookup depth', () => {
    const packages = {
      '': { dependencies: { a: '1' } },
      'node_modules/a': {
        version: '1.0.0',
        integrity: 'x',
        optionalDependencies: { 'a-linux': '1', 'a-mac': '1' },
      },
      'node_modules/a/node_modules/a-linux': { version: '1.0.0', integrity: 'x' },
    };
    expect(findLockProblems(packages)).toEqual(['package-lock.json: a@1.0.0 lacks a-mac']);
  });

  it('finds download addresses', () => {
    const packages = {
      'node_modules/a': { version: '1.0.0', integrity: 'x', resolved: 'https://example.test/a.tgz' },
    };
    expect(findLockProblems(packages)).toEqual(['package-lock.json: a@1.0.0 names a download address']);
  });

  it('finds a package without an integrity', () => {
    const packages = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/ours': { link: true } };
    expect(findLockProblems(packages)).toEqual(['package-lock.json: a@1.0.0 has no integrity']);
  });
});

describe('licenses', () => {
  it.each([
    ['MIT', true],
    ['(MPL-2.0 OR Apache-2.0)', true],
    ['MIT AND ISC', true],
    ['GPL-2.0-only', false],
    ['MIT AND GPL-2.0-only', false],
    ['SEE LICENSE IN LICENSE', false],
  ])('%s: %s', (expression, isAllowed) => {
    expect(isAllowedLicense(expression)).toBe(isAllowed);
  });
});

describe('the house rules check', () => {
  it.each([
    'apps/server/src/key-ring.ts',
    'apps/web/src/ui/Button.tsx',
    'a/key-ring.test.ts',
    'vite.config.ts',
    'a/0001-first.ts',
  ])('accepts the name %s', file => expect(findNameProblem(file)).toBeNull());
  it.each(['a/keyRing.ts', 'a/utils.ts', 'a/helpers.ts', 'a/Key_Ring.tsx', 'a/common.test.ts'])(
    'refuses the name %s',
    file => {
      expect(findNameProblem(file)).toContain(file);
    },
  );

  it('requires a header that states what a file is for', () => {
    expect(findHeaderProblem('a.ts', '/**\n * What.\n */')).toBeNull();
    expect(findHeaderProblem('a.mjs', '#!/usr/bin/env node\n// What.')).toBeNull();
    expect(findHeaderProblem('a.ts', `import b from './b.ts';`)).toContain('a.ts');
    expect(findHeaderProblem('a.test.ts', `import b from './b.ts';`)).toBeNull();
  });

  it('finds unfinished marks, focused tests, machine paths and download servers, with their line', () => {
    const mark = ['TO', 'DO'].join('');
    expect(findForbiddenText('a.ts', `ok\n// ${mark} later`)).toEqual([
      'a.ts:2: a marker of unfinished work',
    ]);
    expect(findForbiddenText('a.test.ts', `${'it'}.only('x')`)).toEqual(['a.test.ts:1: a focused test']);
    expect(findForbiddenText('a.md', `see ${'/home'}/anna/mail`)).toEqual([
      'a.md:1: a path of a particular machine',
    ]);
    expect(findForbiddenText('a.json', `https://${'registry'}.npmjs.org/a`)).toEqual([
      'a.json:1: an address of a package registry',
    ]);
    expect(findForbiddenText('a.ts', '/user/work/list and its method')).toEqual([]);
  });
});

describe('the dependency list', () => {
  const rows = readRows(
    '| package | workspaces | why |\n| --- | --- | --- |\n| `zod`, `pg` | server, contract | checks what comes in |',
  );

  it('reads rows that list several packages', () => {
    expect(rows.pg).toEqual({ workspaces: ['contract', 'server'], why: 'checks what comes in' });
  });

  it('reports missing, stale and wrong rows', () => {
    const problems = findDependencyProblems(
      { zod: ['contract', 'server'], pg: ['server'], pino: ['server'] },
      { ...rows, gone: rows.zod },
    );
    expect(problems).toHaveLength(3);
    expect(problems.join('\n')).toMatch(/server for pg[\s\S]*no row for pino[\s\S]*row for gone/);
  });
});
