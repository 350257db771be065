// What the shell stores of a session, and when it forgets it: rejected tokens, a sign-out that does
// not reach the server, another server; also what workers receive of it. The secure storage, the
// server and the page are stubs.
import { beforeEach, expect, test, vi } from 'vitest';

const stored = new Map();
let isBroken = false;
const asked = [];
let answer;
vi.stubGlobal('Capacitor', {
  nativePromise: async (_plugin, method, { prefixedKey, data }) => {
    if (isBroken) throw new Error(`Keystore: ${prefixedKey} ${data}`);
    if (method === 'internalGetItem') return { data: stored.get(prefixedKey) ?? null };
    if (method === 'internalSetItem') stored.set(prefixedKey, data);
    else stored.delete(prefixedKey);
    return {};
  },
});
vi.stubGlobal('location', new URL('https://localhost/app/inbox'));
vi.stubGlobal('fetch', async (address, init) => {
  asked.push([address, Object.fromEntries(new Headers(init?.headers))]);
  return answer();
});
for (const name of ['XMLHttpRequest', 'EventSource', 'Worker']) vi.stubGlobal(name, class {});

const { leadCallsTo } = await import('../page/network.js');
const { findToken, forgetAll, keepTokens, readTokens } = await import('../page/tokens.js');
leadCallsTo('https://mail.example');

const reply = (status, body = {}) => Response.json(body, { status });
const names = () => [...stored.keys()].sort();

beforeEach(async () => {
  isBroken = false;
  stored.clear();
  asked.length = 0;
  answer = () => reply(200);
  await keepTokens({ session: 's1', device: 'd1', browser: 'b1', pending: null });
});

test('API calls send the session token, and those to /auth/ also the device token', async () => {
  await fetch('/user/counts');
  await fetch('/auth/check');
  expect(asked).toEqual([
    ['https://mail.example/user/counts', { authorization: 'Bearer s1' }],
    [
      'https://mail.example/auth/check',
      { authorization: 'Bearer s1', 'x-keyfold-device': 'd1', 'x-keyfold-browser': 'b1' },
    ],
  ]);
});

test.each(['/user/counts', '/auth/check'])('a session is forgotten when %s answers 401', async path => {
  answer = () => reply(401);
  await fetch(path);
  expect(findToken('session')).toBeNull();
  expect(names()).toEqual(['keyfold_browser_token', 'keyfold_device_token']);
});

test('a session that began while an older one was being refused is kept', async () => {
  answer = async () => {
    await keepTokens({ session: 's2' });
    return reply(401);
  };
  await fetch('/user/counts');
  expect(stored.get('keyfold_auth_token')).toBe('s2');
});

test('a failed sign-in or a server error does not end the session', async () => {
  answer = () => reply(401);
  await fetch('/auth/login', { method: 'POST' });
  answer = () => reply(503);
  await fetch('/user/counts');
  expect(findToken('session')).toBe('s1');
});

test('a device token that cannot restore a session is forgotten', async () => {
  answer = () => reply(401);
  await fetch('/auth/restore', { method: 'POST' });
  expect(names()).toEqual(['keyfold_auth_token', 'keyfold_browser_token']);
});

test('signing out clears the tokens even when the server fails or is unreachable', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  await expect(fetch('/auth/logout')).rejects.toThrow('Failed to fetch');
  expect(names()).toEqual(['keyfold_browser_token']);
  await keepTokens({ session: 's3', device: 'd3' });
  answer = () => reply(500);
  await fetch('/auth/logout');
  expect(names()).toEqual(['keyfold_browser_token']);
});

test('a failing secure storage is logged without values and does not block the app', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  isBroken = true;
  await readTokens();
  await keepTokens({ session: 's4', device: null });
  expect([findToken('session'), findToken('device')]).toEqual(['s4', null]);
  expect(log.mock.calls.map(words => words.join())).toEqual([
    'The token could not be read',
    'The token could not be read',
    'The token could not be read',
    'The token could not be written',
    'The token could not be cleared',
  ]);
  log.mockRestore();
});

test('switching servers clears everything in the secure storage, including biometrics', async () => {
  stored.set('keyfold_biometric_credentials', 'x');
  stored.set('keyfold_vault', 'x');
  await forgetAll();
  expect(names()).toEqual([]);
});

test('a worker sends the session token of its start, and later the renewed one', async () => {
  const plain = vi.fn(async () => reply(200));
  vi.stubGlobal('self', {
    name: JSON.stringify({ base: 'https://mail.example', session: 's1' }),
    location: new URL('https://localhost/bundle.worker.js'),
    fetch: plain,
  });
  await import('../page/worker.js');
  const sent = async () => {
    await self.fetch('/user/seal_import', { method: 'POST' });
    const [address, { headers }] = plain.mock.lastCall;
    return [address, headers.get('authorization')];
  };
  expect(await sent()).toEqual(['https://mail.example/user/seal_import', 'Bearer s1']);
  await keepTokens({ session: 's2' });
  await expect.poll(async () => (await sent())[1]).toBe('Bearer s2');
});
