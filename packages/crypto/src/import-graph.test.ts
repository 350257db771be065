// Checks the import graph: modules the server may import never reach private-key code, and the
// package imports only its own files and the audited libraries. Covers dynamic imports.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('./', import.meta.url);
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;
const LIBRARIES = ['@noble/ciphers', '@noble/curves', '@noble/hashes', '@noble/post-quantum', 'hash-wasm'];
const PRIVATE = [
  'vault',
  'login',
  'opener',
  'record',
  'recovery',
  'retired',
  'search-index',
  'import-name',
  'derivation',
];
const SERVER_ENTRIES = ['message', 'fingerprint', 'params', 'errors', 'attachment', 'key-log/hashes'];

function importsOf(path: string): string[] {
  return [...readFileSync(new URL(path, folder), 'utf8').matchAll(IMPORT)].map(match => match[1] as string);
}

function reachableFrom(entry: string): Set<string> {
  const seen = new Set<string>();
  const queue = [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const name of importsOf(path))
      if (name.startsWith('.'))
        queue.push(new URL(name, new URL(path, folder)).href.slice(folder.href.length));
  }
  return seen;
}

const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map(path => path.replaceAll('\\', '/'));

describe.each(SERVER_ENTRIES)('%s, which the server may import', entry => {
  it('does not reach vaults, passwords or private keys', () => {
    const reached = reachableFrom(`${entry}.ts`);
    expect(PRIVATE.filter(name => reached.has(`${name}.ts`))).toEqual([]);
  });
});

it('detects imports at all', () => {
  expect(reachableFrom('message.ts').has('primitives/javascript-mlkem.ts')).toBe(true);
  expect(reachableFrom('vault.ts').has('derivation.ts')).toBe(true);
});

it('the package exports only its listed entries', () => {
  const { exports } = JSON.parse(readFileSync(new URL('../package.json', folder), 'utf8'));
  const entries = [
    ...SERVER_ENTRIES,
    'opener',
    'vault',
    'login',
    'record',
    'recovery',
    'recovery-phrase',
    'retired',
    'search-index',
    'import-name',
    'key-log',
  ];
  expect(Object.keys(exports).sort()).toEqual(entries.map(name => `./${name}`).sort());
});

describe.each(sources)('%s', path => {
  it('imports only its own package, and audited libraries only in primitives', () => {
    const foreign = importsOf(path).filter(name => !name.startsWith('.'));
    const isAllowed = (name: string) =>
      path.startsWith('primitives/javascript-') &&
      LIBRARIES.some(library => name === library || name.startsWith(`${library}/`));
    expect(foreign.filter(name => !isAllowed(name))).toEqual([]);
  });

  it('stays under 400 lines and starts with a header comment', () => {
    const text = readFileSync(new URL(path, folder), 'utf8');
    expect(text.split('\n').length).toBeLessThan(400);
    expect(text.startsWith('// ')).toBe(true);
  });
});
