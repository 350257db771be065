// The upload of a file for the server ends with the session, and a screen that comes back finds it. The server is a stand-in.
import { beforeEach, expect, test, vi } from 'vitest';
import { endWorkers } from '../../crypto/worker/session-end.ts';
import { forgetSession } from '../../platform/storage.ts';

type Options = { readonly signal: AbortSignal; readonly onProgress: (sent: number, total: number) => void };
const server = vi.hoisted(() => ({
  asked: [] as { input: unknown; options: Options; answer: (id: string) => void }[],
}));
vi.mock('../../session/calls/clients/server-imports.ts', () => ({
  serverImportsClient: {
    start_pst: (input: unknown, options: Options) =>
      new Promise((resolve, reject) => {
        options.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        server.asked.push({ input, options, answer: id => resolve({ data: { import_id: id } }) });
      }),
  },
}));
let seen: () => unknown = () => null;
vi.mock('react', () => ({
  useSyncExternalStore: (_: unknown, read: () => unknown) => {
    seen = read;
    return read();
  },
}));
const kept = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => kept.set(key, value),
  removeItem: (key: string) => kept.delete(key),
});

vi.stubGlobal('indexedDB', {});

const { keepImport, putAway, sendToServer, useServerUpload: look } = await import('./server-upload.ts');
look();
const file = new File(['x'], 'old.pst');

beforeEach(() => {
  server.asked.length = 0;
  putAway();
});

test('what is asked for is said to the server, and its import is remembered', async () => {
  const sending = sendToServer(file, false);
  expect(server.asked[0]?.input).toEqual({ import_options: '{"folders_as_tags":false}' });
  server.asked[0]?.options.onProgress(1, 4);
  expect(seen()).toEqual({ percent: 25, problem: null, importId: '' });
  server.asked[0]?.answer('a');
  await sending;
  expect(seen()).toEqual({ percent: null, problem: null, importId: 'a' });
  expect([...kept.values()]).toContain('a');
});

test('it ends with the session, silently, and what the server still answers is not remembered', async () => {
  const sending = sendToServer(file, true);
  const [asked] = server.asked;
  endWorkers();
  expect(asked?.options.signal.aborted).toBe(true);
  asked?.answer('b');
  asked?.options.onProgress(1, 2);
  await sending;
  expect(seen()).toEqual({ percent: null, problem: null, importId: '' });
});

test('what the server runs is shown again after a reload, and forgotten with the session', async () => {
  keepImport('c');
  expect(kept.get('server_import')).toBe('c');
  await forgetSession();
  expect(kept.has('server_import')).toBe(false);
});
