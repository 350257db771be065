// Logs and metrics contain no secret or personal data, even on failures (STYLE.md, Errors).
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../src/base/logger.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { codeOf } from './harness/codes.ts';
import { registerTestUser } from './harness/users.ts';

let app: TestApp;
let lines: string[];
beforeAll(async () => {
  lines = [];
  // pino writes directly to the file descriptor; this test replaces the destination and keeps the
  // settings.
  const template = createLogger('debug');
  const symbols = pino.symbols as unknown as Record<string, symbol>;
  Object.assign(template, {
    [symbols.streamSym as unknown as string]: { write: (line: string) => lines.push(line) },
  });
  app = await startTestApp({ logger: template });
});
afterAll(() => app.close());

test('a day of use produces log lines without personal data or secrets', async () => {
  const zoe = await registerTestUser(app, { username: 'zoe.canary', name: 'Zoe Canary', keepSignedIn: true });
  const token = zoe.client.jar.get('keyfold_session') ?? '';
  const device = zoe.client.jar.get('keyfold_device') ?? '';
  const search = Buffer.from('searched-canary').toString('base64');
  await zoe.client.mail.query({ search });
  await zoe.client.mail.keys({ users: ['friend.canary@example.org'] });
  await codeOf(app.client().sign_in.login({ email: zoe.email, password: randomBytes(32).toString('hex') }));
  await codeOf(zoe.client.mail.one({ id: 'idcanary' }));
  await zoe.client.fetch('/user/nothing?secret=querycanary');
  await zoe.client.fetch(`/auth/check?token=${token}`);
  await zoe.client.auth.restore({ email: zoe.email, timestamp: Date.now() });
  await app.db.schema.alterTable('tags').renameTo('tags_away').execute();
  expect((await zoe.client.fetch('/auth/check')).status).toBe(500);
  await app.db.schema.alterTable('tags_away').renameTo('tags').execute();

  const text = lines.join('\n');
  expect(lines.length).toBeGreaterThan(8);
  expect(text).toContain('"route":"/user/email/:id"');
  expect(text).toContain('request failed');
  const secrets = [zoe.email, 'canary', 'Canary', search, token, device, zoe.loginHash, zoe.user.client_key];
  for (const secret of secrets) expect(text).not.toContain(secret);
  const metrics = await (await fetch(`http://127.0.0.1:${app.app.metricsPort}/metrics`)).text();
  expect(metrics).toContain('keyfold_http_request_seconds_bucket');
  expect(metrics).toContain('route="/user/email/:id"');
  for (const secret of secrets) expect(metrics).not.toContain(secret);
});

test('an internal error returns a generic message and a request id that is in the log', async () => {
  const { client } = await registerTestUser(app);
  await app.db.schema.alterTable('tags').renameTo('tags_away').execute();
  const reply = await client.fetch('/auth/check');
  await app.db.schema.alterTable('tags_away').renameTo('tags').execute();
  expect(reply.status).toBe(500);
  expect(await reply.json()).toEqual({ success: false, code: 'failed', message: 'Something failed' });
  const id = reply.headers.get('x-request-id') ?? 'none';
  expect(lines.some(line => line.includes(id) && line.includes('"code":"42P01"'))).toBe(true);
});
