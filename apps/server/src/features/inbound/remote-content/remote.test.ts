import { brotliCompressSync, gzipSync } from 'node:zlib';
import { CallError } from '@keyfold/contract/client';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { startTestWeb, type TestWeb } from '../../../../tests/harness/web.ts';
import { askPublicWeb, type WebRequest } from '../../../adapters/outbound-http.ts';
import { findOwnersOf } from '../../accounts/users/index.ts';
import { createIngest } from '../ingest/index.ts';
import { createRemote } from './service.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let web: TestWeb;
let app: TestApp;
let ann: TestUser;
const lines: string[] = [];
beforeAll(async () => {
  web = await startTestWeb();
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  app = await startTestApp({ dns: web.dns, outboundConnector: web.outboundConnector, logger });
  ann = await registerTestUser(app);
});
afterAll(async () => {
  await app.close();
  await web.close();
});
beforeEach(() => {
  web.connected.length = 0;
  web.lookedUp.length = 0;
  web.handle = (_request, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
});

/** Returns the status and code of a refused call, or the code of an internal error. */
async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof CallError) return `${error.status} ${error.code}`;
    return (error as Error & { code?: string }).code ?? String(error);
  }
  return 'none';
}
const image = (url: string) => ann.client.remote_content.image({ url });
async function fetchImage(url: string): Promise<Buffer> {
  const file = await createRemote(app.deps).fetchImage('ann', url);
  const pieces: Buffer[] = [];
  for await (const piece of await file.open()) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

describe('a remote image', () => {
  test('is returned as untyped bytes and reveals nothing about the user to its site', async () => {
    const heads: unknown[] = [];
    web.handle = (request, response) => {
      heads.push([request.method, request.url, request.headers]);
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'a=b' }).end(PNG);
    };
    const reply = await ann.client.fetch('/user/image', {
      method: 'POST',
      headers: { 'content-type': 'application/json', referer: `${app.baseUrl}/app`, 'user-agent': 'Annium' },
      body: JSON.stringify({ url: 'https://img.site.test/a.png?who=ann' }),
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/octet-stream');
    expect(reply.headers.get('content-disposition')).toBe('attachment');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    expect(reply.headers.get('set-cookie')).toBeNull();
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(PNG);
    expect(heads).toEqual([
      [
        'GET',
        '/a.png?who=ann',
        {
          host: 'img.site.test',
          'user-agent': 'Mozilla/5.0 (compatible; Keyfold)',
          accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/bmp,image/x-icon',
          'accept-encoding': 'identity',
          connection: 'close',
        },
      ],
    ]);
    expect(web.connected).toEqual(['93.184.216.34 443']);
  });

  test('is available only to signed-in users', async () => {
    expect(await outcomeOf(app.client().remote_content.image({ url: 'https://img.site.test/' }))).toBe(
      '401 not_logged_in',
    );
    expect(web.lookedUp).toEqual([]);
  });

  const octets = (text: string) => Buffer.from(text, 'latin1');
  const padded = (text: string) => Buffer.concat([octets(text), Buffer.alloc(64)]);
  const bmp = Buffer.alloc(64);
  bmp.write('BM');
  bmp.writeUInt32LE(40, 14);
  const ico = Buffer.alloc(64);
  ico.writeUInt32LE(0x10000);
  ico.writeUInt16LE(1, 4);
  test.each([
    ['PNG', PNG, true],
    ['JPEG', padded('\u00ff\u00d8\u00ff\u00e0'), true],
    ['GIF', padded('GIF89a'), true],
    ['WebP', padded('RIFF\0\0\0\0WEBPVP8 '), true],
    ['AVIF', padded('\0\0\0\u001cftypavif\0\0\0\0mif1'), true],
    ['AVIF by a second brand', padded('\0\0\0\u001cftypmif1\0\0\0\0avif'), true],
    ['BMP', bmp, true],
    ['ICO', ico, true],
    ['SVG', octets('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), false],
    ['HTML', octets('<!doctype html><p>GIF89a'), false],
    ['nothing', Buffer.alloc(0), false],
    ['an MP4', padded('\0\0\0\u001cftypisom\0\0\0\0mp41'), false],
    ['text that begins with BM', octets('BM is how this letter begins, and it goes on'), false],
  ])(
    'is %s or refused by its first bytes, whatever type the site declares',
    async (_name, bytes, isTaken) => {
      web.handle = (_request, response) =>
        void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
      const result = await fetchImage('http://img.site.test/x').catch(
        (error: { code: string }) => error.code,
      );
      expect(result).toEqual(isTaken ? bytes : 'remote_refused');
    },
  );

  test.each([404, 204, 500, 206])('with status %i is refused', async status => {
    web.handle = (_request, response) =>
      void response.writeHead(status).end(status === 204 ? undefined : PNG);
    expect(await outcomeOf(fetchImage('http://img.site.test/x'))).toBe('remote_refused');
  });

  test('that is compressed is decompressed, and a compression bomb is stopped early', async () => {
    const answerWith = (encoding: string, body: Buffer): void => {
      web.handle = (_request, response) =>
        void response.writeHead(200, { 'content-encoding': encoding }).end(body);
    };
    answerWith('gzip', gzipSync(PNG));
    expect(await fetchImage('http://img.site.test/x')).toEqual(PNG);
    answerWith('br', brotliCompressSync(PNG));
    expect(await fetchImage('http://img.site.test/x')).toEqual(PNG);
    const bomb = Buffer.concat([PNG, Buffer.alloc(200 * 1024 * 1024)]);
    const packed = gzipSync(bomb, { level: 1 });
    answerWith('gzip', packed);
    const before = process.memoryUsage().arrayBuffers;
    expect(await outcomeOf(fetchImage('http://img.site.test/x'))).toBe('remote_refused');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    answerWith('gzip', PNG);
    expect(await outcomeOf(fetchImage('http://img.site.test/x'))).toBe('remote_refused');
    for (const encoding of ['zstd', 'gzip, gzip', 'constructor', '__proto__']) {
      answerWith(encoding, PNG);
      expect(await outcomeOf(fetchImage('http://img.site.test/x'))).toBe('remote_refused');
    }
  });

  test('that is too large or endless is refused, whether or not it declares its size', async () => {
    web.handle = (_request, response) =>
      void response.writeHead(200, { 'content-length': String(11 * 1024 * 1024) }).write(PNG);
    expect(await outcomeOf(fetchImage('http://img.site.test/x'))).toBe('remote_refused');
    web.handle = (_request, response) => {
      response.writeHead(200).write(PNG);
      const piece = Buffer.alloc(256 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    expect(await outcomeOf(fetchImage('http://img.site.test/x'))).toBe('remote_refused');
  });

  test('from a slow or silent site is aborted after its time limit', async () => {
    const asked = (signal: AbortSignal): WebRequest => ({
      url: 'http://img.site.test/x',
      method: 'GET',
      schemes: ['http:'],
      headers: {},
      maxBytes: 1_000_000,
      maxRedirects: 3,
      mayLeaveOrigin: true,
      signal,
    });
    let timer: NodeJS.Timeout | undefined;
    web.handle = (_request, response) => {
      response.writeHead(200);
      timer = setInterval(() => response.write('x'), 20);
    };
    const startedAt = performance.now();
    await expect(askPublicWeb(web, asked(AbortSignal.timeout(250)))).rejects.toThrow('timed out');
    clearInterval(timer);
    web.handle = () => undefined;
    await expect(askPublicWeb(web, asked(AbortSignal.timeout(250)))).rejects.toThrow('timed out');
    const deaf = { ...web, dns: { resolve: () => new Promise<never>(() => undefined) } };
    await expect(askPublicWeb(deaf, asked(AbortSignal.timeout(250)))).rejects.toThrow('timed out');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('a private address', () => {
  test.each([
    'http://127.0.0.1/x',
    'http://127.1/x',
    'http://2130706433/x',
    'http://0x7f000001/x',
    'http://0177.0.0.1/x',
    'http://0x7f.1/x',
    'http://0.0.0.0/x',
    'http://0/x',
    'http://10.1.2.3/x',
    'http://172.20.0.1/x',
    'http://192.168.0.1/x',
    'http://100.64.0.1/x',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/x',
    'http://192.0.0.192/x',
    'http://224.0.0.1/x',
    'http://255.255.255.255/x',
    'http://[::1]/x',
    'http://[::]/x',
    'http://[::ffff:127.0.0.1]/x',
    'http://[::ffff:7f00:1]/x',
    'http://[::ffff:93.184.216.34]/x',
    'http://[::127.0.0.1]/x',
    'http://[64:ff9b::7f00:1]/x',
    'http://[64:ff9b:1::1]/x',
    'http://[2002:7f00:1::]/x',
    'http://[2001:0:7f00:1::]/x',
    'http://[fe80::1]/x',
    'http://[fc00::1]/x',
    'http://[fd00:ec2::254]/x',
    'http://[ff02::1]/x',
    'http://[2001:db8::1]/x',
    'http://１２７.0.0.1/x',
    'http://localhost/x',
    'http://localhost./x',
    'http://LOCALHOST/x',
    'http://app.localhost/x',
    'http://router/x',
    'http://printer.local/x',
    'http://metadata.google.internal/x',
    'http://img.site.test./x',
    'http://img.site.test:8080/x',
    'http://img.site.test:22/x',
    'http://ann:secret@img.site.test/x',
    'http://img.site.test@127.0.0.1/x',
    'http://img.site.test\\@127.0.0.1/x',
    'http://img.site.test/x\r\nX-Evil: 1',
    'http://img.site.test/x\ny',
    'http://img.site.test\t/x',
    'http://img.site.test/ x',
    'ftp://img.site.test/x',
    'file:///etc/passwd',
    'gopher://img.site.test/x',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    '//img.site.test/x',
    'http://[::1/x',
    'http://img_..site.test/x',
  ])('is not contacted when written as %s', async url => {
    expect(await outcomeOf(image(url))).toMatch(/^(?:422 remote_refused|400 malformed)$/);
    expect(web.connected).toEqual([]);
  });

  test.each([
    ['one of them private', ['93.184.216.34', '10.0.0.1']],
    ['the private one first', ['127.0.0.1', '93.184.216.34']],
    ['a private one of the other kind', ['93.184.216.34', '::1']],
    ['a mapped one', ['::ffff:10.0.0.1']],
    ['a link-local one with a zone', ['fe80::1%eth0']],
    ['no address at all', ['not-an-address']],
    ['none', []],
  ])('is not contacted when a name has %s', async (_what, addresses) => {
    web.names['odd.site.test'] = addresses;
    expect(await outcomeOf(image('http://odd.site.test/x'))).toBe('422 remote_refused');
    expect(web.connected).toEqual([]);
  });

  test('is not reached through DNS rebinding, because a name is resolved once', async () => {
    let asked = 0;
    web.names['rebind.site.test'] = () => (asked++ < 2 ? ['93.184.216.34'] : ['127.0.0.1']);
    expect(await fetchImage('http://rebind.site.test/x')).toEqual(PNG);
    expect(web.lookedUp).toEqual(['A rebind.site.test', 'AAAA rebind.site.test']);
    expect(web.connected).toEqual(['93.184.216.34 80']);
  });

  test.each([
    'http://127.0.0.1/x',
    'http://169.254.169.254/x',
    'http://inside.site.test/x',
    'http://img.site.test:8000/x',
    'file:///etc/passwd',
    'http://ann@img.site.test/x',
    '//[::1]/x',
  ])('is not reached by a redirect to %s', async location => {
    web.names['inside.site.test'] = ['10.0.0.7'];
    web.handle = (_request, response) => void response.writeHead(302, { location }).end();
    expect(await outcomeOf(image('http://img.site.test/x'))).toBe('422 remote_refused');
    expect(web.connected).toEqual(['93.184.216.34 80']);
  });

  test('up to three redirects are followed, each resolved again', async () => {
    web.handle = ({ url = '' }, response) => {
      const left = Number(url.slice(1));
      if (left === 0) response.writeHead(200).end(PNG);
      else response.writeHead(301, { location: `https://list.site.test/${left - 1}` }).end();
    };
    expect(await fetchImage('http://img.site.test/3')).toEqual(PNG);
    expect(web.connected).toEqual([
      '93.184.216.34 80',
      ...Array.from({ length: 3 }, () => '93.184.216.35 443'),
    ]);
    expect(await outcomeOf(fetchImage('http://img.site.test/4'))).toBe('remote_refused');
  });

  test('a certificate for another name is refused', async () => {
    web.names['other.test'] = ['93.184.216.34'];
    expect(await outcomeOf(fetchImage('https://other.test/x'))).toBe('remote_refused');
  });
});

describe('unsubscribing', () => {
  /** Delivers a list message whose signature covers this one-click URL. Returns its id. */
  const arrive = async (oneClick: string | null, reader = ann): Promise<string> => {
    const owner = (await findOwnersOf(app.db, [reader.email])).get(normalizeAddress(reader.email));
    if (owner === undefined) throw new Error('nobody');
    const ingest = createIngest(app.deps);
    try {
      await ingest.take({
        raw: Buffer.from(
          `From: list@list.site.test\r\nList-Unsubscribe: <${oneClick}>\r\n\r\nNews ${Math.random()}`,
        ),
        envelopeFrom: '',
        clientIp: '127.0.0.1',
        helo: 'out.example',
        findHostName: () => Promise.resolve({ kind: 'unknown' }),
        recipients: [owner],
        authenticationResults: 'keyfold.test; dkim=pass',
        oneClick,
        verdicts: { spf: 'none', dkim: 'pass', dmarc: 'none', dmarcPolicy: 'none' },
        receivedAt: new Date(),
      });
    } finally {
      await ingest.close();
    }
    return (await reader.client.mail.query({ count: 1 })).data[0]?.id ?? '';
  };
  const unsubscribe = async (url: string) =>
    ann.client.remote_content.unsubscribe({ email_id: await arrive(url), url });

  test('requires a link authenticated in that very message of the user', async () => {
    const url = 'https://list.site.test/u?id=1';
    const other = 'https://img.site.test/u?id=1';
    const bob = await registerTestUser(app);
    const mail = await arrive(url);
    const plain = await arrive(null);
    const bobs = await arrive(url, bob);
    const ask = (user: TestUser, email_id: string, address: string) =>
      outcomeOf(user.client.remote_content.unsubscribe({ email_id, url: address }));
    expect(await ask(ann, mail, other)).toBe('422 remote_refused');
    expect(await ask(ann, mail, `${url}0`)).toBe('422 remote_refused');
    expect(await ask(ann, plain, url)).toBe('422 remote_refused');
    expect(await ask(ann, bobs, url)).toBe('404 not_found');
    expect(await ask(ann, 'nothing', url)).toBe('404 not_found');
    // A MAC copied from another message, or from another reader's copy, is not accepted.
    for (const [from, to] of [
      [mail, plain],
      [bobs, plain],
    ] as const) {
      const { headers } = await app.db
        .selectFrom('mails')
        .select('headers')
        .where('id', '=', from)
        .executeTakeFirstOrThrow();
      await app.db.updateTable('mails').set({ headers }).where('id', '=', to).execute();
      expect(await ask(ann, to, url)).toBe('422 remote_refused');
    }
    expect(web.connected).toEqual([]);
    expect(await ask(ann, mail, url)).toBe('none');
    expect(await ask(bob, bobs, url)).toBe('none');
    expect(web.connected).toEqual(Array(2).fill('93.184.216.35 443'));
    const rows = await app.db.selectFrom('mails').select('headers').execute();
    expect(JSON.stringify(rows)).not.toContain('site.test/u');
  });

  test('sends exactly what RFC 8058 specifies and nothing about the user', async () => {
    let seen: unknown;
    web.handle = (request, response) => {
      let body = '';
      request.on('data', piece => {
        body += piece;
      });
      request.on('end', () => {
        seen = { method: request.method, url: request.url, headers: request.headers, body };
        response.writeHead(200).end('x'.repeat(1_000_000));
      });
    };
    await unsubscribe('https://list.site.test/u?id=1');
    expect(seen).toEqual({
      method: 'POST',
      url: '/u?id=1',
      body: 'List-Unsubscribe=One-Click',
      headers: {
        host: 'list.site.test',
        'user-agent': 'Mozilla/5.0 (compatible; Keyfold)',
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': '26',
        'accept-encoding': 'identity',
        connection: 'close',
      },
    });
  });

  test('fails over plain HTTP, on a redirect to another site, and when the site refuses', async () => {
    expect(await outcomeOf(unsubscribe('http://list.site.test/u'))).toBe('422 remote_refused');
    expect(web.connected).toEqual([]);
    web.handle = (_request, response) =>
      void response.writeHead(302, { location: 'https://img.site.test/u' }).end();
    expect(await outcomeOf(unsubscribe('https://list.site.test/u'))).toBe('422 remote_refused');
    expect(web.connected).toEqual(['93.184.216.35 443']);
    web.handle = (_request, response) => void response.writeHead(404).end();
    expect(await outcomeOf(unsubscribe('https://list.site.test/u'))).toBe('422 remote_refused');
  });

  test('follows redirects within the site, and a 303 counts as success', async () => {
    const asked: string[] = [];
    web.handle = ({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      if (url === '/u') response.writeHead(308, { location: '/v' }).end();
      else response.writeHead(303, { location: 'https://img.site.test/bye' }).end();
    };
    await unsubscribe('https://list.site.test/u');
    expect(asked).toEqual(['POST /u', 'POST /v']);
  });
});

test('no log line contains a requested address', async () => {
  web.handle = (_request, response) => void response.destroy();
  await outcomeOf(image('https://img.site.test/secret-canary?token=canary'));
  await outcomeOf(image('https://canary.site.test/x'));
  await outcomeOf(image('http://127.0.0.1/canary'));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    expect(line).not.toContain('canary');
    expect(line).not.toContain('site.test');
  }
});
