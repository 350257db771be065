import { createServer } from 'node:http';
import { brotliCompressSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import { HASH_LIST_PATH, hashOf } from './hash-list.mjs';
import { compareServer } from './verify.mjs';

const page = '<!doctype html>';
const script = 'let a = 1;';
const files = new Map([
  ['bundle.a.1.js', hashOf(script)],
  ['index.html', hashOf(page)],
]);
const list = `# Keyfold 0.1.0, built of ff\n${[...files].map(([name, hash]) => `${hash}  ${name}\n`).join('')}`;

/** @type {import('node:http').Server} */
let server;
afterEach(() => new Promise(resolve => server.close(resolve)));

/**
 * Starts a server that serves the client, except where `change` returns something: a text,
 * compressed text, a status, or undefined for no change.
 * @param {(url: string, isPacked: boolean) => string | number | undefined} change
 */
async function serve(change = () => undefined) {
  server = createServer(({ url = '', headers }, response) => {
    const isPacked = `${headers['accept-encoding']}`.includes('br');
    const changed = change(url, isPacked);
    if (typeof changed === 'number') {
      response.writeHead(changed, { location: '/' }).end();
      return;
    }
    const plain =
      changed ??
      { [HASH_LIST_PATH]: list, '/bundle.a.1.js': script }[url] ??
      (/\.js$/.test(url) ? null : page);
    if (plain === null) response.writeHead(404).end();
    else if (isPacked) response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(plain));
    else response.writeHead(200).end(plain);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}`;
}

it('reports nothing when every file matches the build', async () => {
  expect(await compareServer(await serve(), files)).toEqual({
    problems: [],
    title: 'Keyfold 0.1.0, built of ff',
  });
});

it('detects a script that differs only when compressed', async () => {
  const origin = await serve((url, isPacked) =>
    url === '/bundle.a.1.js' && isPacked ? 'steal()' : undefined,
  );
  expect((await compareServer(origin, files)).problems).toEqual([
    '/bundle.a.1.js (br, gzip) differs from the build of this checkout',
  ]);
});

it('detects a start page that differs at a single address', async () => {
  const origin = await serve(url => (url === '/app/signin' ? '<script src=//evil.example>' : undefined));
  const { problems } = await compareServer(origin, files);
  expect(problems).toHaveLength(2);
  expect(problems.join()).toContain('/app/signin (identity)');
});

it('detects a hash list that differs or names other files', async () => {
  const origin = await serve(url =>
    url === HASH_LIST_PATH
      ? list.replace(hashOf(script), hashOf('x')).concat(`${hashOf('y')}  more.js\n`)
      : undefined,
  );
  expect((await compareServer(origin, files)).problems).toEqual([
    'published list: bundle.a.1.js differs',
    'published list: more.js is unexpected',
  ]);
});

it('follows no redirect and reports missing files', async () => {
  const origin = await serve(url => ({ '/bundle.a.1.js': 302, [HASH_LIST_PATH]: 404 })[url]);
  const { problems, title } = await compareServer(origin, files);
  expect(title).toBeNull();
  expect(problems).toHaveLength(3);
  expect(problems.at(-1)).toBe('published list: answers 404');
});
