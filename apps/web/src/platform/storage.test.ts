// Files are gone after signing out although a worker that was just ended still had one open. The file system is a stand-in:
// like the browser's it refuses to remove what is open.
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

test('a file that is let go a moment later is removed all the same', async () => {
  files.add('export').add('search');
  open.add('export');
  setTimeout(() => open.clear(), 250);
  await forgetSession();
  expect([...files]).toEqual([]);
});

test('what comes into being meanwhile is removed too', async () => {
  files.add('export').add('search');
  open.add('search');
  setTimeout(() => {
    open.clear();
    files.add('export');
  }, 50);
  await forgetSession();
  expect([...files]).toEqual([]);
});
