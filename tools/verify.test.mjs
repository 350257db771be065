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
 * A server that gives out the client, but for what `change` answers: a text, packed text, a status, or undefined.
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

it('finds nothing where everything is as it was built', async () => {
  expect(await compareServer(await serve(), files)).toEqual({
    problems: [],
    title: 'Keyfold 0.1.0, built of ff',
  });
});

it('finds a script that is another one when it is packed, though the list is right', async () => {
  const origin = await serve((url, isPacked) =>
    url === '/bundle.a.1.js' && isPacked ? 'steal()' : undefined,
  );
  expect((await compareServer(origin, files)).problems).toEqual([
    '/bundle.a.1.js (br, gzip) is not what this checkout builds',
  ]);
});

it('finds a start page that is another one at one address alone', async () => {
  const origin = await serve(url => (url === '/app/signin' ? '<script src=//evil.example>' : undefined));
  const { problems } = await compareServer(origin, files);
  expect(problems).toHaveLength(2);
  expect(problems.join()).toContain('/app/signin (identity)');
});

it('finds a list that says something else, and files that it names beside ours', async () => {
  const origin = await serve(url =>
    url === HASH_LIST_PATH
      ? list.replace(hashOf(script), hashOf('x')).concat(`${hashOf('y')}  more.js\n`)
      : undefined,
  );
  expect((await compareServer(origin, files)).problems).toEqual([
    'its list: bundle.a.1.js is another file there',
    'its list: more.js is there alone',
  ]);
});

it('follows no redirect, and says what is missing', async () => {
  const origin = await serve(url => ({ '/bundle.a.1.js': 302, [HASH_LIST_PATH]: 404 })[url]);
  const { problems, title } = await compareServer(origin, files);
  expect(title).toBeNull();
  expect(problems).toHaveLength(3);
  expect(problems.at(-1)).toBe('its list: answers 404');
});
