/**
 * Hostile input: invalid HTTP and SMTP, incomplete requests, and every call of the contract with a
 * body above its limit and with oversized values in each field. No input causes a server error
 * (500) or leaves anything behind, and ordinary users are not affected. `npm run test:faults --
 * network` does the same for minutes and measures memory.
 */
import { connect } from 'node:net';
import { api, type Call } from '@keyfold/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDns } from '../src/adapters/dns.ts';
import { bodyLimitOf } from '../src/http/body-limits.ts';
import { registerTestAdmin, type TestAdmin } from './harness/admins.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { startTestDns, type TestDns } from './harness/dns.ts';
import { MALFORMED_HTTP, MALFORMED_SMTP, oddOnesOf } from './harness/hostile.ts';
import {
  addReader,
  type InboundTest,
  readMails,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

const MIB = 1024 * 1024;

let dns: TestDns;
let app: TestApp;
let admin: TestAdmin;
beforeAll(async () => {
  dns = await startTestDns();
  app = await startTestApp({ dns: createDns([dns.server]) });
  admin = await registerTestAdmin(app, 'super');
});
afterAll(async () => {
  await app.close();
  await dns.close();
});

/**
 * Sends bytes and returns the answer once the other side has closed the connection or stopped
 * answering.
 */
const speak = (port: number, bytes: Buffer, waitMs: number): Promise<string> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let timer = setTimeout(() => socket.destroy(), waitMs);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', data => {
      text += data.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), waitMs);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });

describe('malformed HTTP', () => {
  test('is refused or ignored, and the server keeps answering', async () => {
    const port = Number(app.app.httpPort);
    const entries = Object.entries(MALFORMED_HTTP);
    const answers = await Promise.all(entries.map(([, bytes]) => speak(port, bytes, 300)));
    for (const [index, [name]] of entries.entries()) {
      const statuses = [...(answers[index] ?? '').matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) =>
        Number(status),
      );
      for (const status of statuses) expect(status, name).toBeLessThan(500);
      expect(statuses.filter(status => status < 300).length, name).toBe(0);
    }
    expect((await app.client().sign_up.domains({})).data).toContain('keyfold.test');
  });

  test('from a client that keeps sending after a refusal ends the connection', async () => {
    const socket = connect(Number(app.app.httpPort), '127.0.0.1');
    socket.on('error', () => undefined);
    let isClosed = false;
    socket.on('close', () => {
      isClosed = true;
    });
    socket.write('NONSENSE\r\n\r\n');
    const dribble = setInterval(() => socket.writable && socket.write('x'), 50);
    await expect.poll(() => isClosed, { timeout: 5_000 }).toBe(true);
    clearInterval(dribble);
  });
});

/** Bodies that are not a JSON object, or an object that no schema accepts. */
const BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '"text"',
  '1e999',
  '{',
  '{"__proto__":{"a":1}}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
  '{"a":"\\u0000","email":"\\ud800"}',
];

const calls = Object.entries(api).flatMap(([group, byName]) =>
  Object.entries(byName).map(([name, call]) => ({ name: `${group}.${name}`, call: call as Call })),
);
/**
 * Calls with their own transport, tested in http/transports.test.ts, and calls that would end the
 * test's own session.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['events.stream', 'auth.logout', 'account.end_other_sessions']);
const bodied = calls.filter(
  ({ name, call }) => call.method !== 'GET' && call.transport !== 'upload' && !LEFT_OUT.has(name),
);
const queried = calls.filter(({ name, call }) => call.method === 'GET' && !LEFT_OUT.has(name));

const pathOf = ({ path }: Call): string => path.replace(/:[a-z_]+/g, 'nothing');

/** Makes a call as the super admin, so that no access check refuses it. */
async function send(call: Call, path: string, body?: string): Promise<number> {
  const csrf = (admin.csrf.headers ?? {}) as Record<string, string>;
  const reply = await admin.client.fetch(path, {
    method: call.method,
    headers: { ...csrf, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  });
  await reply.arrayBuffer();
  return reply.status;
}

describe('every call with a body', () => {
  test.each(bodied)('$name refuses bodies over its limit and survives malformed ones', async ({ call }) => {
    const path = pathOf(call);
    const limit = bodyLimitOf(call);
    // For the largest limit, the request only announces one byte too many; the refusal needs no
    // body.
    const tooLarge = limit > 2 * MIB ? null : `{"a":"${'x'.repeat(limit)}"}`;
    if (tooLarge !== null) expect(await send(call, path, tooLarge)).toBe(413);
    for (const body of BODIES) expect(await send(call, path, body), body.slice(0, 40)).toBeLessThan(500);
  });

  test.each(bodied)('$name survives odd values that its schema allows', async ({ call }) => {
    for (const odd of oddOnesOf(call.input)) {
      const body = JSON.stringify(odd);
      expect(await send(call, pathOf(call), body), body.slice(0, 300)).toBeLessThan(500);
    }
  });
});

describe('every call with query parameters', () => {
  test.each(queried)('$name survives oversized and odd query values', async ({ call }) => {
    const fields = Object.keys(call.input.shape);
    for (const value of [
      'x'.repeat(8_000),
      '%00',
      '%ff%fe',
      '-1',
      '1e999',
      '%F0%9F%92%A9'.repeat(50),
      "'--",
    ]) {
      const query = fields.map(field => `${field}=${value}`).join('&');
      expect(await send(call, `${pathOf(call)}?${query}`), value.slice(0, 20)).toBeLessThan(500);
    }
    expect(await send(call, call.path.replace(/:[a-z_]+/g, '%00%ff'))).toBeLessThan(500);
  });
});

test('the session used for these requests is still valid', async () => {
  expect((await admin.client.auth.check({})).data.email).toBe(admin.email);
});

describe('malformed SMTP', () => {
  let inbound: InboundTest;
  let bob: TestReader;
  beforeAll(async () => {
    inbound = await startInboundTest();
    bob = await addReader(inbound.deps.db, ['bob@keyfold.test']);
  });
  afterAll(() => inbound.close());

  test('stores no mail, relays nothing, and leaves a server that accepts mail', async () => {
    const answers = await Promise.all(
      Object.values(MALFORMED_SMTP).map(bytes => speak(inbound.smtp.port, bytes, 400)),
    );
    for (const [index, name] of Object.keys(MALFORMED_SMTP).entries()) {
      expect(answers[index], name).toMatch(/^(220|421)/);
      expect(answers[index], name).not.toMatch(/^250 2\.6\.0/m);
    }
    expect(await readMails(inbound, bob)).toHaveLength(0);
    const ordinary = Buffer.from(
      'EHLO a.test\r\nMAIL FROM:<al@sender.test>\r\nRCPT TO:<bob@keyfold.test>\r\nDATA\r\n' +
        'Subject: still here\r\n\r\nx\r\n.\r\nQUIT\r\n',
    );
    // The whole session is pipelined, which RFC 2920 does not allow after DATA: the message is
    // accepted or refused, but never partially stored.
    await speak(inbound.smtp.port, ordinary, 2_000);
    const mails = await readMails(inbound, bob);
    expect(mails.map(mail => mail.summary.subject)).toEqual(mails.length === 0 ? [] : ['still here']);
    expect(await inbound.deps.db.selectFrom('outbound_messages').select('id').execute()).toHaveLength(0);
  });
});
