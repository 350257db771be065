// Installs the service worker itself with stubs of the browser's caches and of a server, to see
// which files it stores before it may take over.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';

const site = 'https://mail.test';
const listFile = '/.well-known/keyfold/client.json';
const catalogs = { de: '/bundle.de.2222222.js', fr: '/bundle.fr.2222222.js' };
const program: Readonly<Record<string, string>> = {
  '/index.html': '<p>page 2',
  '/bundle.index.2222222.js': 'start()',
  [catalogs.de]: 'German texts',
  [catalogs.fr]: 'French texts',
};
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** In-memory implementation of the browser's caches. */
function makeCaches(all: Map<string, Map<string, Response>>) {
  const find = (name: string, file: string) => all.get(name)?.get(file)?.clone();
  return {
    open: async (name: string) => {
      const files = all.get(name) ?? new Map<string, Response>();
      all.set(name, files);
      return {
        match: async (file: string) => find(name, file),
        put: async (file: string, answer: Response) => void files.set(file, answer),
      };
    },
    match: async (file: string, { cacheName = '' } = {}) =>
      cacheName === '' ? [...all.keys()].map(name => find(name, file)).find(Boolean) : find(cacheName, file),
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
  };
}

/** The response of a server that signs this version and serves all of it except `missing`. */
function makeServer(missing: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const lines = Object.entries(program).map(([file, text]) => `${hashOf(text)}  ${file.slice(1)}\n`);
  const list = `# Keyfold 2.0.0, built of ab12\n${lines.join('')}`;
  const signed = JSON.stringify({
    list,
    key: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64'),
    signature: sign(null, Buffer.from(`keyfold web client\n${list}`), privateKey).toString('base64'),
  });
  return async (wanted: string | Request): Promise<Response> => {
    const file = typeof wanted === 'string' ? wanted : new URL(wanted.url).pathname;
    const text = file === listFile ? signed : file === missing ? undefined : program[file];
    return new Response(text ?? 'none', { status: text === undefined ? 404 : 200 });
  };
}

type Handle = (event: object) => void;
let stored: Map<string, Map<string, Response>>;
let handlers: Map<string, Handle>;

/** Starts the worker of version 2 on a device with this language; the server lacks `missing`. */
async function startWorker(language: string, missing = ''): Promise<void> {
  vi.resetModules();
  handlers = new Map();
  stored = new Map([
    ['page-language', new Map([['/page-language', new Response(language)]])],
    ['shell-1', new Map([['/index.html', new Response('<p>page 1')]])],
  ]);
  const files = ['/index.html', '/bundle.index.2222222.js'];
  vi.stubGlobal('SHELL', { version: '2', page: hashOf(program['/index.html'] ?? ''), files, catalogs });
  vi.stubGlobal('caches', makeCaches(stored));
  vi.stubGlobal('fetch', makeServer(missing));
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(at: string, options?: RequestInit) {
        super(new URL(at, site), options);
      }
    },
  );
  vi.stubGlobal('addEventListener', (type: string, handle: Handle) => handlers.set(type, handle));
  vi.stubGlobal('registration', Object.assign(new EventTarget(), { installing: null, waiting: null }));
  vi.stubGlobal('clients', { matchAll: async () => [], claim: async () => undefined });
  await import('./service-worker.ts');
}

/** Sends an event to the worker; resolves when the worker has finished with it. */
async function send(type: string, more: object = {}): Promise<void> {
  const work: unknown[] = [];
  handlers.get(type)?.({ ...more, waitUntil: (one: unknown) => work.push(one) });
  await Promise.all(work);
}
const storedFiles = (): string[] =>
  [...(stored.get('shell-2')?.keys() ?? [])].filter(file => file in program).sort();
const shell = ['/bundle.index.2222222.js', '/index.html'];

afterEach(() => void vi.unstubAllGlobals());

test('a new version stores the texts of the language in use before it takes over, and no others', async () => {
  await startWorker('de');
  await send('install');
  expect(storedFiles()).toEqual([catalogs.de, ...shell].sort());
  for (const language of ['en', 'constructor', '']) {
    await startWorker(language);
    await send('install');
    expect(storedFiles()).toEqual(shell);
  }
});

test('a new version whose texts cannot be fetched is not installed', async () => {
  await startWorker('de', catalogs.de);
  await expect(send('install')).rejects.toThrow('missing');
  await startWorker('de', catalogs.fr);
  await send('install');
});

test('a version that waits stores the texts of a language that was chosen since', async () => {
  await startWorker('de');
  await send('install');
  expect(storedFiles()).not.toContain(catalogs.fr);
  stored.set('page-language', new Map([['/page-language', new Response('fr')]]));
  await send('message', { data: 'language', ports: [] });
  expect(storedFiles()).toContain(catalogs.fr);
});

test('the texts are stored at the latest when the version takes over, before the previous one is removed', async () => {
  await startWorker('en');
  await send('install');
  stored.set('page-language', new Map([['/page-language', new Response('de')]]));
  await send('activate');
  expect(storedFiles()).toContain(catalogs.de);
  expect([...stored.keys()]).not.toContain('shell-1');
});

test('a connection that stalls does not keep a version from taking over', async () => {
  await startWorker('en');
  await send('install');
  stored.set('page-language', new Map([['/page-language', new Response('de')]]));
  vi.stubGlobal('fetch', () => new Promise<never>(() => undefined));
  vi.useFakeTimers();
  try {
    const activated = send('activate');
    await vi.advanceTimersByTimeAsync(4_000);
    await activated;
  } finally {
    vi.useRealTimers();
  }
  expect([...stored.keys()]).not.toContain('shell-1');
});
