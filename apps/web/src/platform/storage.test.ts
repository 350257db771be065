// Files are gone after signing out even if a worker that was just terminated still had one open.
// The file system is a stub that, like the browser's, refuses to remove open files.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetSession } from './storage.ts';

const files = new Set<string>();
const open = new Set<string>();

beforeEach(() => {
  files.clear();
  open.clear();
  vi.stubGlobal('indexedDB', {});
  vi.stubGlobal('navigator', {
    storage: {
      getDirectory: async () => ({
        keys: async function* () {
          yield* files;
        },
        removeEntry: async (name: string) => {
          if (open.has(name)) throw new DOMException('', 'NoModificationAllowedError');
          files.delete(name);
        },
      }),
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a file that is closed a moment later is still deleted', async () => {
  files.add('export').add('search');
  open.add('export');
  setTimeout(() => open.clear(), 250);
  await forgetSession();
  expect([...files]).toEqual([]);
});

test('a file created during the deletion is deleted too', async () => {
  files.add('export').add('search');
  open.add('search');
  setTimeout(() => {
    open.clear();
    files.add('export');
  }, 50);
  await forgetSession();
  expect([...files]).toEqual([]);
});
