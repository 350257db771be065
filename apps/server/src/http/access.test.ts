import type { AdminLevel } from '@keyfold/contract/limits';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../tests/harness/clock.ts';
import { registerTestUser, type TestUser } from '../../tests/harness/users.ts';
import { createHttpServer } from './server.ts';

const call = (method: 'GET' | 'POST', path: `/${string}`, access: 'user' | AdminLevel) => ({
  method,
  path,
  access,
  about: 'A trial',
  input: z.object({}),
  output: z.object({ data: z.object({}) }),
});

/** Endpoints with every access level, because the product's own table need not have them all. */
const TRIAL = {
  trial: {
    change: call('POST', '/user/trial', 'user'),
    view: call('GET', '/admin/readonly/trial', 'readonly'),
    manage: call('POST', '/admin/trial', 'standard'),
    rule: call('POST', '/admin/super/trial', 'super'),
  },
} as const;

const answer = async () => ({ data: {} });

let app: TestApp;
let clock: TestClock;
let trial: FastifyInstance;
let user: TestUser;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
  trial = await createHttpServer(app.deps, {
    table: TRIAL,
    handlers: { trial: { change: answer, view: answer, manage: answer, rule: answer } },
    webRoot: '/nowhere',
    build: null,
  });
  user = await registerTestUser(app);
});
afterAll(async () => {
  await trial.close();
  await app.close();
});

const sessionOf = (one: TestUser) => ({ keyfold_session: one.client.jar.get('keyfold_session') ?? '' });

type Ask = {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly as?: TestUser;
  readonly headers?: Record<string, string>;
};

async function ask({ method = 'POST', path, as, headers = {} }: Ask) {
  const reply = await trial.inject({
    method,
    url: path,
    headers: { host: 'mail.keyfold.test', ...headers },
    ...(as === undefined ? {} : { cookies: sessionOf(as) }),
    ...(method === 'POST' ? { payload: {} } : {}),
  });
  const body = reply.json<{ code?: string; message?: string }>();
  return { status: reply.statusCode, code: body.code ?? 'ok', message: body.message ?? '' };
}

describe('cross-site protection', () => {
  const cases: readonly [string, Record<string, string>, number][] = [
    ['no browser at all', {}, 200],
    ['our page, by Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }, 200],
    ['our page, by Origin', { origin: 'https://mail.keyfold.test' }, 200],
    ['another site, by Origin', { origin: 'https://evil.example' }, 403],
    ['another site, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another site, by both', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    ['a host below ours', { 'sec-fetch-site': 'same-site', origin: 'https://x.mail.keyfold.test' }, 403],
    ['another port of ours', { 'sec-fetch-site': 'same-site', origin: 'https://mail.keyfold.test:99' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
  ];
  test.each(cases)('%s', async (_who, headers, status) => {
    expect((await ask({ path: '/user/trial', as: user, headers })).status).toBe(status);
  });

  test('returns not_logged_in for a request without cookies, whatever its origin', async () => {
    const headers = { origin: 'https://evil.example' };
    expect((await ask({ path: '/user/trial', headers })).code).toBe('not_logged_in');
  });

  test.each([
    ['a link in a mail', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }],
    ['an image elsewhere', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }],
    ['a prefetch', { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' }],
  ])('does not let %s log the user out', async (_what, headers) => {
    const reply = await user.client.fetch('/auth/logout', { headers });
    expect(reply.status).toBe(403);
    await user.client.auth.check({});
  });

  test('prevents sign-in by a form of another site, because only JSON is accepted', async () => {
    const body = JSON.stringify({ email: user.email, password: user.loginHash });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = { 'content-type': type, origin: 'https://evil.example' };
      const reply = await app.client().fetch('/auth/login', { method: 'POST', headers, body });
      expect(reply.status, type).not.toBe(200);
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
  });
});

describe('admin levels', () => {
  const setLevel = (one: TestUser, level: AdminLevel | null) =>
    app.db
      .updateTable('users')
      .set({ is_admin: level !== null, admin_level: level })
      .where('email', '=', one.email)
      .execute();

  const csrfOf = async (one: TestUser) => (await one.client.admin_access.token({})).csrf_token;

  test.each([
    [null, [403, 403, 403]],
    ['readonly', [200, 403, 403]],
    ['standard', [200, 200, 403]],
    ['super', [200, 200, 200]],
  ] as const)('%s', async (level, expected) => {
    const admin = await registerTestUser(app);
    await setLevel(admin, level);
    const headers = { 'x-csrf-token': await csrfOf(admin) };
    const statuses = [
      (await ask({ method: 'GET', path: '/admin/readonly/trial', as: admin, headers })).status,
      (await ask({ path: '/admin/trial', as: admin, headers })).status,
      (await ask({ path: '/admin/super/trial', as: admin, headers })).status,
    ];
    expect(statuses).toEqual(expected);
    expect((await admin.client.admin_access.admin_status({})).data).toEqual({
      is_admin: level !== null,
      admin_level: level,
    });
  });

  test('an admin flag without a level gives the lowest level', async () => {
    const admin = await registerTestUser(app);
    await app.db.updateTable('users').set({ is_admin: true }).where('email', '=', admin.email).execute();
    expect((await admin.client.admin_access.admin_status({})).data.admin_level).toBe('readonly');
  });

  test('admin calls need a CSRF token of the same session and name CSRF when it is missing', async () => {
    const admin = await registerTestUser(app);
    const other = await registerTestUser(app);
    await setLevel(admin, 'super');
    const at = { path: '/admin/super/trial', as: admin };
    const token = await csrfOf(admin);
    const forged = Buffer.from(token, 'base64url');
    forged.writeUInt8(forged.readUInt8(0) + 1, 0);
    for (const wrong of [undefined, '', 'x', await csrfOf(other), forged.toString('base64url')]) {
      const refused = await ask({
        ...at,
        ...(wrong === undefined ? {} : { headers: { 'x-csrf-token': wrong } }),
      });
      expect(refused.status).toBe(403);
      expect(refused.message).toContain('CSRF');
    }
    expect((await ask({ ...at, headers: { 'x-csrf-token': token } })).status).toBe(200);
    clock.advance(23 * 60 * 60_000);
    await admin.client.auth.check({});
    expect((await ask({ ...at, headers: { 'x-csrf-token': token } })).status).toBe(200);
    clock.advance(2 * 60 * 60_000);
    expect((await ask({ ...at, headers: { 'x-csrf-token': token } })).code).toBe('csrf_refused');
  });
});
