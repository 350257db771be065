// Every known-answer test of vectors/ in Node, once with native primitives and once with JavaScript
// ones.

import { readFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { runVectors, type VectorFiles } from '../browser/vector-run.ts';
import { loadPrimitives, setPrimitives } from './primitives/select.ts';

const folder = new URL('./vectors/', import.meta.url);
const files: VectorFiles = {
  json: async name => JSON.parse(await readFile(new URL(name, folder), 'utf8')),
  bytes: async name => new Uint8Array(await readFile(new URL(name, folder))),
};

afterEach(() => setPrimitives(null));

for (const origin of ['native', 'node', 'javascript'] as const)
  it(`every known answer passes with ${origin} primitives`, async () => {
    setPrimitives(
      await loadPrimitives(
        origin === 'node'
          ? { node: true }
          : { classic: origin, x25519: origin, mlkem1024: origin, argon2id: origin },
      ),
    );
    const { checked, failures } = await runVectors(files);
    expect(failures).toEqual([]);
    expect(checked).toBeGreaterThan(120);
  });
