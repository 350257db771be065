// Slow bodies: an end for those that take too long, by route; and for what is sent on after its answer.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { boundArrival } from './arrival.ts';

const USUAL_MS = 600;
let app: FastifyInstance;

beforeAll(async () => {
  app = fastify({ requestTimeout: 0, connectionTimeout: 1_000 });
  boundArrival(app, { usualMs: USUAL_MS, answeredMs: USUAL_MS });
  app.addContentTypeParser('text/slow', (_request, payload, done) => done(null, payload));
  const readAll = async ({ body }: { body: unknown }) => {
    let size = 0;
    for await (const piece of body as AsyncIterable<Uint8Array>) size += piece.length;
    return { size };
  };
  app.post('/usual', readAll);
  app.post('/long', { config: { arrivesWithinMs: 5_000 } }, async request => {
    const answer = await readAll(request);
    // Longer than a connection may be silent.
    await wait(1_500);
    return answer;
  });
  app.post('/early', async () => ({ early: true }));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

const post = async (
  path: string,
): Promise<{ socket: Socket; text: () => string; ended: Promise<unknown> }> => {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', data => {
    text += data.toString();
  });
  // A connection that the other side ends while we write.
  socket.on('error', () => undefined);
  // Not `once`, which an error would reject first.
  const ended = new Promise(resolve => socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: text/slow\r\ncontent-length: 10\r\n\r\n`);
  return { socket, text: () => text, ended };
};

const drip = async (socket: Socket, pieces: number): Promise<void> => {
  for (let sent = 0; sent < pieces && socket.writable; sent++) {
    socket.write('x');
    await wait(100);
  }
};

test('a body that takes longer than usual is cut', async () => {
  const { socket, text, ended } = await post('/usual');
  await drip(socket, 15);
  await ended;
  expect(text()).toBe('');
});

test('a call with a longer time gets its body, and may work on it longer than a connection is silent', async () => {
  const { socket, text, ended } = await post('/long');
  await drip(socket, 10);
  await expect.poll(text, { timeout: 10_000 }).toContain('{"size":10}');
  socket.destroy();
  await ended;
});

test('who sends on after the answer is cut', async () => {
  const { socket, text, ended } = await post('/early');
  await expect.poll(text).toContain('{"early":true}');
  await drip(socket, 15);
  await ended;
});

test('a body in time lets its connection be used again', async () => {
  const { socket, text, ended } = await post('/usual');
  socket.write('0123456789');
  await expect.poll(text).toContain('{"size":10}');
  await wait(2 * USUAL_MS);
  socket.write('POST /usual HTTP/1.1\r\nhost: x\r\ncontent-type: text/slow\r\ncontent-length: 3\r\n\r\nabc');
  await expect.poll(text).toContain('{"size":3}');
  socket.destroy();
  await ended;
});
