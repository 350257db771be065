// Slow bodies: a time limit per route for those that take too long, and for clients that keep
// sending after the response. Also the limits on connections.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isCramped, limitsFor, openFilesMax } from './connection-limits.ts';
import { guardConnections } from './connections.ts';
import { limitRequestTime } from './request-timeout.ts';

const USUAL_MS = 600;
const PUBLIC_MS = 300;
let app: FastifyInstance;

beforeAll(async () => {
  app = fastify({ requestTimeout: 0, connectionTimeout: 1_000 });
  limitRequestTime(app, { usualMs: USUAL_MS, publicMs: PUBLIC_MS, answeredMs: USUAL_MS });
  app.addContentTypeParser('text/slow', (_request, payload, done) => done(null, payload));
  const readAll = async ({ body }: { body: unknown }) => {
    let size = 0;
    for await (const piece of body as AsyncIterable<Uint8Array>) size += piece.length;
    return { size };
  };
  app.post('/usual', readAll);
  app.post('/long', { config: { arrivesWithinMs: 5_000 } }, async request => {
    const answer = await readAll(request);
    // Longer than the idle limit of a connection.
    await wait(1_500);
    return answer;
  });
  app.post('/public', { config: { arrivesWithinMs: 5_000, isPublic: true } }, readAll);
  app.post('/early', async () => ({ early: true }));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

async function post(
  path: string,
  at: FastifyInstance = app,
): Promise<{ socket: Socket; text: () => string; ended: Promise<unknown> }> {
  const socket = connect((at.server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', data => {
    text += data.toString();
  });
  // The other side closes the connection while we write.
  socket.on('error', () => undefined);
  // Not `once`, which an error would reject first.
  const ended = new Promise(resolve => socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: text/slow\r\ncontent-length: 10\r\n\r\n`);
  return { socket, text: () => text, ended };
}

async function drip(socket: Socket, pieces: number): Promise<void> {
  for (let sent = 0; sent < pieces && socket.writable; sent++) {
    socket.write('x');
    await wait(100);
  }
}

test('a body that exceeds the usual time is cut off', async () => {
  const { socket, text, ended } = await post('/usual');
  await drip(socket, 15);
  await ended;
  expect(text()).toBe('');
});

test('a body on a public route has less time, whatever the route allows', async () => {
  const { socket, text, ended } = await post('/public');
  const begunAt = performance.now();
  await drip(socket, 9);
  await ended;
  expect(performance.now() - begunAt).toBeLessThan(5_000);
  expect(text()).toBe('');
});

test('a route with a longer limit receives its body and may work longer than the idle limit', async () => {
  const { socket, text, ended } = await post('/long');
  await drip(socket, 10);
  await expect.poll(text, { timeout: 10_000 }).toContain('{"size":10}');
  socket.destroy();
  await ended;
});

test('a client that keeps sending after the response is cut off', async () => {
  const { socket, text, ended } = await post('/early');
  await expect.poll(text).toContain('{"early":true}');
  await drip(socket, 15);
  await ended;
});

test('a connection stays usable after a body that arrived in time', async () => {
  const { socket, text, ended } = await post('/usual');
  socket.write('0123456789');
  await expect.poll(text).toContain('{"size":10}');
  await wait(2 * USUAL_MS);
  socket.write('POST /usual HTTP/1.1\r\nhost: x\r\ncontent-type: text/slow\r\ncontent-length: 3\r\n\r\nabc');
  await expect.poll(text).toContain('{"size":3}');
  socket.destroy();
  await ended;
});

test('closing waits neither for a next request nor for the rest of a body after its response', async () => {
  const closing = fastify({ forceCloseConnections: 'idle' });
  limitRequestTime(closing, { closingMs: 300 });
  closing.addContentTypeParser('text/slow', (_request, payload, done) => done(null, payload));
  closing.post('/early', async () => ({ early: true }));
  await closing.listen({ port: 0, host: '127.0.0.1' });
  const [late, never] = await Promise.all([post('/early', closing), post('/early', closing)]);
  for (const { socket, text } of [late, never]) {
    socket.write('01234');
    await expect.poll(text).toContain('{"early":true}');
  }
  const beganAt = performance.now();
  const closed = closing.close();
  await wait(50);
  late.socket.write('56789');
  await closed;
  // Fastify's connections wait 72 seconds for the next request.
  expect(performance.now() - beganAt).toBeLessThan(5_000);
  expect(performance.now() - beganAt).toBeGreaterThan(250);
  await Promise.all([late.ended, never.ended]);
}, 30_000);

/** Larger than the buffers of a connection whose client does not read. */
const LARGE_BYTES = 48 * 1024 * 1024;
/**
 * Starts an app that accepts ten connections, five per network and the given number per site, with
 * one path whose response waits until it is released.
 */
async function startGuarded(slowMs = 60_000, perSiteMax = 10) {
  const guarded = fastify({ clientErrorHandler: (_error, socket) => socket.destroySoon() });
  const held: (() => void)[] = [];
  const letGo = () => {
    for (const answer of held.splice(0)) answer();
  };
  guardConnections(
    guarded,
    { totalMax: 10, perNetworkMax: 5, perSiteMax, staleMs: 300, slowMs },
    ip => ip === '127.0.0.99',
  );
  const large = Buffer.alloc(LARGE_BYTES, 'x');
  guarded.get('/large', (_request, reply) => reply.type('text/plain').send(large));
  guarded.get('/stream', { config: { isLasting: true } }, (_request, reply) =>
    reply.type('text/event-stream').send(large),
  );
  guarded.get('/', async () => ({ ok: true }));
  guarded.get('/held', () => new Promise(resolve => held.push(() => resolve({ ok: true }))));
  await guarded.listen({ port: 0, host: '127.0.0.1' });
  const { port } = guarded.server.address() as AddressInfo;
  const open = async (localAddress: string, sent: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    let text = '';
    let isClosed = false;
    socket.on('data', data => {
      text += data.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      isClosed = true;
    });
    await once(socket, 'connect');
    socket.write(sent);
    return { socket, text: () => text, isClosed: () => isClosed };
  };
  /** Returns the response to a normal visitor from a separate network. */
  const visit = async (from = '127.0.0.50'): Promise<string> => {
    const { socket, text, isClosed } = await open(
      from,
      'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    );
    await expect.poll(() => isClosed() || text().includes('}')).toBe(true);
    socket.destroy();
    return text().slice(9, 12);
  };
  return { guarded, held, letGo, open, visit };
}
const DRIBBLED = 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: ';
const HELD = 'GET /held HTTP/1.1\r\nhost: x\r\n\r\n';

test('connections per network are limited, and connections without progress are replaced', async () => {
  const { guarded, open, visit } = await startGuarded();
  const slow = await Promise.all(Array.from({ length: 5 }, () => open('127.0.0.2', DRIBBLED)));
  const early = await open('127.0.0.2', DRIBBLED);
  await expect.poll(early.isClosed).toBe(true);
  expect(early.text()).toMatch(/^HTTP\/1\.1 503 /);
  expect(await visit()).toBe('200');
  await wait(350);
  // From the crowded network itself: a normal visitor replaces a connection that makes no progress.
  expect(await visit('127.0.0.2')).toBe('200');
  await expect.poll(() => slow.filter(one => one.isClosed()).length).toBe(1);
  expect(await visit('127.0.0.2')).toBe('200');
  for (const { socket } of slow) socket.destroy();
  await guarded.close();
});

test('slow connections from many networks cannot fill the server, and capacity returns at once', async () => {
  const { guarded, open, visit } = await startGuarded();
  const slow = await Promise.all(Array.from({ length: 10 }, (_, n) => open(`127.0.0.${10 + n}`, DRIBBLED)));
  expect(await visit()).toBe('503');
  await wait(350);
  for (let visits = 0; visits < 3; visits++) expect(await visit()).toBe('200');
  for (const { socket } of slow) socket.destroy();
  await expect.poll(() => visit()).toBe('200');
  await guarded.close();
});

test('one site leaves capacity for others, however many and busy its networks are', async () => {
  const { guarded, held, letGo, open, visit } = await startGuarded(60_000, 7);
  const busy = await Promise.all(Array.from({ length: 10 }, (_, n) => open(`127.0.1.${10 + n}`, HELD)));
  await expect.poll(() => busy.filter(one => one.text().includes(' 503 ')).length).toBe(3);
  expect(held).toHaveLength(7);
  expect(await visit('127.0.1.50')).toBe('503');
  expect(await visit('127.0.2.50')).toBe('200');
  letGo();
  for (const { socket } of busy) socket.destroy();
  await expect.poll(() => visit('127.0.1.50')).toBe('200');
  await guarded.close();
});

test('a request being answered is never cut off, and a proxy is not limited as one network', async () => {
  const { guarded, held, letGo, open, visit } = await startGuarded();
  const working = await Promise.all(Array.from({ length: 10 }, () => open('127.0.0.99', HELD)));
  await expect.poll(() => held.length).toBe(10);
  await wait(350);
  expect(await visit('127.0.0.99')).toBe('503');
  expect(working.some(one => one.isClosed())).toBe(false);
  letGo();
  for (const one of working) await expect.poll(one.text).toContain('{"ok":true}');
  // Idle now, between two requests: the first connection that has been idle long enough is
  // replaced.
  await wait(350);
  expect(await visit()).toBe('200');
  for (const { socket } of working) socket.destroy();
  await guarded.close();
});

const LARGE = 'GET /large HTTP/1.1\r\nhost: x\r\n\r\n';
/** Reads a piece of a response at an interval and pauses otherwise; reports how much arrived. */
function readSlowly(socket: Socket, everyMs: number) {
  let [bytes, left] = [0, 0];
  socket.removeAllListeners('data');
  socket.on('data', data => {
    bytes += data.length;
    left -= data.length;
    if (left <= 0) socket.pause();
  });
  socket.pause();
  const timer = setInterval(() => {
    left = 512 * 1024;
    socket.resume();
  }, everyMs);
  return { bytes: () => bytes, stop: () => clearInterval(timer) };
}

test('clients that stop reading are replaced, slow readers and event streams are not', async () => {
  const { guarded, open, visit } = await startGuarded();
  const stream = await open('127.0.0.10', LARGE.replace('/large', '/stream'));
  const slow = await open('127.0.0.11', LARGE);
  stream.socket.pause();
  const reading = readSlowly(slow.socket, 50);
  const silent = await Promise.all(Array.from({ length: 8 }, (_, n) => open(`127.0.0.${20 + n}`, LARGE)));
  for (const { socket } of silent) socket.pause();
  await wait(700);
  for (let visits = 0; visits < 8; visits++) {
    await wait(60);
    expect(await visit()).toBe('200');
    // Fills the freed place again.
    silent.push(await open(`127.0.0.${40 + visits}`, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'));
  }
  expect(stream.isClosed() || slow.isClosed()).toBe(false);
  const before = reading.bytes();
  await expect.poll(reading.bytes).toBeGreaterThan(before + 1024 * 1024);
  reading.stop();
  for (const { socket } of [stream, slow, ...silent]) socket.destroy();
  await guarded.close();
});

test('a response that is barely read is ended after a while, even with free capacity', async () => {
  const { guarded, open } = await startGuarded(1_500);
  const count = async () => (await promisify(guarded.server.getConnections.bind(guarded.server))()) as number;
  const slow = await open('127.0.0.11', LARGE);
  const reading = readSlowly(slow.socket, 50);
  const silent = await open('127.0.0.12', LARGE);
  silent.socket.pause();
  await expect.poll(count).toBe(2);
  await expect.poll(count, { timeout: 10_000 }).toBe(1);
  await wait(1_600);
  expect(await count()).toBe(1);
  expect(slow.isClosed()).toBe(false);
  reading.stop();
  for (const { socket } of [slow, silent]) socket.destroy();
  await guarded.close();
});

test('connection limits follow the open file limit', () => {
  expect(limitsFor(Number.POSITIVE_INFINITY)).toMatchObject({
    totalMax: 20_000,
    perNetworkMax: 1_000,
    perSiteMax: 10_000,
  });
  expect(limitsFor(4_096)).toMatchObject({ totalMax: 2_596, perNetworkMax: 1_000, perSiteMax: 1_298 });
  expect(limitsFor(256)).toMatchObject({ totalMax: 100, perNetworkMax: 100, perSiteMax: 100 });
  expect(isCramped(limitsFor(4_096))).toBe(true);
  expect(isCramped(limitsFor(65_536))).toBe(false);
  expect(openFilesMax('/nowhere')).toBe(Number.POSITIVE_INFINITY);
  expect(openFilesMax()).toBeGreaterThan(0);
});
