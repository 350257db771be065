// Code verification in the service worker with an honest server, a compromised one, and one that is
// compromised later.
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CodeGuard, readCodeState } from './service-worker-code.ts';

const signedPath = '/.well-known/keyfold/client.json';
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const bytesOf = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;

/** In-memory implementation of the browser's caches. */
function makeCaches() {
  const all = new Map<string, Map<string, Response>>();
  const open = async (name: string) => {
    const files = all.get(name) ?? new Map<string, Response>();
    all.set(name, files);
    return {
      match: async (file: string) => files.get(file)?.clone(),
      put: async (file: string, answer: Response) => void files.set(file, answer),
    };
  };
  return { open };
}

type Release = {
  readonly number: string;
  readonly files: Record<string, string>;
};
const release = (number: string, page = `page ${number}`): Release => ({
  number,
  files: { 'index.html': page, 'bundle.a.js': `script ${number}`, 'service-worker.js': `worker ${number}` },
});
const listOf = ({ number, files }: Release): string =>
  `# Keyfold ${number}, built of ab12\n${Object.entries(files)
    .map(([name, text]) => `${hashOf(text)}  ${name}\n`)
    .join('')}`;

const rawOf = (key: KeyObject): string =>
  Buffer.from((key.export({ format: 'jwk' }) as { x: string }).x, 'base64url').toString('base64');
const ours = generateKeyPairSync('ed25519');
const theirs = generateKeyPairSync('ed25519');

type Served = Record<string, string | null>;
let served: Served = {};
let told = 0;

const signedBy = ({ privateKey, publicKey }: typeof ours, list: string, context = 'keyfold web client\n') =>
  JSON.stringify({
    list,
    key: rawOf(publicKey),
    signature: sign(null, Buffer.from(context + list), privateKey).toString('base64'),
  });
function serve(one: Release, keys = ours): void {
  served = { [signedPath]: signedBy(keys, listOf(one)) };
  for (const [name, text] of Object.entries(one.files)) served[`/${name}`] = text;
}
/** Serves the list of a release by hash, as when the servers run another release. */
const byHashes = (what: Release, keys = ours): Served =>
  Object.fromEntries(
    ['index.html', 'service-worker.js'].map(name => [
      `/.well-known/keyfold/client.${hashOf(what.files[name] ?? '')}.json`,
      signedBy(keys, listOf(what)),
    ]),
  );
/** Serves only this release. */
function serveOnly(what: Served): void {
  served = what;
}
const guardOf = (one: Release) =>
  new CodeGuard(hashOf(one.files['index.html'] ?? ''), `shell-${one.number}`, () => {
    told += 1;
  });

const one = release('1.0.0');
const two = release('2.0.0');
let guard: CodeGuard;

beforeEach(async () => {
  told = 0;
  vi.stubGlobal('caches', makeCaches());
  vi.stubGlobal('fetch', async (at: string) => {
    const text = served[at];
    if (text === null) throw new TypeError('Failed to fetch');
    return new Response(text ?? 'none', { status: text === undefined ? 404 : 200 });
  });
  serve(one);
  guard = guardOf(one);
  await guard.begin();
  await guard.take(false);
});
afterEach(() => vi.unstubAllGlobals());

const alarm = async () => (await readCodeState())?.alarm ?? null;
const versions = async () => (await readCodeState())?.versions.map(({ title }) => title);
const shows = (text: string) => guard.mayShow(bytesOf(text));

describe('the first visit', () => {
  test('pins the key and reports nothing', async () => {
    expect(await readCodeState()).toMatchObject({ key: rawOf(ours.publicKey), is_told: true, alarm: null });
    expect(await versions()).toEqual(['Keyfold 1.0.0, built of ab12']);
  });

  test('accepts its own files and no others', async () => {
    expect(await guard.isKnown('/bundle.a.js', bytesOf('script 1.0.0'))).toBe(true);
    expect(await guard.isKnown('/bundle.a.js', bytesOf('script 1.0.0 and more'))).toBe(false);
    expect(await guard.isKnown('/bundle.b.js', bytesOf('script 1.0.0'))).toBe(false);
    // After a restart of the worker, from its stored state.
    expect(await guardOf(one).isKnown('/bundle.a.js', bytesOf('script 1.0.0'))).toBe(true);
  });

  test('requests a lost file list, signed by the pinned key, and shows no other page', async () => {
    const lost = new CodeGuard(hashOf('page 1.0.0'), 'shell-lost', () => undefined);
    expect(await lost.isKnown('/bundle.a.js', bytesOf('script 1.0.0'))).toBe(true);
    serve(one, theirs);
    const turned = new CodeGuard(hashOf('page 1.0.0'), 'shell-other', () => undefined);
    expect(await turned.isKnown('/bundle.a.js', bytesOf('script 1.0.0'))).toBe(false);
    expect(await turned.mayShow(bytesOf('page 6.6.6'))).toBe(false);
    expect(await turned.mayShow(bytesOf('page 1.0.0'))).toBe(true);
  });

  test('without Ed25519 support it relies on hashes alone, and pins the key once it is supported', async () => {
    vi.stubGlobal('caches', makeCaches());
    const unable = vi
      .spyOn(crypto.subtle, 'importKey')
      .mockRejectedValue(new DOMException('No', 'NotSupportedError'));
    await guard.begin();
    expect(await readCodeState()).toMatchObject({ key: '' });
    expect(await guard.isKnown('/bundle.a.js', bytesOf('other'))).toBe(false);
    unable.mockRestore();
    await guard.begin();
    expect(await readCodeState()).toMatchObject({ key: rawOf(ours.publicKey) });
  });
});

describe('a new version', () => {
  test('that the pinned key signed is shown with its files, and announced once', async () => {
    serve(two);
    expect(await shows('page 2.0.0')).toBe(true);
    expect(await guard.isKnown('/bundle.a.js', bytesOf('script 2.0.0'))).toBe(true);
    expect(await guard.isKnown('/bundle.a.js', bytesOf('script 1.0.0'))).toBe(true);
    expect(await readCodeState()).toMatchObject({ is_told: false, alarm: null });
    expect(await versions()).toEqual(['Keyfold 2.0.0, built of ab12', 'Keyfold 1.0.0, built of ab12']);
    expect(told).toBeGreaterThan(0);
    const next = guardOf(two);
    await next.begin();
    await next.take(false);
    await next.setTold();
    expect(await readCodeState()).toMatchObject({ is_told: true });
    expect(await versions()).toHaveLength(2);
  });

  test('that the user requested is not announced', async () => {
    serve(two);
    const next = guardOf(two);
    await next.begin();
    await next.take(true);
    expect(await readCodeState()).toMatchObject({ is_told: true });
  });

  test('is found even if the first responses come from a server with the old version', async () => {
    serve(two);
    let looks = 0;
    const answer = fetch;
    vi.stubGlobal('fetch', (at: string) =>
      at === signedPath && looks++ < 2
        ? Promise.resolve(new Response(signedBy(ours, listOf(one))))
        : answer(at),
    );
    expect(await shows('page 2.0.0')).toBe(true);
    expect(await alarm()).toBeNull();
  });

  test('is found by its page and worker, and installed, while the servers still have the old version', async () => {
    serveOnly({ ...served, ...byHashes(two), '/service-worker.js': 'worker 2.0.0' });
    expect(await shows('page 2.0.0')).toBe(true);
    expect(await guard.isWorkerKnown()).toBe(true);
    expect(await alarm()).toBeNull();
    const next = guardOf(two);
    await next.begin();
    await next.take(true);
    expect(await next.isKnown('/bundle.a.js', bytesOf('script 2.0.0'))).toBe(true);
  });

  test('can go back to the old version while the servers have the new one', async () => {
    serve(two);
    expect(await shows('page 2.0.0')).toBe(true);
    serveOnly({ ...served, ...byHashes(one) });
    const lost = new CodeGuard(hashOf('page 1.0.0'), 'shell-lost', () => undefined);
    expect(await lost.isKnown('/bundle.a.js', bytesOf('script 1.0.0'))).toBe(true);
    expect(await alarm()).toBeNull();
  });
});

describe('code that must not run', () => {
  test('signed by another key is not shown and is reported, until the server is correct again', async () => {
    serve(two, theirs);
    expect(await shows('page 2.0.0')).toBe(false);
    expect(await alarm()).toMatchObject({ reason: 'other-key', key: rawOf(theirs.publicKey) });
    await expect(guardOf(two).begin()).rejects.toThrow();
    expect(await guard.isKnown('/bundle.a.js', bytesOf('script 2.0.0'))).toBe(false);
    expect(await versions()).toHaveLength(1);
    serve(one);
    expect(await shows('page 1.0.0')).toBe(true);
    expect(await alarm()).toBeNull();
  });

  test.each<[string, () => void]>([
    ['a page that the signed list does not name', () => serve(one)],
    ['a list without a signature', () => serve(two, ours)],
    ['no list', () => serveOnly({})],
    [
      'a list of another build in the place of its own',
      () =>
        serveOnly({
          ...served,
          [`/.well-known/keyfold/client.${hashOf('page 2.0.0')}.json`]: signedBy(ours, listOf(one)),
        }),
    ],
    ['a signature for something else', () => serveOnly({ [signedPath]: signedBy(ours, listOf(two), '') })],
    ['a key that is none', () => serveOnly({ [signedPath]: '{"list":"","key":"AAAA","signature":"AAAA"}' })],
  ])('is not shown and is reported: %s', async (what, prepare) => {
    prepare();
    if (what === 'a list without a signature')
      served[signedPath] = JSON.stringify({ ...JSON.parse(served[signedPath] ?? ''), signature: 'AAAA' });
    expect(await shows('page 2.0.0')).toBe(false);
    expect(await alarm()).toMatchObject({ reason: 'altered', key: '' });
  });

  test('listed for its build by another key is not shown and is reported with that key', async () => {
    serveOnly({ ...served, ...byHashes(two, theirs) });
    expect(await shows('page 2.0.0')).toBe(false);
    expect(await alarm()).toMatchObject({ reason: 'other-key', key: rawOf(theirs.publicKey) });
  });

  test('another page without a list is not shown, and gives no warning while the server is unavailable', async () => {
    serveOnly({ [signedPath]: null });
    expect(await shows('page 2.0.0')).toBe(false);
    vi.stubGlobal('fetch', async () => new Response('Bad Gateway', { status: 502 }));
    expect(await shows('page 2.0.0')).toBe(false);
    expect(await alarm()).toBeNull();
  });

  test('another worker, which the browser installs anyway, is reported', async () => {
    serve({ ...one, files: { ...one.files, 'service-worker.js': 'worker 2.0.0' } });
    served['/service-worker.js'] = 'a worker that lets all through';
    expect(await guard.isWorkerKnown()).toBe(false);
    expect(await alarm()).toMatchObject({ reason: 'altered' });
  });

  test('a signed worker is accepted, and without a network nothing is reported', async () => {
    serve(two);
    expect(await guard.isWorkerKnown()).toBe(true);
    served['/service-worker.js'] = null;
    expect(await guard.isWorkerKnown()).toBe(false);
    expect(await alarm()).toBeNull();
  });

  test('is not installed with a list of another version, and gives no warning', async () => {
    await expect(guardOf(two).begin()).rejects.toThrow('of another version');
    expect(await alarm()).toBeNull();
  });
});

describe('another key', () => {
  test('is trusted only when the user confirms exactly that key', async () => {
    serve(two, theirs);
    await shows('page 2.0.0');
    await guard.trust(rawOf(generateKeyPairSync('ed25519').publicKey));
    await guard.trust('');
    expect(await readCodeState()).toMatchObject({
      key: rawOf(ours.publicKey),
      alarm: { reason: 'other-key' },
    });
    await guard.trust(rawOf(theirs.publicKey));
    expect(await readCodeState()).toMatchObject({ key: rawOf(theirs.publicKey), alarm: null });
    expect(await shows('page 2.0.0')).toBe(true);
    serve(one, ours);
    expect(await shows('page 1.5.0')).toBe(false);
  });
});
