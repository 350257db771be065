import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';
import { findOwnBuild } from './client-build.ts';

const PAGE = '<!doctype html><title>client</title>';

const LIST = '# Keyfold 0.1.0, built of 00\n';

let app: TestApp;
let root: string;
beforeAll(async () => {
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-web-'));
  mkdirSync(path.join(root, 'assets'));
  writeFileSync(path.join(root, 'index.html'), PAGE);
  writeFileSync(path.join(root, 'bundle.index.JJWWjC0A.js'), 'plain');
  writeFileSync(path.join(root, 'bundle.index.JJWWjC0A.js.br'), 'brotli');
  writeFileSync(path.join(root, 'assets/index.COJYLBjL.css'), 'css');
  writeFileSync(path.join(root, 'favicon.svg'), '<svg/>');
  writeFileSync(path.join(root, 'hashes.txt'), LIST);
  writeFileSync(path.join(root, 'message-frame.html'), '<p>');
  app = await startTestApp({ webRoot: root });
});
afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true });
});

const get = (at: string, headers: Record<string, string> = {}) => app.client().fetch(at, { headers });

test.each([
  '/',
  '/app',
  '/app/inbox/recieved/0',
  '/link?url=https%3A%2F%2Fa.b%2F',
  '/anything',
  '/app/inbox/v1.0/0',
  '/index.html',
])('%s serves the start page and is always revalidated', async at => {
  const reply = await get(at);
  expect(await reply.text()).toBe(PAGE);
  expect(reply.headers.get('cache-control')).toBe('no-cache');
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('files with a hash in their name are cached as immutable, and others are revalidated', async () => {
  for (const at of ['/bundle.index.JJWWjC0A.js', '/assets/index.COJYLBjL.css']) {
    expect((await get(at)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
  expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
});

test('a precompressed variant is sent to a client that accepts it', async () => {
  const reply = await app.client().fetch('/bundle.index.JJWWjC0A.js', {
    method: 'HEAD',
    headers: { 'accept-encoding': 'br' },
  });
  expect(reply.headers.get('content-encoding')).toBe('br');
  expect(reply.headers.get('content-type')).toContain('javascript');
  const plain = await get('/bundle.index.JJWWjC0A.js', { 'accept-encoding': 'identity' });
  expect(await plain.text()).toBe('plain');
});

test('the list of hashes is served at its well-known address and always revalidated', async () => {
  const reply = await get('/.well-known/keyfold/hashes.txt');
  expect(await reply.text()).toBe(LIST);
  expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(reply.headers.get('cache-control')).toBe('no-cache');
});

test('robots.txt excludes crawlers, and change-password redirects to the password page', async () => {
  const robots = await get('/robots.txt');
  expect(robots.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await robots.text()).toBe('User-agent: *\nDisallow: /\n');
  const redirect = await app.client().fetch('/.well-known/change-password', { redirect: 'manual' });
  expect(redirect.status).toBe(302);
  expect(redirect.headers.get('location')).toBe('/app/security/password');
});

test('security.txt names the contact and expires within a year', async () => {
  const reply = await get('/.well-known/security.txt');
  expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const lines = (await reply.text()).split('\n');
  expect(lines[0]).toBe('Contact: mailto:postmaster@keyfold.test');
  const expires = /^Expires: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.exec(lines[1] ?? '')?.[1] ?? '';
  const days = (Date.parse(expires) - Date.now()) / (24 * 60 * 60 * 1000);
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
  expect(lines[2]).toMatch(/^Canonical: http.*\/\.well-known\/security\.txt$/);
});

test('the signed list for service workers is served at its well-known address', async () => {
  const reply = await get('/.well-known/keyfold/client.json');
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('cache-control')).toBe('no-cache');
  expect(await reply.json()).toEqual({
    list: LIST,
    key: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/),
    signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/),
  });
});

test.each([
  '/bundle.gone.AAAAAAAA.js',
  '/assets/gone.css',
  '/user/nothing',
  '/auth/x',
  '/admin/x',
  '/otp/x',
  '/.env',
  '/.git/config',
  '/%2egit/config',
  '/.well-known/gone',
  '/wp-login.php',
  '/wp-config.php~',
  '/dump.sql/',
])('%s returns 404 instead of the start page', async at => {
  const reply = await get(at);
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({ success: false, code: 'not_found' });
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

test.each(['/..%2f..%2fpackage.json', '/%2e%2e/secret.txt', '/assets/..%2f..%2fx.js', '/%00.js', '/%zz.js'])(
  '%s cannot escape the client folder',
  async at => {
    const reply = await get(at);
    expect([400, 403, 404]).toContain(reply.status);
    expect(await reply.json()).toMatchObject({ success: false });
  },
);

test.each(['//', '//evil.example/x', '/?', '/app//inbox'])('%s also serves the start page', async at => {
  expect((await get(at)).status).toBe(200);
});

test('a page returns 404 for methods other than GET', async () => {
  const reply = await app.client().fetch('/app', { method: 'POST' });
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({ code: 'not_found' });
});

describe('headers', () => {
  test('the page may load only its own resources', async () => {
    const headers = Object.fromEntries((await get('/')).headers);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types mail-body workers ProseMirrorClipboard',
      ]),
    );
    expect(policy).not.toContain('unsafe-inline');
    expect(policy).not.toContain("'unsafe-eval'");
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'permissions-policy': expect.stringContaining('camera=(self), display-capture=()'),
    });
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  test('the message frame keeps its own policy', async () => {
    const { headers } = await get('/message-frame.html');
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'self'");
  });

  test('other documents cannot use the camera, and no page can use the microphone', async () => {
    for (const at of ['/message-frame.html', '/favicon.svg', '/docs', '/health', '/user/nothing'])
      expect((await get(at)).headers.get('permissions-policy'), at).toContain('camera=()');
    for (const at of ['/app/config/contacts', '/message-frame.html'])
      expect((await get(at)).headers.get('permissions-policy'), at).toContain('microphone=()');
  });

  test('HTTPS responses set Strict-Transport-Security', async () => {
    const { headers } = await get('/', { 'x-forwarded-proto': 'https' });
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8};/);
  });
});

test('a client of another build is not served until it matches, and the API still answers', async () => {
  const own = 'a1'.repeat(32);
  const dist = mkdtempSync(path.join(os.tmpdir(), 'kf-build-'));
  const logged: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line).msg) });
  const build = (of: string): void => {
    writeFileSync(path.join(dist, 'index.html'), PAGE);
    writeFileSync(path.join(dist, 'hashes.txt'), `# Keyfold 0.1.0, built of ${of}\n`);
  };
  build('b2'.repeat(32));
  const updated = await startTestApp({ webRoot: dist, build: own, logger });
  const ask = () => updated.client().fetch('/app');
  const line =
    'web client build does not match the server, not serving it: run node tools/ensure.mjs --build, then restart';
  try {
    expect(logged).toEqual([line]);
    const refused = await ask();
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([503, 'no-store']);
    expect(await refused.text()).toContain('is being updated');
    expect((await updated.client().sign_up.domains({})).data).toEqual(['keyfold.test']);
    build(own);
    utimesSync(path.join(dist, 'hashes.txt'), new Date(), new Date(Date.now() + 5_000));
    const served = await ask();
    expect([served.status, await served.text()]).toEqual([200, PAGE]);
    // An incomplete build has no list yet.
    rmSync(path.join(dist, 'hashes.txt'));
    expect((await ask()).status).toBe(503);
    expect(logged).toEqual([line]);
  } finally {
    await updated.close();
    rmSync(dist, { recursive: true });
  }
});

test('a checkout computes a build digest of its own sources', async () => {
  expect(await findOwnBuild()).toMatch(/^[0-9a-f]{64}$/);
});

test('without a built client a page explains this, and the API still answers', async () => {
  const bare = await startTestApp({ webRoot: path.join(root, 'nowhere') });
  try {
    const page = await bare.client().fetch('/');
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('not been built');
    expect((await bare.client().sign_up.domains({})).data).toEqual(['keyfold.test']);
  } finally {
    await bare.close();
  }
});
