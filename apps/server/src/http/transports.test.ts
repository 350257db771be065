import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { api, type Call } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestApp, type TestApp } from '../../tests/harness/app.ts';
import type { RequestContext } from '../context/call-context.ts';
import { createHttpServer } from './server.ts';
import { UPLOADS_MAX } from './upload-places.ts';

const FILE = randomBytes(100_000);
const MIB = 1024 * 1024;

const TRIAL = {
  trial: {
    upload: {
      method: 'POST',
      path: '/trial/upload',
      access: 'public',
      about: 'Takes a file',
      transport: 'upload',
      input: z.object({ draft_id: z.string() }),
      output: z.object({ data: z.object({ digest: z.string(), size: z.number(), draft_id: z.string() }) }),
    },
    download: {
      method: 'GET',
      path: '/trial/file',
      access: 'public',
      about: 'Gives a file',
      transport: 'download',
      input: z.object({}),
      output: z.object({}),
    },
    events: {
      method: 'GET',
      path: '/trial/events',
      access: 'public',
      about: 'Gives events',
      transport: 'events',
      input: z.object({}),
      output: z.object({}),
    },
    crowded: {
      method: 'GET',
      path: '/trial/crowded',
      access: 'public',
      about: 'Gives no events',
      transport: 'events',
      input: z.object({}),
      output: z.object({}),
    },
    remove: {
      method: 'DELETE',
      path: '/trial/things',
      access: 'public',
      about: 'Gives back what it takes',
      input: z.object({ id: z.string(), password: z.string().optional() }),
      inQuery: ['id'],
      output: z.object({ data: z.object({ id: z.string(), password: z.string().optional() }) }),
    },
    visitor: {
      method: 'GET',
      path: '/trial/visitor',
      access: 'public',
      about: 'Tells who asks',
      input: z.object({}),
      output: z.object({ data: z.object({ ip: z.string() }) }),
    },
    fields: {
      method: 'POST',
      path: '/trial/fields/:id',
      access: 'public',
      about: 'Gives back what it takes',
      input: z.object({ id: z.string().max(3), count: z.number().int() }),
      output: z.object({ data: z.object({ id: z.string(), count: z.number() }) }),
    },
  },
} as const;

let app: TestApp;
let server: FastifyInstance;
let base: string;
let port: number;
const seen = { pieces: 0, uploads: 0, broken: 0, eventsEnded: 0 };

type Input = Record<string, unknown>;

beforeAll(async () => {
  app = await startTestApp({ config: { trustedProxies: ['172.18.0.0/16'] } });
  server = await createHttpServer(app.deps, {
    table: TRIAL,
    webRoot: '/nowhere',
    build: null,
    handlers: {
      trial: {
        upload: async (input: Input, { file }: RequestContext) => {
          if (file === undefined) throw new Error('no file');
          const hash = createHash('sha256');
          let size = 0;
          try {
            for await (const piece of file.content) {
              seen.pieces++;
              hash.update(piece);
              size += piece.length;
            }
          } catch (error) {
            seen.broken++;
            throw error;
          }
          seen.uploads++;
          if (file.isTooLarge()) throw Object.assign(new Error('too large'), { statusCode: 413 });
          return { data: { digest: hash.digest('hex'), size, draft_id: input.draft_id, secret: 'left out' } };
        },
        download: async (_input: Input, context: RequestContext) => {
          context.sendFile({
            sizeBytes: FILE.length,
            open: async range =>
              Readable.from([range === undefined ? FILE : FILE.subarray(range.start, range.end + 1)]),
          });
          return {};
        },
        events: async (_input: Input, context: RequestContext) => {
          context.sendEvents(async function* (signal) {
            try {
              for (let n = 0; !signal.aborted; n++) {
                yield { event: 'tick', data: { n } };
                await new Promise(resolve => setTimeout(resolve, 10));
              }
            } finally {
              seen.eventsEnded++;
            }
          });
          return {};
        },
        crowded: async (_input: Input, context: RequestContext) => {
          context.sendEvents(() => {
            throw new AppError('rate_limited', { retryAfterSeconds: 60 });
          });
          return {};
        },
        remove: async (input: Input) => ({ data: input }),
        visitor: async (_input: Input, { ip }: RequestContext) => ({ data: { ip } }),
        fields: async (input: Input) => ({ data: input }),
      },
    },
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  port = (server.server.address() as { port: number }).port;
  base = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await server.close();
  await app.close();
});

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('uploads', () => {
  const send = (parts: readonly (readonly [string, string | Blob])[]) => {
    const form = new FormData();
    for (const [name, value] of parts) form.append(name, value);
    return fetch(`${base}/trial/upload`, { method: 'POST', body: form });
  };
  const bytes = randomBytes(3 * MIB);

  test.each([
    [
      'after the fields',
      [
        ['draft_id', 'd1'],
        ['file', new Blob([bytes])],
      ],
    ],
    [
      'before the fields',
      [
        ['file', new Blob([bytes])],
        ['draft_id', 'd1'],
      ],
    ],
  ] as const)('a file %s arrives complete', async (_where, parts) => {
    const reply = await send(parts);
    expect(await reply.json()).toEqual({
      success: true,
      data: { digest: digestOf(bytes), size: bytes.length, draft_id: 'd1' },
    });
  });

  test('a spooled file is removed after the request', async () => {
    // The response arrives before the file is deleted.
    await expect.poll(() => readdirSync(path.join(app.config.dataDir, 'tmp'))).toEqual([]);
  });

  test('a spooled file is removed when the form fails after the file', async () => {
    const left = () => readdirSync(path.join(app.config.dataDir, 'tmp'));
    const twice = await send([
      ['file', new Blob([bytes])],
      ['file', new Blob([bytes])],
      ['draft_id', 'd1'],
    ]);
    expect(twice.status).toBeGreaterThanOrEqual(400);
    await expect.poll(left).toEqual([]);
    const many = Array.from({ length: 30 }, (_, n) => [`field${n}`, 'x'] as const);
    expect((await send([['file', new Blob([bytes])], ...many])).status).toBeGreaterThanOrEqual(400);
    await expect.poll(left).toEqual([]);
    const cut = await fetch(`${base}/trial/upload`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body:
        '--b\r\ncontent-disposition: form-data; name="file"; filename="blob"\r\n\r\nabc\r\n' +
        '--b\r\ncontent-disposition: form-data; name="draft_id"\r\n\r\nd1',
    });
    expect(cut.status).toBe(400);
    await expect.poll(left).toEqual([]);
    const leaving = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/trial/upload',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 10 * MIB },
    });
    leaving.on('error', () => {});
    leaving.write(
      '--b\r\ncontent-disposition: form-data; name="file"; filename="blob"\r\n\r\nabc\r\n' +
        '--b\r\ncontent-disposition: form-data; name="draft_id"\r\n\r\nd',
    );
    await expect.poll(left).toHaveLength(1);
    leaving.destroy();
    await expect.poll(left).toEqual([]);
  });

  test('a form without file or fields is malformed', async () => {
    for (const parts of [[['draft_id', 'd1']], [['file', new Blob(['x'])]]] as const) {
      const reply = await send(parts);
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ success: false, code: 'malformed' });
    }
    const json = await fetch(`${base}/trial/upload`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(json.status).toBe(415);
  });

  test('a file over the limit returns 413 too_large', async () => {
    const reply = await send([
      ['draft_id', 'd1'],
      ['file', new Blob([Buffer.alloc(51 * MIB)])],
    ]);
    expect(reply.status).toBe(413);
    expect(await reply.json()).toMatchObject({ code: 'too_large' });
  });

  test('a truncated file is never accepted as complete', async () => {
    const before = { ...seen };
    const head =
      '--b\r\ncontent-disposition: form-data; name="draft_id"\r\n\r\nd1\r\n' +
      '--b\r\ncontent-disposition: form-data; name="file"; filename="blob"\r\n\r\n';
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/trial/upload',
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': 10 * MIB },
    });
    request.on('error', () => {});
    request.write(head);
    request.write(randomBytes(MIB));
    await expect.poll(() => seen.pieces).toBeGreaterThan(before.pieces);
    request.destroy();
    await expect.poll(() => seen.broken).toBe(before.broken + 1);
    expect(seen.uploads).toBe(before.uploads);
  });

  test('a body that ends before its closing boundary is refused', async () => {
    const before = seen.uploads;
    const body =
      '--b\r\ncontent-disposition: form-data; name="draft_id"\r\n\r\nd1\r\n' +
      '--b\r\ncontent-disposition: form-data; name="file"; filename="blob"\r\n\r\nabc';
    const reply = await fetch(`${base}/trial/upload`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body,
    });
    expect(reply.status).toBe(400);
    expect(seen.uploads).toBe(before);
  });
});

test('uploads at a time are limited per user, and a finished one frees its slot', async () => {
  const begin = () => {
    const upload = httpRequest({
      port,
      path: '/trial/upload',
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' },
    });
    upload.on('error', () => undefined);
    upload.write(
      '--b\r\ncontent-disposition: form-data; name="draft_id"\r\n\r\nd1\r\n' +
        '--b\r\ncontent-disposition: form-data; name="file"; filename="blob"\r\n\r\nabc',
    );
    return upload;
  };
  const send = async () => {
    const form = new FormData();
    form.append('draft_id', 'd1');
    form.append('file', new Blob(['abc']));
    return (await fetch(`${base}/trial/upload`, { method: 'POST', body: form })).status;
  };
  const before = seen.pieces;
  const uploads = Array.from({ length: UPLOADS_MAX }, begin);
  await expect.poll(() => seen.pieces).toBe(before + UPLOADS_MAX);
  expect(await send()).toBe(429);
  uploads[0]?.destroy();
  await expect.poll(send).toBe(200);
  for (const upload of uploads) upload.destroy();
  await expect.poll(() => seen.broken).toBeGreaterThanOrEqual(UPLOADS_MAX);
});

describe('downloads', () => {
  const get = (range?: string) =>
    fetch(`${base}/trial/file`, range === undefined ? {} : { headers: { range } });

  test('a file is served as an attachment with a generic type', async () => {
    const reply = await get();
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-length': '100000',
    });
    expect(digestOf(await reply.bytes())).toBe(digestOf(FILE));
  });

  test.each([
    ['bytes=0-99', 0, 100],
    ['bytes=99990-', 99_990, 100_000],
    ['bytes=-10', 99_990, 100_000],
    ['bytes=50-5000000', 50, 100_000],
  ])('%s returns that range', async (range, start, end) => {
    const reply = await get(range);
    expect(reply.status).toBe(206);
    expect(reply.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/100000`);
    expect(Buffer.from(await reply.bytes())).toEqual(FILE.subarray(start, end));
  });

  test.each(['bytes=100000-', 'bytes=200000-300000', 'bytes=-0'])('%s returns 416', async range => {
    const reply = await get(range);
    expect(reply.status).toBe(416);
    expect(reply.headers.get('content-range')).toBe('bytes */100000');
  });

  test.each(['bytes=5-1', 'lines=1-2', 'bytes=1-2,5-6', 'bytes=-', 'x'])(
    '%s is ignored as an invalid range',
    async range => {
      expect((await get(range)).status).toBe(200);
    },
  );
});

test('events stream until the client leaves', async () => {
  const leaving = new AbortController();
  const reply = await fetch(`${base}/trial/events`, { signal: leaving.signal });
  expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
  let text = '';
  for await (const piece of reply.body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes('"n":2')) break;
  }
  expect(text).toMatch(/^: open\nretry: \d+\n\n/);
  expect(text).toContain('\n\nevent: tick\ndata: {"n":0}\n\n');
  leaving.abort();
  await expect.poll(() => seen.eventsEnded).toBe(1);
});

test('a stream that cannot be opened returns an error with its own status', async () => {
  const reply = await fetch(`${base}/trial/crowded`);
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '60']);
  expect(await reply.json()).toMatchObject({ success: false, code: 'rate_limited' });
});

describe('the client address', () => {
  const ipOf = async (remoteAddress: string, forwarded: string) => {
    const reply = await server.inject({
      url: '/trial/visitor',
      remoteAddress,
      headers: { 'x-forwarded-for': forwarded },
    });
    return reply.json().data.ip;
  };

  test.each([
    ['a proxy on this machine is believed', '127.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['so is one that was named', '172.18.0.9', '203.0.113.5', '203.0.113.5'],
    ['and one behind the other', '127.0.0.1', '203.0.113.5, 172.18.0.9', '203.0.113.5'],
    ['nobody else is', '198.51.100.7', '203.0.113.5', '198.51.100.7'],
    [
      'what a client wrote before its proxy counts for nothing',
      '172.18.0.9',
      '10.9.9.9, 203.0.113.5',
      '203.0.113.5',
    ],
  ])('%s', async (_what, from, forwarded, ip) => {
    expect(await ipOf(from, forwarded)).toBe(ip);
  });
});

describe('a DELETE request', () => {
  const remove = (query: string, body: object) =>
    fetch(`${base}/trial/things${query}`, {
      method: 'DELETE',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('may name its target in the query, and the body takes precedence', async () => {
    expect(await (await remove('?id=a', {})).json()).toMatchObject({ data: { id: 'a' } });
    expect(await (await remove('?id=a', { id: 'b', password: 'p' })).json()).toMatchObject({
      data: { id: 'b', password: 'p' },
    });
  });

  test('accepts neither secrets nor unknown fields in the query', async () => {
    for (const query of ['?id=a&password=secret', '?id=a&other=1', '?id=a&__proto__=1']) {
      const reply = await remove(query, {});
      expect(reply.status).toBe(400);
      expect(await reply.text()).not.toContain('secret');
    }
  });

  test('of the contract allows only identifiers in the query', () => {
    const inQuery = Object.values(api)
      .flatMap(group => Object.values(group as Record<string, Call>))
      .flatMap(call => call.inQuery ?? []);
    expect(new Set(inQuery)).toEqual(new Set(['id', 'kind', 'user_id']));
  });
});

describe('input and output', () => {
  const post = (body: string, type = 'application/json', at = '/trial/fields/abc') =>
    fetch(base + at, { method: 'POST', headers: { 'content-type': type }, body });

  test('fields come from the path and the body, and unknown fields are dropped', async () => {
    const reply = await post('{"count":1,"id":"zzz","extra":true,"__proto__":{"count":5}}');
    expect(await reply.json()).toEqual({ success: true, data: { id: 'abc', count: 1 } });
  });

  test('validation errors are listed by field', async () => {
    const reply = await post('{"count":"1"}', 'application/json', '/trial/fields/abcd');
    expect(reply.status).toBe(400);
    const body = (await reply.json()) as { errors: { path: string }[] };
    expect(body.errors.map(error => error.path).sort()).toEqual(['count', 'id']);
  });

  test.each(['{', '[]', '"x"', 'null', '3'])('the body %s is malformed', async body => {
    const reply = await post(body);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ success: false, code: 'malformed' });
  });

  test('a body over the limit returns 413, and another content type returns 415', async () => {
    const large = await post(JSON.stringify({ count: 1, filler: 'x'.repeat(300_000) }));
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ code: 'too_large' });
    const xml = await post('<x/>', 'application/xml');
    expect(xml.status).toBe(415);
    expect(await xml.json()).toMatchObject({ code: 'media_refused' });
  });
});
