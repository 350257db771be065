// The mobile app's shell as a client: the origins that may read responses, tokens in place of a
// browser's cookies, and that the two never mix. The access matrix covers permissions; it runs once
// more here with bearer tokens.

import { randomBytes } from 'node:crypto';
import { api, type Call } from '@keyfold/contract';
import { AUTH_TOKEN_HEADERS, type AuthTokens, NATIVE_ORIGINS } from '@keyfold/contract/native';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';
import { createTestKeys, registerTestUser, type TestUser } from '../../tests/harness/users.ts';

const [androidOrigin, iosOrigin] = NATIVE_ORIGINS;
const agent = 'Mozilla/5.0 (Linux; Android 16; wv) AppleWebKit/537.36 Chrome/150.0 Mobile KeyfoldApp/0.1.0';

let app: TestApp;
let user: TestUser;
/** Tokens of an ordinary user's session in the app. */
let ordinary: AuthTokens;
beforeAll(async () => {
  app = await startTestApp({ config: { publicUrl: 'https://mail.keyfold.test' } });
  user = await registerTestUser(app);
  ordinary = tokensOf(await login());
});
afterAll(() => app.close());

type Answer = {
  status: number;
  headers: Headers;
  json: Record<string, unknown> & { auth_tokens?: AuthTokens };
};

/**
 * Sends a request as the shell's page does: from its own origin, with tokens in headers, never with
 * a cookie.
 */
async function ask(
  path: string,
  init: { method?: string; body?: object; tokens?: AuthTokens; origin?: string; headers?: object } = {},
): Promise<Answer> {
  const headers = new Headers({ origin: init.origin ?? androidOrigin, 'user-agent': agent, ...init.headers });
  for (const [name, value] of Object.entries(init.tokens ?? {})) {
    if (value)
      headers.set(
        AUTH_TOKEN_HEADERS[name as keyof AuthTokens],
        name === 'session' ? `Bearer ${value}` : value,
      );
  }
  if (init.body !== undefined) headers.set('content-type', 'application/json');
  const answer = await fetch(app.baseUrl + path, {
    method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
    headers,
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });
  const text = await answer.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Answer['json']) : {};
  return { status: answer.status, headers: answer.headers, json };
}

const login = (keep = false) =>
  ask('/auth/login', { body: { email: user.email, password: user.loginHash, keep_signed_in: keep } });

function tokensOf({ json }: Answer): AuthTokens {
  if (json.auth_tokens === undefined) throw new Error('The answer has no tokens');
  return json.auth_tokens;
}

const preflight = (path: string, origin: string, method = 'POST') =>
  ask(path, {
    method: 'OPTIONS',
    origin,
    headers: {
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,x-keyfold-device',
    },
  });

describe('origins', () => {
  test.each(NATIVE_ORIGINS)('%s may send requests and read responses, without cookies', async origin => {
    const asked = await preflight('/user/tags', origin, 'DELETE');
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin);
    expect(asked.headers.get('access-control-allow-methods')).toContain('DELETE');
    for (const name of [
      'authorization',
      'content-type',
      'idempotency-key',
      'range',
      'x-csrf-token',
      'x-keyfold-device',
    ])
      expect(asked.headers.get('access-control-allow-headers')).toContain(name);
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    const read = await ask('/auth/domains', { origin });
    expect(read.status).toBe(200);
    expect(read.headers.get('access-control-allow-origin')).toBe(origin);
    expect(read.headers.get('access-control-allow-credentials')).toBeNull();
    expect(read.headers.get('access-control-expose-headers')).toContain('retry-after');
    expect(read.headers.get('vary')).toContain('origin');
  });

  test('error responses are readable, too', async () => {
    const refused = await ask('/auth/check');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('access-control-allow-origin')).toBe(androidOrigin);
  });

  test.each([
    'https://evil.example',
    'http://localhost',
    'https://localhost:8443',
    'https://localhost.evil.example',
    'https://evil.example/https://localhost',
    'capacitor://evil',
    'ionic://localhost',
    'null',
  ])('%s is refused', async origin => {
    const asked = await preflight('/auth/login', origin);
    expect(asked.status).not.toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    const read = await ask('/auth/login', {
      origin,
      body: { email: user.email, password: user.loginHash },
    });
    expect(read.headers.get('access-control-allow-origin')).toBeNull();
    expect(read.json).not.toHaveProperty('auth_tokens');
  });

  test('a browser at the server’s own origin gets cookies and no tokens', async () => {
    const { jar } = user.client;
    expect(jar.get('__Host-keyfold_session')).toBeDefined();
    const answer = await app.client().fetch('/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: user.email, password: user.loginHash }),
    });
    expect(await answer.json()).not.toHaveProperty('auth_tokens');
  });
});

describe('tokens', () => {
  test('a sign-in returns the session in the response and sets no cookie', async () => {
    const entered = await login();
    expect(entered.status).toBe(200);
    expect(entered.headers.getSetCookie()).toEqual([]);
    expect(entered.headers.get('cache-control')).toBe('no-store');
    const { session, device, browser } = tokensOf(entered);
    expect(session).toMatch(/^[\w-]{20,}$/);
    expect(device).toBeUndefined();
    expect(browser).toMatch(/^[\w-]{20,}$/);
    const checked = await ask('/auth/check', { tokens: { session } });
    expect(checked.json).toMatchObject({ data: { email: user.email } });
    // No token has changed, so there is nothing to store.
    expect(checked.json).not.toHaveProperty('auth_tokens');
  });

  test('the session list names the app and the operating system', async () => {
    const { session } = tokensOf(await login());
    const { json } = await ask('/user/sessions', { tokens: { session } });
    expect((json.data as { current: boolean }[]).find(({ current }) => current)).toMatchObject({
      device: { browser: 'Keyfold app', system: 'Android' },
    });
  });

  test('a stored session is restored with the device token, which works once', async () => {
    const kept = tokensOf(await login(true));
    const body = { email: user.email, timestamp: Date.now() };
    expect((await ask('/auth/restore', { body })).status).toBe(401);
    const restored = await ask('/auth/restore', { body, tokens: { device: kept.device } });
    expect(restored.status).toBe(200);
    const next = tokensOf(restored);
    expect(next.device).not.toBe(kept.device);
    expect((await ask('/auth/check', { tokens: { session: next.session } })).status).toBe(200);
    // A token used twice is treated as stolen: its family is revoked.
    expect((await ask('/auth/restore', { body, tokens: { device: kept.device } })).status).toBe(401);
    expect((await ask('/auth/check', { tokens: { session: next.session } })).status).toBe(401);
  });

  test('signing out ends the session and clears the tokens', async () => {
    const { session, device } = tokensOf(await login(true));
    const left = await ask('/auth/logout', { tokens: { session, device } });
    expect(tokensOf(left)).toEqual({ session: null, device: null, pending: null });
    expect((await ask('/auth/check', { tokens: { session } })).status).toBe(401);
    const body = { email: user.email, timestamp: Date.now() };
    expect((await ask('/auth/restore', { body, tokens: { device } })).status).toBe(401);
  });

  test('an account can be created from the app', async () => {
    const { mainKey } = await createTestKeys();
    const answer = await ask('/auth/register', {
      origin: iosOrigin,
      body: {
        name: 'Ann',
        username: `ann.${randomBytes(3).toString('hex')}`,
        domain: 'keyfold.test',
        password: randomBytes(32).toString('hex'),
        captcha: '',
        main_key: mainKey,
      },
    });
    expect(answer.status).toBe(200);
    expect((await ask('/auth/check', { origin: iosOrigin, tokens: tokensOf(answer) })).status).toBe(200);
  });

  test('cookies on an app request are ignored, and a change with them is refused', async () => {
    const cookie = `__Host-keyfold_session=${user.client.jar.get('__Host-keyfold_session')}`;
    expect((await ask('/auth/check', { headers: { cookie } })).status).toBe(401);
    expect(
      (await ask('/user/change_name', { headers: { cookie }, body: { name: 'Mallory' } })).json,
    ).toMatchObject({
      code: 'origin_refused',
    });
  });

  test.each(['', 'a b', '"x"', 'x'.repeat(600), 'ümlaut'.normalize()])(
    'the token %j is refused',
    async text => {
      const headers = {
        authorization: `Bearer ${encodeURIComponent(text)}`,
        'x-keyfold-device': encodeURIComponent(text),
      };
      const answer = await ask('/auth/restore', { headers, body: { email: user.email, timestamp: 1 } });
      expect(answer.status).toBe(401);
    },
  );

  test('an event stream accepts the token in its header', async () => {
    const { session } = tokensOf(await login());
    const ending = new AbortController();
    const stream = await fetch(`${app.baseUrl}/user/events`, {
      headers: { origin: iosOrigin, authorization: `Bearer ${session}` },
      signal: ending.signal,
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.headers.get('access-control-allow-origin')).toBe(iosOrigin);
    const reader = stream.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain(': open');
    ending.abort();
  });
});

const guarded = Object.entries(api).flatMap(([group, byName]) =>
  Object.entries(byName)
    .map(([name, call]) => ({ name: `${group}.${name}`, call: call as Call }))
    .filter(({ call }) => call.access !== 'public'),
);

test.each(guarded)(
  '$name returns 401 to the app without a session, and 403 on admin calls of an ordinary user',
  async ({ call }) => {
    const path = call.path.replace(/:[a-z_]+/, 'nothing');
    const init = { method: call.method, ...(call.method === 'GET' ? {} : { body: {} }) };
    expect((await ask(path, init)).status).toBe(401);
    expect((await ask(path, { ...init, tokens: { session: 'A'.repeat(43) } })).status).toBe(401);
    if (!call.path.startsWith('/admin/')) return;
    expect((await ask(path, { ...init, tokens: ordinary })).status).toBe(403);
  },
);
