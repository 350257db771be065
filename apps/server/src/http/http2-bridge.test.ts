// Streams of HTTP/2 in the limits of connections, on a listener without TLS and with small limits.
import { once } from 'node:events';
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { guardConnections } from './connections.ts';
import { createHttp2Bridge, type Http2Bridge } from './http2-bridge.ts';
import { limitRequestTime } from './request-timeout.ts';

const LIMITS = { totalMax: 4, perNetworkMax: 4, perSiteMax: 4, staleMs: 200, slowMs: 400 } as const;
const BIG = Buffer.alloc(4 * 1024 * 1024, 'x');

let app: FastifyInstance;
let bridge: Http2Bridge;
let listener: net.Server;
let port: number;
let addresses: string[];
const sessions: ClientHttp2Session[] = [];

beforeEach(async () => {
  app = fastify({ forceCloseConnections: true, connectionTimeout: 60_000 });
  const guard = guardConnections(app, LIMITS, () => false);
  limitRequestTime(app, { usualMs: 400, publicMs: 400, answeredMs: 200, closingMs: 100 });
  addresses = [];
  app.get('/big', async (request, reply) => {
    addresses.push(request.ip);
    return reply.send(BIG);
  });
  app.post('/echo', async request => request.body);
  await app.listen({ port: 0, host: '127.0.0.1' });
  bridge = createHttp2Bridge(app, guard);
  listener = net.createServer(socket => {
    if (guard.admit(socket)) bridge.accept(socket as TLSSocket);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  ({ port } = listener.address() as AddressInfo);
});
afterEach(async () => {
  for (const session of sessions.splice(0)) session.destroy();
  listener.close();
  await Promise.all([bridge.close(), app.close()]);
});

function open(settings: http2.Settings = {}): ClientHttp2Session {
  const session = http2.connect(`http://127.0.0.1:${port}`, { settings });
  session.on('error', () => undefined);
  sessions.push(session);
  return session;
}
function get(session: ClientHttp2Session, headers: Record<string, string> = {}): ClientHttp2Stream {
  const stream = session.request({ ':path': '/big', ...headers });
  stream.on('error', () => undefined);
  return stream;
}
async function sizeOf(stream: ClientHttp2Stream): Promise<number> {
  let size = 0;
  stream.on('data', (part: Buffer) => {
    size += part.length;
  });
  await once(stream, 'close');
  return size;
}

test('a response arrives whole, and the address is that of the connection', async () => {
  expect(await sizeOf(get(open(), { 'x-forwarded-for': '6.6.6.6', 'x-real-ip': '6.6.6.6' }))).toBe(
    BIG.length,
  );
  expect(addresses).toEqual(['127.0.0.1']);
});

test('a body arrives with and without an announced length, and never becomes a second request', async () => {
  const session = open();
  const body = JSON.stringify({ text: 'y'.repeat(200_000) });
  const headers = { ':path': '/echo', ':method': 'POST', 'content-type': 'application/json' };
  for (const length of [{}, { 'content-length': String(body.length) }]) {
    const stream = session.request({ ...headers, ...length });
    stream.end(body);
    expect(await sizeOf(stream)).toBe(body.length);
  }
  const smuggled = session.request({ ...headers, 'content-length': '2' });
  smuggled.on('error', () => undefined);
  smuggled.end('{}GET /big HTTP/1.1\r\nhost: x\r\n\r\n');
  await new Promise(resolve => smuggled.once('close', resolve));
  expect(addresses).toEqual([]);
});

test('a refusal in the middle of a body arrives whole', async () => {
  const session = open();
  for (let round = 0; round < 5; round++) {
    const headers = { ':path': '/echo', ':method': 'POST', 'content-type': 'application/json' };
    const stream = session.request(headers, { endStream: false });
    stream.on('error', () => undefined);
    stream.write(`"${'x'.repeat(3_000_000)}`);
    const [answer] = await once(stream, 'response');
    let text = '';
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    await new Promise(resolve => stream.once('close', resolve));
    expect([answer[':status'], JSON.parse(text).code]).toEqual([413, 'FST_ERR_CTP_BODY_TOO_LARGE']);
  }
  expect(await sizeOf(get(session))).toBe(BIG.length);
});

test('a stream that nobody reads is ended, and gives way to others when the limit is reached', async () => {
  const stuck = open({ initialWindowSize: 0 });
  const streams = [get(stuck), get(stuck)];
  await expect.poll(() => addresses.length).toBe(2);
  // The session and its two streams count as three of four; a new session and its stream need two.
  await new Promise(resolve => setTimeout(resolve, LIMITS.staleMs + 100));
  expect(await sizeOf(get(open()))).toBe(BIG.length);
  await expect.poll(() => streams.every(stream => stream.closed)).toBe(true);
});

test('a body that does not arrive in time ends its stream, not the session', async () => {
  const session = open();
  const late = session.request({ ':path': '/echo', ':method': 'POST', 'content-type': 'application/json' });
  late.on('error', () => undefined);
  late.write('{');
  await expect.poll(() => late.closed).toBe(true);
  expect(await sizeOf(get(session))).toBe(BIG.length);
});

test('a session without streams gives way like an idle connection', async () => {
  const idle = Array.from({ length: LIMITS.totalMax }, () => open());
  await Promise.all(idle.map(session => once(session, 'remoteSettings')));
  await new Promise(resolve => setTimeout(resolve, LIMITS.staleMs + 100));
  expect(await sizeOf(get(open()))).toBe(BIG.length);
});
