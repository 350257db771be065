import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';
import type { RequestContext } from '../context/call-context.ts';
import { createHttpServer } from './server.ts';

const call = <const P extends `/${string}`>(path: P) =>
  ({
    method: 'GET',
    path,
    access: 'public',
    about: 'Gives a text',
    input: z.object({ text: z.string().default('') }),
    output: z.object({ data: z.object({ text: z.string(), secret: z.string() }) }),
  }) as const;
const TRIAL = {
  trial: {
    list: call('/user/trial'),
    small: call('/user/small'),
    token: call('/csrf/trial'),
    events: { ...call('/user/trial_events'), transport: 'events', output: z.object({}) },
  },
} as const;

const SECRET = randomBytes(12_000).toString('base64');
const give = async ({ text }: Record<string, unknown>) => ({ data: { text, secret: SECRET } });

let app: TestApp;
let server: FastifyInstance;
beforeAll(async () => {
  app = await startTestApp();
  server = await createHttpServer(app.deps, {
    table: TRIAL,
    webRoot: '/nowhere',
    build: null,
    handlers: {
      trial: {
        list: give,
        small: async () => ({ data: { text: 'a'.repeat(2000), secret: '' } }),
        token: give,
        events: async (_input: unknown, context: RequestContext) => {
          context.sendEvents(async function* () {
            yield { event: 'tick', data: { text: SECRET } };
          });
          return {};
        },
      },
    },
  });
});
afterAll(async () => {
  await server.close();
  await app.close();
});

async function ask(url: string, accepted?: string) {
  const { headers, rawPayload } = await server.inject({
    url,
    headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
  });
  return { headers, bytes: rawPayload };
}

test.each(['gzip', 'gzip, deflate, br', 'GZIP;q=0.5', '*', 'br;q=1, gzip;q=0.1'])(
  'a large response is compressed for a client that accepts %s',
  async accepted => {
    const { headers, bytes } = await ask('/user/trial', accepted);
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      'cache-control': 'no-store, no-transform',
      'content-length': String(bytes.length),
    });
    expect(bytes.length).toBeLessThan(SECRET.length * 0.8);
    expect(JSON.parse(gunzipSync(bytes).toString('utf8'))).toMatchObject({ data: { secret: SECRET } });
  },
);

test.each([undefined, '', 'br', 'identity', 'gzip;q=0', 'gzip;q=0.0, *', '*;q=0'])(
  'a large response is sent uncompressed to a client that says %s',
  async accepted => {
    const { headers, bytes } = await ask('/user/trial', accepted);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers.vary).toBe('accept-encoding');
    expect(JSON.parse(bytes.toString('utf8'))).toMatchObject({ data: { secret: SECRET } });
  },
);

test('the length of a response does not reveal whether it contains text chosen by an attacker', async () => {
  const guess = SECRET.slice(4000, 4200);
  const other = [...guess].reverse().join('');
  const lengths = await Promise.all(
    [guess, other].map(
      async text => (await ask(`/user/trial?text=${encodeURIComponent(text)}`, 'gzip')).bytes.length,
    ),
  );
  expect(lengths[0]).toBe(lengths[1]);
});

test('small responses and tokens are never compressed', async () => {
  for (const url of ['/user/small', '/csrf/trial'])
    expect((await ask(url, 'gzip, br')).headers, url).not.toHaveProperty('content-encoding');
});

test('an event stream is not compressed, and its first event arrives at once', async () => {
  const leave = new AbortController();
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const headers = { 'accept-encoding': 'gzip, br' };
  const stream = await fetch(`${address}/user/trial_events`, { headers, signal: leave.signal });
  expect(stream.headers.get('content-encoding')).toBeNull();
  const first = await stream.body?.getReader().read();
  expect(Buffer.from(first?.value ?? []).toString('utf8')).toMatch(/^(?::|event: tick)/m);
  leave.abort();
});

test('the API document, the same for every client, is fully compressed', async () => {
  const plain = (await ask('/openapi.json')).bytes;
  const packed = await ask('/openapi.json', 'gzip, br');
  expect(packed.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(packed.bytes)).toEqual(plain);
  expect((await ask('/openapi.json', 'gzip')).headers['content-encoding']).toBe('gzip');
  expect((await ask('/docs', 'br')).headers['content-encoding']).toBe('br');
});
