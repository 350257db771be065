// The upload of a file for a server-side import ends with the session, and a remounted screen finds
// it. The server is mocked.
import { beforeEach, expect, test, vi } from 'vitest';
import { endWorkers } from '../../crypto/worker/session-end.ts';
import { setLanguage } from '../../lib/language.ts';
import { forgetSession } from '../../platform/storage.ts';

type Options = { readonly signal: AbortSignal; readonly onProgress: (sent: number, total: number) => void };
const server = vi.hoisted(() => ({
  asked: [] as {
    input: unknown;
    options: Options;
    answer: (id: string) => void;
    fail: (error: Error) => void;
  }[],
}));
vi.mock('../../session/calls/clients/server-imports.ts', () => ({
  serverImportsClient: {
    start_pst: (input: unknown, options: Options) =>
      new Promise((resolve, reject) => {
        options.signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
        server.asked.push({
          input,
          options,
          answer: id => resolve({ data: { import_id: id } }),
          fail: reject,
        });
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

test('sends the import options to the server and remembers the import', async () => {
  const sending = sendToServer(file, false);
  expect(server.asked[0]?.input).toEqual({ import_options: '{"folders_as_tags":false}' });
  server.asked[0]?.options.onProgress(1, 4);
  expect(seen()).toEqual({ percent: 25, problem: null, importId: '' });
  server.asked[0]?.answer('a');
  await sending;
  expect(seen()).toEqual({ percent: null, problem: null, importId: 'a' });
  expect([...kept.values()]).toContain('a');
});

test('an upload ends silently with the session, and a late response is not remembered', async () => {
  const sending = sendToServer(file, true);
  const [asked] = server.asked;
  endWorkers();
  expect(asked?.options.signal.aborted).toBe(true);
  asked?.answer('b');
  asked?.options.onProgress(1, 2);
  await sending;
  expect(seen()).toEqual({ percent: null, problem: null, importId: '' });
});

test('a failed upload gives its reason in the user’s language', async () => {
  setLanguage('de', {
    'Failed to start PST import': 'PST-Import gescheitert',
    'Not enough storage': 'Zu wenig Speicher',
  });
  const sending = sendToServer(file, false);
  server.asked[0]?.fail(new Error('Not enough storage'));
  await sending;
  setLanguage('en', {});
  expect(seen()).toMatchObject({ percent: null, problem: 'PST-Import gescheitert: Zu wenig Speicher' });
});

test('a running import is remembered until the session ends', async () => {
  keepImport('c');
  expect(kept.get('server_import')).toBe('c');
  await forgetSession();
  expect(kept.has('server_import')).toBe(false);
});
