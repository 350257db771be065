// Two machines of one service run different builds of the web client, as during an upgrade, behind
// a load balancer that sends any request to either.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClient } from '../../../../tests/harness/client.ts';
import { type App, startApp } from '../../../app.ts';
import { createMasterKey } from '../../../base/master-key.ts';
import { CLIENT_BUILDS_KEPT, findClientFile, shareClientFiles } from './service.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const root = mkdtempSync(path.join(os.tmpdir(), 'kf-builds-'));

type Build = {
  readonly root: string;
  readonly files: Readonly<Record<string, string>>;
  readonly list: string;
};

/** Creates a built client as tools/web-build.mjs writes it, with its precompressed variants. */
function makeBuild(name: string): Build {
  const folder = path.join(root, name);
  const script = `bundle.index.${name}aaaa.js`;
  const files = {
    [script]: `start(${JSON.stringify(name.repeat(500))})`,
    [`assets/index.${name}bbbb.css`]: `.${name}{}`,
    'bundle.shared.cccccccc.js': 'the same in all builds',
    'index.html': `<!doctype html><script type="module" src="/${script}"></script>`,
    'service-worker.js': `worker(${name})`,
    'theme-start.js': `theme(${name})`,
  };
  mkdirSync(path.join(folder, 'assets'), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  writeFileSync(path.join(folder, `${script}.br`), brotliCompressSync(files[script] ?? ''));
  const lines = Object.entries(files).map(([file, text]) => `${hashOf(text)}  ${file}\n`);
  const list = `# Keyfold ${name}, built of 00\n${lines.join('')}`;
  writeFileSync(path.join(folder, 'hashes.txt'), list);
  return { root: folder, files, list };
}

const [before, after] = [makeBuild('before'), makeBuild('after')];
let old: TestApp;
let young: App;
let ask: ReturnType<typeof createTestClient>['fetch'][];
beforeAll(async () => {
  old = await startTestApp({ webRoot: before.root, config: { databaseUrl: 'postgres://one.for/all' } });
  young = await startApp(old.config, old.database.connection, {
    webRoot: after.root,
    build: null,
    masterKey: old.deps.masterKey,
  });
  ask = [old.client().fetch, createTestClient(`http://127.0.0.1:${young.httpPort}`).fetch];
});
afterAll(async () => {
  await young?.close();
  await old?.close();
  rmSync(root, { recursive: true });
});

const hashed = ({ files }: Build) =>
  Object.entries(files).filter(([name]) => /^(?:bundle|assets)/.test(name));

test('every machine serves the files of a page from any other machine', async () => {
  for (const get of ask)
    for (const [name, text] of [...hashed(before), ...hashed(after)])
      for (const encoding of ['identity', 'gzip, br']) {
        const reply = await get(`/${name}`, { headers: { 'accept-encoding': encoding } });
        expect(reply.status, name).toBe(200);
        expect(await reply.text()).toBe(text);
        expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(reply.headers.get('content-type')).toMatch(name.endsWith('.css') ? 'text/css' : 'javascript');
        expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      }
});

test('a file from another machine is served compressed to clients that accept it', async () => {
  const reply = await ask[0]?.('/bundle.index.afteraaaa.js', {
    method: 'HEAD',
    headers: { 'accept-encoding': 'br' },
  });
  expect(reply?.headers.get('content-encoding')).toBe('br');
  expect(reply?.headers.get('vary')).toBe('accept-encoding');
});

test('every machine finds a signed list by the page and worker that it names', async () => {
  for (const [index, get] of ask.entries())
    for (const [number, build] of [before, after].entries())
      for (const name of ['index.html', 'service-worker.js']) {
        const reply = await get(`/.well-known/keyfold/client.${hashOf(build.files[name] ?? '')}.json`);
        const signed = (await reply.json()) as { list: string };
        expect(signed.list).toBe(build.list);
        const own = (await ask[number]?.('/.well-known/keyfold/client.json'))?.json();
        expect(signed, `${index}`).toEqual(await own);
      }
  const other = await ask[0]?.(`/.well-known/keyfold/client.${hashOf('other')}.json`);
  expect(other?.status).toBe(404);
});

test('a file with the same name in every build is served from the machine’s own build', async () => {
  expect(await (await ask[0]?.('/theme-start.js'))?.text()).toBe('theme(before)');
  expect(await (await ask[1]?.('/theme-start.js'))?.text()).toBe('theme(after)');
});

test('unknown files and paths outside the folder are not found', async () => {
  for (const get of ask)
    for (const at of [
      '/bundle.gone.aaaaaaaa.js',
      '/assets/../bundle.x.aaaaaaaa.js',
      '/assets/a/x.aaaaaaaa.js',
    ])
      expect((await get(at)).status, at).toBe(404);
});

test('a file that was altered in or added to the database by others is not served', async () => {
  const { db } = old;
  const at = '/bundle.index.afteraaaa.js';
  const right = await db
    .selectFrom('client_files')
    .selectAll()
    .where('path', '=', at)
    .executeTakeFirstOrThrow();
  const evil = brotliCompressSync('evil()');
  for (const wrong of [
    { packed: evil },
    { packed: Buffer.from('no brotli') },
    { packed: evil, seal: old.deps.masterKey.digest('web client', at) },
    { seal: Buffer.alloc(0) },
    { packed: brotliCompressSync(Buffer.alloc(20_000_000)) },
  ]) {
    await db.updateTable('client_files').set(wrong).where('path', '=', at).execute();
    expect(await findClientFile(old.deps, at)).toBeNull();
    await db.updateTable('client_files').set(right).where('path', '=', at).execute();
    expect(await findClientFile(old.deps, at)).not.toBeNull();
  }
  // Another file of the same build must not be served at this path.
  const moved = '/bundle.moved.aaaaaaaa.js';
  await db
    .insertInto('client_files')
    .values({ ...right, path: moved })
    .execute();
  expect((await ask[0]?.(moved))?.status).toBe(404);
  await db.deleteFrom('client_files').where('path', '=', moved).execute();
});

test('a file that does not match the list of its build is not served', async () => {
  const build = makeBuild('broken');
  writeFileSync(path.join(build.root, 'assets/index.brokenbbbb.css'), 'another');
  await shareClientFiles(old.deps, build.root, build.list, '{}');
  expect(await findClientFile(old.deps, '/assets/index.brokenbbbb.css')).toBeNull();
  expect(await findClientFile(old.deps, '/bundle.index.brokenaaaa.js')).not.toBeNull();
});

test('a start with another server key replaces the files sealed with the previous one', async () => {
  const masterKey = createMasterKey(Buffer.alloc(32, 9));
  const at = '/bundle.shared.cccccccc.js';
  await shareClientFiles({ ...old.deps, masterKey }, after.root, after.list, '{}');
  expect(await findClientFile(old.deps, at)).toBeNull();
  await shareClientFiles(old.deps, after.root, after.list, '{}');
  expect(await findClientFile(old.deps, at)).not.toBeNull();
});

test('the most recently started builds are kept, including an old one started again', async () => {
  const has = async (build: Build) => {
    const name = hashed(build)[0]?.[0] ?? '';
    return (await findClientFile(old.deps, `/${name}`)) !== null;
  };
  const many = Array.from({ length: CLIENT_BUILDS_KEPT }, (_, index) => makeBuild(`next${index}`));
  for (const [index, build] of many.entries()) {
    await shareClientFiles(old.deps, build.root, build.list, '{}');
    if (index === 1) await shareClientFiles(old.deps, before.root, before.list, '{}');
  }
  expect(await has(before)).toBe(true);
  expect(await has(after)).toBe(false);
  expect(await Promise.all(many.map(has))).toEqual([false, true, true, true, true]);
  expect(await findClientFile(old.deps, '/bundle.shared.cccccccc.js')).not.toBeNull();
});

test('machines that start at the same time store all their files', async () => {
  await Promise.all(
    [before, after, before, after].map(({ root: folder, list }) =>
      shareClientFiles(old.deps, folder, list, '{}'),
    ),
  );
  for (const [name] of [...hashed(before), ...hashed(after)])
    expect(await findClientFile(old.deps, `/${name}`), name).not.toBeNull();
});

test('a machine with its own database shares no files', async () => {
  const alone = await startTestApp({ webRoot: after.root });
  try {
    expect(await alone.db.selectFrom('client_files').select('path').execute()).toEqual([]);
    expect((await alone.client().fetch('/bundle.index.afteraaaa.js')).status).toBe(200);
  } finally {
    await alone.close();
  }
});
