import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashInputs } from './web-build.mjs';

let root;
function write(file, text) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'build-'));
  write('apps/web/index.html', '<div></div>');
  write('apps/web/src/main.tsx', 'one');
  write('packages/mail/src/limits.ts', 'two');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('hashInputs', () => {
  it('changes with a source, the page or a package it is built from', () => {
    const before = hashInputs(root);
    write('apps/web/src/main.tsx', 'ONE');
    const second = hashInputs(root);
    write('apps/web/index.html', '<p></p>');
    const third = hashInputs(root);
    write('packages/mail/src/limits.ts', 'TWO');
    expect(new Set([before, second, third, hashInputs(root)]).size).toBe(4);
  });

  it('changes when a file is renamed with the same bytes', () => {
    const before = hashInputs(root);
    rmSync(path.join(root, 'apps/web/src/main.tsx'));
    write('apps/web/src/start.tsx', 'one');
    expect(hashInputs(root)).not.toBe(before);
  });

  it('stays the same when only tests or the server change', () => {
    const before = hashInputs(root);
    write('apps/web/src/main.test.tsx', 'test');
    write('apps/server/src/main.ts', 'server');
    expect(hashInputs(root)).toBe(before);
  });
});
