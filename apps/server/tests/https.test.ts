// HTTPS of the server itself: HTTP/1.1 and HTTP/2 with the same app behind both, redirects from
// cleartext, and an orderly end. The certificate comes from files here; certificates.test.ts has an
// authority.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import http2, { type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './harness/app.ts';
import { makeAuthority, type TestAuthority } from './harness/certificates.ts';
import { registerTestUser } from './harness/users.ts';

const NAME = 'mail.keyfold.test';

let folder: string;
let authority: TestAuthority;
let app: TestApp;

const startWithTls = async (): Promise<TestApp> =>
  startTestApp({
    config: {
      publicUrl: `https://${NAME}`,
      tlsFiles: { certFile: path.join(folder, 'cert.pem'), keyFile: path.join(folder, 'key.pem') },
      https: { host: '127.0.0.1', port: 0, redirectPort: 0, acme: null },
    },
  });

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'kf-https-'));
  authority = await makeAuthority('Authority of a test');
  const { cert, key } = await authority.issue(NAME);
  writeFileSync(path.join(folder, 'cert.pem'), cert);
  writeFileSync(path.join(folder, 'key.pem'), key);
  app = await startWithTls();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const optionsOf = (of: TestApp = app) => ({
  host: '127.0.0.1',
  port: of.app.httpsPort ?? 0,
  servername: NAME,
  ca: authority.cert,
});

const sessions: ClientHttp2Session[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});
function openSession(of: TestApp = app): ClientHttp2Session {
  const session = http2.connect(`https://${NAME}`, {
    createConnection: () => tls.connect({ ...optionsOf(of), ALPNProtocols: ['h2'] }),
  });
  session.on('error', () => undefined);
  sessions.push(session);
  return session;
}

type Reply = { readonly headers: IncomingHttpHeaders; readonly body: string };

async function ask(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body?: string,
): Promise<Reply> {
  const stream = session.request(headers, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  await once(stream, 'end');
  return { headers: answer, body: text };
}

const get = (port: number, url: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<http.IncomingMessage>((resolve, reject) => {
    http
      .request({ host: '127.0.0.1', port, path: url, method, headers }, response => {
        response.resume();
        resolve(response);
      })
      .on('error', reject)
      .end();
  });

describe('HTTP/2', () => {
  test('is chosen by clients that know it, and carries the same security headers', async () => {
    const { headers, body } = await ask(openSession(), { ':path': '/health' });
    expect(headers[':status']).toBe(200);
    expect(JSON.parse(body)).toEqual({ success: true, data: { status: 'up' } });
    expect(headers['strict-transport-security']).toContain('max-age=');
    expect(headers['x-request-id']).toBeDefined();
  });

  test('carries sessions: cookies, bodies and errors', async () => {
    const { client } = await registerTestUser(app);
    const session = openSession();
    const cookie = client.jar.header('/user') ?? '';
    const headers = { cookie, origin: `https://${NAME}`, 'content-type': 'application/json' };
    const counts = await ask(session, { ':path': '/user/counts', ...headers });
    expect(JSON.parse(counts.body)).toMatchObject({ success: true });
    const broken = await ask(
      session,
      { ':path': '/user/star', ':method': 'POST', ...headers },
      '{"email_id":',
    );
    expect(broken.headers[':status']).toBe(400);
    expect(JSON.parse(broken.body)).toMatchObject({ success: false, code: 'malformed' });
    const foreign = await ask(
      session,
      { ':path': '/user/star', ':method': 'POST', ...headers, origin: 'https://evil.test' },
      '{}',
    );
    expect(JSON.parse(foreign.body)).toMatchObject({ code: 'origin_refused' });
    const [anonymous, missing] = await Promise.all([
      ask(session, { ':path': '/user/counts' }),
      ask(session, { ':path': '/user/no-such-call' }),
    ]);
    expect(anonymous.headers[':status']).toBe(401);
    expect(missing.headers[':status']).toBe(404);
  });

  test('counts as a connection, however many requests it carries', async () => {
    const session = openSession();
    const replies = await Promise.all(Array.from({ length: 50 }, () => ask(session, { ':path': '/health' })));
    expect(new Set(replies.map(({ headers }) => headers[':status']))).toEqual(new Set([200]));
  });

  test('has limits: too many streams at once and too large headers are refused', async () => {
    const session = openSession();
    await ask(session, { ':path': '/health' });
    expect(session.remoteSettings.maxConcurrentStreams).toBe(100);
    const large = session.request({ ':path': '/health', 'x-large': 'x'.repeat(64 * 1024) });
    const outcome = await new Promise(resolve => {
      large.once('response', headers => resolve(Number(headers[':status'])));
      large.once('error', () => resolve('refused'));
      session.once('close', () => resolve('refused'));
    });
    expect([431, 'refused']).toContain(outcome);
  });

  test('serves nothing but the policy on mta-sts and openpgpkey hosts', async () => {
    const session = openSession();
    for (const host of ['mta-sts.keyfold.test', 'OpenPGPKey.keyfold.test']) {
      const page = await ask(session, { ':path': '/', ':authority': host });
      expect(page.headers[':status']).toBe(404);
    }
  });
});

describe('limits hold for streams of HTTP/2 as for connections', () => {
  const fdCount = () => readdirSync('/proc/self/fd').length;
  test('a host that contradicts the authority, and a path that HTTP/1 cannot carry, are refused', async () => {
    const session = openSession();
    const odd = [{ ':path': '/health', ':authority': NAME, host: 'other.test' }, { ':path': '/a b' }];
    for (const headers of odd) {
      const stream = session.request(headers);
      stream.on('error', () => undefined);
      const status = await new Promise(resolve => {
        stream.once('response', answer => resolve(answer[':status']));
        stream.once('close', () => resolve('reset'));
      });
      expect([400, 'reset']).toContain(status);
    }
  });

  test('bodies without a length count like chunked ones, and are given back when the client leaves', async () => {
    const { client } = await registerTestUser(app);
    const headers = {
      ':path': '/user/draft',
      ':method': 'POST',
      cookie: client.jar.header('/user') ?? '',
      origin: `https://${NAME}`,
      'content-type': 'application/json',
    };
    for (let round = 0; round < 3; round++) {
      const session = openSession();
      const statuses = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const stream = session.request(headers, { endStream: false });
          stream.on('error', () => undefined);
          stream.write('{');
          return Promise.race([
            once(stream, 'response').then(([answer]) => Number(answer[':status'])),
            new Promise<number>(resolve => setTimeout(() => resolve(0), 700)),
          ]);
        }),
      );
      // Some wait for their body, the rest is over the user's budget.
      expect(statuses).toContain(429);
      expect(statuses).toContain(0);
      session.destroy();
      await new Promise(resolve => setTimeout(resolve, 300));
    }
  });

  test('a client that leaves during the access check takes no budget with it', async () => {
    const { client } = await registerTestUser(app);
    const headers = {
      ':path': '/user/draft',
      ':method': 'POST',
      cookie: client.jar.header('/user') ?? '',
      origin: `https://${NAME}`,
      'content-type': 'application/json',
      'content-length': '30000000',
    };
    const session = openSession();
    await ask(session, { ':path': '/health' });
    for (let round = 0; round < 12; round++) {
      const stream = session.request(headers, { endStream: false });
      stream.on('error', () => undefined);
      await new Promise(resolve => setTimeout(resolve, round % 4));
      stream.close(http2.constants.NGHTTP2_CANCEL);
    }
    await new Promise(resolve => setTimeout(resolve, 500));
    const reply = await client.fetch('/user/draft', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(reply.status).not.toBe(429);
  });

  test('streams whose reader never reads hold no files once they end', async () => {
    const before = fdCount();
    const session = http2.connect(`https://${NAME}`, {
      settings: { initialWindowSize: 0 },
      createConnection: () => tls.connect({ ...optionsOf(), ALPNProtocols: ['h2'] }),
    });
    session.on('error', () => undefined);
    const streams = Array.from({ length: 50 }, () => session.request({ ':path': '/docs' }));
    for (const stream of streams) stream.on('error', () => undefined);
    await new Promise(resolve => setTimeout(resolve, 500));
    session.destroy();
    await expect.poll(fdCount).toBeLessThanOrEqual(before + 5);
  });

  test('event streams that are reset at once free their place', async () => {
    const { client } = await registerTestUser(app);
    const headers = { ':path': '/user/events', cookie: client.jar.header('/user') ?? '' };
    const session = openSession();
    await ask(session, { ':path': '/health' });
    for (let round = 0; round < 20; round++) {
      const stream = session.request(headers);
      stream.on('error', () => undefined);
      await new Promise(resolve => setTimeout(resolve, round % 5));
      stream.close(http2.constants.NGHTTP2_CANCEL);
    }
    await new Promise(resolve => setTimeout(resolve, 300));
    const stream = session.request(headers);
    const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    expect(answer[':status']).toBe(200);
  });
});

describe('HTTP/1.1 over TLS', () => {
  test('a client cannot name another address', async () => {
    const { client } = await registerTestUser(app);
    const cookie = client.jar.header('/user') ?? '';
    const headers = { host: NAME, cookie, 'x-forwarded-for': '6.6.6.6' };
    const isNamed = async () => JSON.stringify(await client.account.sessions({})).includes('6.6.6.6');
    const [response] = (await once(
      https.get({ ...optionsOf(), path: '/user/counts', headers }),
      'response',
    )) as [http.IncomingMessage];
    response.resume();
    expect([response.statusCode, await isNamed()]).toEqual([200, false]);
  });

  test('is served to clients without HTTP/2', async () => {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      https.get({ ...optionsOf(), path: '/health', headers: { host: NAME } }, resolve).on('error', reject);
    });
    response.resume();
    expect([response.statusCode, response.httpVersion]).toEqual([200, '1.1']);
  });

  test('needs TLS 1.2, and a name without a certificate gets the default one', async () => {
    const old = tls.connect({ ...optionsOf(), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
    await expect(once(old, 'secureConnect')).rejects.toThrow();
    const other = tls.connect({ ...optionsOf(), servername: 'other.test', rejectUnauthorized: false });
    await once(other, 'secureConnect');
    expect(other.getPeerCertificate().subject.CN).toBe(NAME);
    other.destroy();
  });

  test('survives bytes that are not TLS', async () => {
    const socket = net.connect(app.app.httpsPort ?? 0, '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\n\r\n').on('error', () => undefined);
    await once(socket, 'close');
    expect((await ask(openSession(), { ':path': '/health' })).headers[':status']).toBe(200);
  });
});

describe('the redirect', () => {
  const port = () => app.app.redirectPort ?? 0;

  test('leads to the same address with https, for reading only', async () => {
    const page = await get(port(), '/app/inbox?x=1', { host: NAME });
    expect([page.statusCode, page.headers.location]).toEqual([308, `https://${NAME}/app/inbox?x=1`]);
    const other = await get(port(), '/', { host: 'mta-sts.keyfold.test' });
    expect(other.headers.location).toBe('https://mta-sts.keyfold.test/');
    expect((await get(port(), '/auth/login', { host: NAME }, 'POST')).statusCode).toBe(403);
  });

  test('never leads to a host that is no name', async () => {
    for (const host of ['evil.test/@', '127.0.0.1', 'a b', 'x.test:80:80', '[::1]'])
      expect((await get(port(), '/', { host })).headers.location).toBe(`https://${NAME}/`);
    expect((await get(port(), `/${'x'.repeat(3_000)}`, { host: NAME })).headers.location).toBe(
      `https://${NAME}/`,
    );
  });

  test('answers challenges that the service waits for, and no others', async () => {
    const token = 'a-token-of-an-authority';
    await app.db
      .insertInto('acme_challenges')
      .values({ token, response: `${token}.thumbprint`, created_at: new Date() })
      .execute();
    const known = await get(port(), `/.well-known/acme-challenge/${token}`);
    expect(known.statusCode).toBe(200);
    for (const wrong of ['another-token-of-theirs', '', "x'; drop table users", `${token}/..`])
      expect((await get(port(), `/.well-known/acme-challenge/${encodeURI(wrong)}`)).statusCode).toBe(404);
  });
});

test('an event stream stays open over HTTP/2, and ends when the server closes', async () => {
  const other = await startWithTls();
  const { client } = await registerTestUser(other);
  const session = openSession(other);
  const stream = session.request({ ':path': '/user/events', cookie: client.jar.header('/user') ?? '' });
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  expect(headers['content-type']).toContain('text/event-stream');
  const [first] = (await once(stream, 'data')) as [Buffer];
  expect(first.toString()).toContain('retry:');
  const ended = once(stream, 'end');
  stream.resume();
  await other.close();
  await ended;
});

test('closing ends idle sessions and lets a response finish', async () => {
  const other = await startWithTls();
  const session = openSession(other);
  await ask(session, { ':path': '/health' });
  const closed = once(session, 'close');
  await other.close();
  await closed;
});
