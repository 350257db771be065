import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findViolations } from './boundaries.mjs';
import { compareWithMarks, readMarks } from './boundary-canary.mjs';
import { DISTRICTS, isAllowedServerImport, WEB_FEATURES, WEB_LAYERS } from './boundary-rules.mjs';
import { findExport, readImports } from './import-graph.mjs';

describe('readImports', () => {
  const specifiers = text => readImports('a.tsx', text).imports.map(one => one.specifier);

  it('finds every form of import', () => {
    const text = `
      import './effect.ts'; import a from './default.ts'; import * as b from './star.ts';
      export { c } from './export.ts'; export * from './all.ts'; const d = await import('./dynamic.ts');
      type E = import('./type.ts').E; const w = new Worker(new URL('./worker.ts', import.meta.url));`;
    const expected = ['all', 'default', 'dynamic', 'effect', 'export', 'star', 'type', 'worker'];
    expect(specifiers(text).sort()).toEqual(expected.map(name => `./${name}.ts`));
  });

  it('ignores comments and strings', () => {
    expect(
      specifiers(`// import './a.ts'\nconst b = "import './c.ts'"; /* export * from './d.ts' */`),
    ).toEqual([]);
  });

  it('distinguishes type-only imports from runtime imports', () => {
    const read = readImports(
      'a.ts',
      `import type { A } from './a.ts';\nimport { type B, c } from './b.ts';`,
    ).imports;
    expect(read).toEqual([
      { specifier: './a.ts', line: 1, isType: true },
      { specifier: './b.ts', line: 2, isType: false },
    ]);
  });

  it('finds every spelling of an environment read', () => {
    const text = `import { env } from 'node:process';\nprocess.env.A;\nprocess['env'].B;\nother.env.C;\nreadConfig(process.env);`;
    expect(readImports('a.ts', text).environmentLines.sort()).toEqual([1, 2, 3]);
  });

  it('throws for a file it cannot parse', () => {
    expect(() => readImports('a.ts', 'import {')).toThrow('cannot be parsed');
  });
});

describe('findExport', () => {
  it('resolves plain and wildcard entries only', () => {
    const entries = { './message': './src/message.ts', './mime/*': './src/mime/*.ts' };
    expect(findExport(entries, './message')).toBe('./src/message.ts');
    expect(findExport(entries, './mime/parse')).toBe('./src/mime/parse.ts');
    expect(findExport(entries, './primitives/aes')).toBeNull();
  });
});

describe('isAllowedServerImport', () => {
  const at = file => `apps/server/src/${file}`;
  it.each([
    ['main.ts', 'app.ts', true],
    ['http/server.ts', 'features/reading/tags/routes.ts', true],
    ['http/server.ts', 'features/reading/tags/store.ts', false],
    ['smtp/inbound/session.ts', 'features/inbound/ingest/index.ts', true],
    ['smtp/inbound/session.ts', 'features/inbound/ingest/service.ts', false],
    ['smtp/inbound/session.ts', 'db/pool.ts', false],
    ['features/reading/tags/routes.ts', 'context/call-context.ts', true],
    ['features/reading/tags/routes.ts', 'http/server.ts', false],
    ['features/reading/tags/store.ts', 'features/reading/tags/service.ts', false],
    ['features/reading/tags/store.ts', 'adapters/clock.ts', false],
    ['features/reading/tags/service.ts', 'adapters/clock.ts', true],
    ['db/pool.ts', 'features/reading/tags/store.ts', false],
    ['base/limits.ts', 'db/pool.ts', false],
    ['features/reading/tags/service.ts', 'features/mailbox/messages/index.ts', true],
    ['features/mailbox/messages/service.ts', 'features/reading/tags/index.ts', false],
    ['features/reading/tags/service.ts', 'elsewhere/new.ts', false],
  ])('%s may import %s: %s', (from, to, isAllowed) => {
    expect(isAllowedServerImport(at(from), at(to))).toBe(isAllowed);
  });
});

/** Returns the packages that import themselves directly or indirectly. */
function findCyclic(imports) {
  const reaches = (from, wanted, seen = new Set()) =>
    (imports[from] ?? []).some(
      next => next === wanted || (!seen.has(next) && reaches(next, wanted, seen.add(next))),
    );
  return Object.keys(imports).filter(name => reaches(name, name));
}

describe('the tables of allowed imports', () => {
  const tables = {
    'districts of the server': DISTRICTS,
    'features of the web client': WEB_FEATURES,
    ...WEB_LAYERS,
  };
  it.each(Object.keys(tables))('have no cycle: %s', name => {
    expect(findCyclic(tables[name])).toEqual([]);
  });

  it('would reveal a cycle', () => {
    expect(findCyclic({ a: ['b'], b: ['c'], c: ['a'], d: ['a'] })).toEqual(['a', 'b', 'c']);
  });

  it('list at most twelve server districts', () => {
    expect(Object.keys(DISTRICTS).length).toBeLessThanOrEqual(12);
  });
});

describe('findViolations', () => {
  let base;
  beforeEach(() => {
    base = mkdtempSync(path.join(os.tmpdir(), 'imports-'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));
  const write = (file, text) => {
    mkdirSync(path.dirname(path.join(base, file)), { recursive: true });
    writeFileSync(path.join(base, file), text);
    return file;
  };

  it('finds private-key code behind any number of imports, unless only its types are used', () => {
    const exports = { './message': './src/message.ts', './vault': './src/vault.ts' };
    write('packages/crypto/package.json', JSON.stringify({ name: '@keyfold/crypto', exports }));
    const step = write('packages/crypto/src/step.ts', `export * from './vault.ts';`);
    const files = [
      write('apps/server/src/features/mail/service.ts', `import { seal } from '@keyfold/crypto/message';`),
      write('packages/crypto/src/message.ts', `export { step as seal } from './step.ts';`),
      step,
      write('packages/crypto/src/vault.ts', 'export const step = 1;'),
    ];
    expect(findViolations(base, files)).toMatchObject([{ rule: 'server-private-keys', from: step, line: 1 }]);
    write('packages/crypto/src/step.ts', `export type { step } from './vault.ts';`);
    expect(findViolations(base, files)).toEqual([]);
  });

  it('finds crypto on the main thread of the page, but not in a worker or as types', () => {
    const exports = { './message': './src/message.ts' };
    write('packages/crypto/package.json', JSON.stringify({ name: '@keyfold/crypto', exports }));
    const opened = `import { open } from '@keyfold/crypto/message';\nexport const opened = open;`;
    const files = [
      write('packages/crypto/src/message.ts', 'export const open = 1;'),
      write('apps/web/src/crypto/opened.ts', opened),
      write('apps/web/src/main.tsx', `void import('./crypto/opened.ts');`),
    ];
    expect(findViolations(base, files)).toMatchObject([
      { rule: 'main-thread-crypto', from: 'apps/web/src/crypto/opened.ts', line: 1 },
    ]);
    write('apps/web/src/main.tsx', `import url from './crypto/opened.ts?worker&url';\nexport { url };`);
    expect(findViolations(base, files)).toEqual([]);
    write(
      'apps/web/src/main.tsx',
      `import type { opened } from './crypto/opened.ts';\nexport type { opened };`,
    );
    expect(findViolations(base, files)).toEqual([]);
  });

  it('lets tests ignore the import rules within their package', () => {
    write('apps/server/src/http/server.ts', 'export const server = 1;');
    const file = write(
      'apps/server/src/features/reading/tags/tags.test.ts',
      `import { server } from '../../../http/server.ts';`,
    );
    expect(findViolations(base, [file])).toEqual([]);
  });
});

describe('the canary', () => {
  it('reads several rules from one line', () => {
    const text = `x; // violates: a-rule, b-rule biome: noEnum\ny; // biome: noConsole`;
    expect(readMarks('f.ts', text)).toEqual([
      'f.ts:1 a-rule',
      'f.ts:1 b-rule',
      'f.ts:1 biome/noEnum',
      'f.ts:2 biome/noConsole',
    ]);
  });

  it('fails for an unreported mark, an unmarked report and a rule without a violation', () => {
    expect(compareWithMarks(['f:1 a'], ['f:2 b'], ['a', 'c'])).toEqual([
      'not reported: f:1 a',
      'reported but not marked: f:2 b',
      'the canary has no violation of c',
    ]);
  });
});
