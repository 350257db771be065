import { generateKeyPairSync } from 'node:crypto';
import net from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestDns, type TestDns } from '../../../tests/harness/dns.ts';
import { systemClock } from '../../adapters/clock.ts';
import { createDns } from '../../adapters/dns.ts';
import { createLogger } from '../../base/logger.ts';
import { readConfig } from '../../config/config.ts';
import type { Outcome, Transmission } from '../../features/outbound/delivery/index.ts';
import { createSmtpTransport } from './transport.ts';

let dns: TestDns;
const running: { readonly close: () => void }[] = [];

beforeAll(async () => {
  dns = await startTestDns({
    'out.test': { MX: [[10, 'mx.out.test']] },
    'mx.out.test': { A: ['127.0.0.1'] },
    'two.test': {
      MX: [
        [10, 'mx.out.test'],
        [20, 'mx2.out.test'],
      ],
    },
    'mx2.out.test': { A: ['127.0.0.2'] },
    'private.test': { MX: [[10, 'router.private.test']] },
    'router.private.test': { A: ['192.168.1.1'], AAAA: ['::ffff:10.0.0.1'] },
    'mapped.test': { AAAA: ['::ffff:7f00:1'] },
    'six.test': { MX: [[10, 'mx.six.test']] },
    'mx.six.test': { AAAA: ['::1'] },
    'unmade.test': { MX: [[10, 'nowhere.unmade.test']] },
  });
});
afterAll(() => dns.close());
afterEach(() => {
  for (const one of running.splice(0)) one.close();
});

function keep<T extends { readonly close: () => void }>(one: T): T {
  running.push(one);
  return one;
}

/** Starts a server that sends its lines one by one, each after the client has sent something. */
const startScript = (lines: readonly string[], host = '127.0.0.1', port = 0): Promise<number> =>
  new Promise(resolve => {
    const server = net.createServer(socket => {
      const left = [...lines];
      const next = () => {
        const line = left.shift();
        if (line === undefined) socket.destroy();
        else socket.write(`${line}\r\n`);
      };
      socket.on('error', () => undefined);
      socket.on('data', next);
      next();
    });
    keep({ close: () => server.close() });
    server.listen(port, host, () => resolve((server.address() as net.AddressInfo).port));
  });

const startServer = (options: SMTPServerOptions, host = '127.0.0.1', port = 0): Promise<number> =>
  new Promise(resolve => {
    const server = keep(new SMTPServer({ disableReverseLookup: true, logger: false, ...options }));
    server.on('error', () => undefined);
    server.listen(port, host, () => resolve((server.server.address() as net.AddressInfo).port));
  });

const job: Transmission = {
  domain: 'out.test',
  sender: 'ann@keyfold.test',
  recipients: ['bob@out.test', 'cy@out.test'],
  message: Buffer.from('From: ann@keyfold.test\r\nSubject: x\r\n\r\nhi\r\n'),
  signingKey: null,
};

const transmit = (
  port: number,
  changed: Partial<Transmission> = {},
  env: Readonly<Record<string, string>> = {},
  signal = new AbortController().signal,
): Promise<Outcome[]> =>
  createSmtpTransport(
    {
      clock: systemClock,
      config: { ...readConfig({ KEYFOLD_MX_PORT: String(port), ...env }) },
      dns: createDns([dns.server]),
      logger: createLogger('silent'),
    },
    { find: async () => ({ policy: null, problem: null }) },
    () => undefined,
  ).transmit({ ...job, ...changed }, signal);

const kinds = (outcomes: readonly Outcome[]) => outcomes.map(({ kind }) => kind);

test('an aborted attempt does not wait for a name server', async () => {
  dns.silent.add('silent.test');
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error('closing')), 100);
  const startedAt = performance.now();
  await expect(transmit(25, { domain: 'silent.test' }, {}, abort.signal)).rejects.toThrow('closing');
  expect(performance.now() - startedAt).toBeLessThan(2_500);
});

describe('a server', () => {
  test('that rejects one recipient permanently and one temporarily yields separate outcomes', async () => {
    const port = await startServer({
      authOptional: true,
      onRcptTo: ({ address }, _session, callback) =>
        callback(
          address.startsWith('bob')
            ? Object.assign(new Error('5.7.1 not you'), { responseCode: 550 })
            : Object.assign(new Error('4.2.2 full for now'), { responseCode: 452 }),
        ),
    });
    expect(await transmit(port)).toEqual([
      {
        kind: 'failed',
        status: '5.7.1',
        text: '550 5.7.1 not you',
        replyCode: 550,
        remoteHost: 'mx.out.test',
      },
      {
        kind: 'deferred',
        status: '4.2.2',
        text: '452 4.2.2 full for now',
        replyCode: 452,
        remoteHost: 'mx.out.test',
      },
    ]);
  });

  test('receives an address with unusual dots unchanged', async () => {
    const seen: string[] = [];
    const port = await startServer({
      authOptional: true,
      lenientAddressParsing: true,
      onRcptTo: ({ address }, _session, callback) => {
        seen.push(address);
        callback();
      },
      onData: (stream, _session, callback) => stream.resume().on('end', callback),
    });
    const recipients = ['a..b@out.test', '.a@out.test', 'a.@out.test'];
    expect(kinds(await transmit(port, { recipients }))).toEqual(Array(3).fill('delivered'));
    expect(seen).toEqual(recipients);
  });

  test('that greets with a rejection is tried again later', async () => {
    const port = await startScript(['554 no mail service']);
    expect(await transmit(port)).toMatchObject([{ kind: 'deferred' }, { kind: 'deferred' }]);
  });

  test('that closes without a reply is tried again later', async () => {
    expect(kinds(await transmit(await startScript([])))).toEqual(['deferred', 'deferred']);
  });

  test('that disconnects before its reply to the message is tried again later', async () => {
    const port = await startScript(['220 hi', '250 mx', '250 ok', '250 ok', '250 ok', '354 go']);
    expect(await transmit(port)).toMatchObject([{ kind: 'deferred', status: '4.4.2' }, { kind: 'deferred' }]);
  });

  test('that permanently rejects the sender fails every recipient', async () => {
    const port = await startScript(['220 hi', '250 mx', '550 5.1.8 bad sender', '221 bye']);
    expect(await transmit(port)).toMatchObject([{ kind: 'failed', status: '5.1.8' }, { kind: 'failed' }]);
  });

  test('that replies out of sequence is tried again later', async () => {
    const port = await startScript(['220 hi', '250 mx', '503 bad sequence', '221 bye']);
    expect(kinds(await transmit(port))).toEqual(['deferred', 'deferred']);
  });

  test('that announces a smaller size limit fails without receiving any bytes', async () => {
    const port = await startServer({ size: 10, authOptional: true });
    expect(await transmit(port)).toMatchObject([{ kind: 'failed', status: '5.3.4' }, { kind: 'failed' }]);
  });

  test('that offers STARTTLS and fails to start it receives nothing in plaintext', async () => {
    const port = await startScript(['220 hi', '250-mx\r\n250 STARTTLS', '454 not now']);
    expect(await transmit(port)).toMatchObject([{ kind: 'deferred', status: '4.7.5' }, { kind: 'deferred' }]);
  });

  test('that opens no session is skipped in favor of the next one of its domain', async () => {
    const taken: string[] = [];
    const port = await startScript(['421 too busy']);
    await startServer(
      {
        authOptional: true,
        onData: (stream, session, callback) => {
          stream.resume();
          stream.on('end', () => {
            taken.push(...session.envelope.rcptTo.map(({ address }) => address));
            callback();
          });
        },
      },
      '127.0.0.2',
      port,
    );
    const outcomes = await transmit(port, { domain: 'two.test', recipients: ['bob@two.test'] });
    expect(kinds(outcomes)).toEqual(['delivered']);
    expect(taken).toEqual(['bob@two.test']);
  });

  test('that never replies is left when the attempt is aborted', async () => {
    const server = keep(net.createServer(() => undefined));
    const port = await new Promise<number>(resolve => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port));
    });
    const abort = new AbortController();
    const attempt = transmit(port, {}, {}, abort.signal);
    setTimeout(() => abort.abort(), 50);
    await expect(attempt).rejects.toThrow();
  });
});

describe('a message', () => {
  type Seen = { readonly smtpUtf8: boolean; readonly bodyType: string; readonly raw: string };
  const startTaker = async (options: SMTPServerOptions = {}) => {
    const seen: Seen[] = [];
    const port = await startServer({
      authOptional: true,
      ...options,
      onData: (stream, { envelope }, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { smtpUtf8, bodyType } = envelope as Partial<Seen>;
          seen.push({
            smtpUtf8: smtpUtf8 === true,
            bodyType: bodyType ?? '',
            raw: Buffer.concat(chunks).toString(),
          });
          callback();
        });
      },
    });
    return { port, seen };
  };
  const plain = Buffer.from('From: ann@keyfold.test\r\nSubject: x\r\n\r\nhi\r\n');
  const header = Buffer.from('From: ann@keyfold.test\r\nTo: bücher@else.test\r\n\r\nhi\r\n');
  const body = Buffer.from('From: ann@keyfold.test\r\n\r\nGrüße\r\n');
  const international = ['bücher@out.test', 'δοκιμή@out.test'];

  test('with international addresses or headers is sent with SMTPUTF8 to a server that supports it', async () => {
    const { port, seen } = await startTaker();
    expect(kinds(await transmit(port, { message: plain, recipients: international }))).toEqual([
      'delivered',
      'delivered',
    ]);
    expect(kinds(await transmit(port, { message: header, recipients: ['bob@out.test'] }))).toEqual([
      'delivered',
    ]);
    expect(kinds(await transmit(port, { message: plain }))).toEqual(['delivered', 'delivered']);
    expect(seen.map(({ smtpUtf8 }) => smtpUtf8)).toEqual([true, true, false]);
    expect(seen[1]?.raw).toBe(header.toString());
  });

  test('with international addresses or headers is sent to no other server, and its sender learns why', async () => {
    const { port, seen } = await startTaker({ hideSMTPUTF8: true });
    const refused = {
      kind: 'failed',
      status: '5.6.7',
      text: 'The mail server does not accept international addresses',
      remoteHost: 'mx.out.test',
    };
    expect(await transmit(port, { message: plain, recipients: international })).toEqual([refused, refused]);
    expect(await transmit(port, { message: header, recipients: ['bob@out.test'] })).toEqual([refused]);
    expect(kinds(await transmit(port, { message: body }))).toEqual(['delivered', 'delivered']);
    expect(seen).toHaveLength(1);
  });

  test('with one international address still reaches the other recipients without SMTPUTF8', async () => {
    const lacking = await startTaker({ hideSMTPUTF8: true });
    const mixed = ['bob@out.test', 'bücher@out.test', 'cy@out.test'];
    expect(await transmit(lacking.port, { message: plain, recipients: mixed })).toMatchObject([
      { kind: 'delivered', replyCode: 250, remoteHost: 'mx.out.test' },
      { kind: 'failed', status: '5.6.7' },
      { kind: 'delivered', replyCode: 250, remoteHost: 'mx.out.test' },
    ]);
    expect(lacking.seen).toHaveLength(1);
    const taker = await startTaker();
    expect(kinds(await transmit(taker.port, { message: plain, recipients: mixed }))).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ]);
    expect(taker.seen.map(({ smtpUtf8 }) => smtpUtf8)).toEqual([false, true]);
  });

  test('is sent to another server of the domain when the first lacks an extension', async () => {
    const lacking = await startTaker({ hideSMTPUTF8: true });
    const seen: string[] = [];
    await startServer(
      {
        authOptional: true,
        onData: (stream, _session, callback) => {
          stream.resume();
          stream.on('end', () => {
            seen.push('taken');
            callback();
          });
        },
      },
      '127.0.0.2',
      lacking.port,
    );
    const sent = { domain: 'two.test', message: plain, recipients: ['bücher@two.test'] };
    expect(kinds(await transmit(lacking.port, sent))).toEqual(['delivered']);
    expect([lacking.seen.length, seen]).toEqual([0, ['taken']]);
  });

  test('with an eight-bit body is announced as 8BITMIME and never sent to a seven-bit server', async () => {
    const taker = await startTaker();
    expect(kinds(await transmit(taker.port, { message: body }))).toEqual(['delivered', 'delivered']);
    expect(kinds(await transmit(taker.port, { message: plain }))).toEqual(['delivered', 'delivered']);
    expect(taker.seen.map(({ bodyType }) => bodyType)).toEqual(['8bitmime', '7bit']);
    const { port } = await startTaker({ hide8BITMIME: true });
    expect(await transmit(port, { message: body })).toMatchObject([{ kind: 'failed', status: '5.6.3' }, {}]);
    expect(kinds(await transmit(port, { message: plain }))).toEqual(['delivered', 'delivered']);
  });

  test('reaches a server that has only an IPv6 address', async () => {
    const taken: string[] = [];
    const port = await startServer(
      {
        authOptional: true,
        onData: (stream, session, callback) => {
          stream.resume();
          stream.on('end', () => {
            taken.push(session.remoteAddress);
            callback();
          });
        },
      },
      '::1',
    );
    expect(kinds(await transmit(port, { domain: 'six.test', recipients: ['bob@six.test'] }))).toEqual([
      'delivered',
    ]);
    expect(taken).toEqual(['::1']);
  });
});

describe('a domain', () => {
  const fails = async (domain: string, env = {}) =>
    (await transmit(1, { domain, recipients: [`bob@${domain}`] }, env))[0];
  const strict = { KEYFOLD_ALLOW_PRIVATE_MX: 'false' };

  test('whose mail server has a private or loopback address fails unless that is allowed', async () => {
    for (const domain of ['private.test', 'mapped.test', 'out.test'])
      expect(await fails(domain, strict)).toMatchObject({ kind: 'failed', status: '5.4.4' });
    expect(await fails('out.test')).toMatchObject({ kind: 'deferred', status: '4.4.1' });
  });

  test('with a private mail server fails when this server has a public name', async () => {
    expect(await fails('out.test', { KEYFOLD_DOMAINS: 'mail.example.org' })).toMatchObject({
      kind: 'failed',
    });
  });

  test('whose mail servers do not exist fails', async () => {
    expect(await fails('unmade.test')).toMatchObject({ kind: 'failed', status: '5.1.2' });
  });

  test('whose DNS lookup fails is tried again later', async () => {
    dns.failing.add('servfail.test');
    expect(await fails('servfail.test')).toMatchObject({ kind: 'deferred', status: '4.4.3' });
  });
});

describe('a relay', () => {
  test('receives every message after authentication', async () => {
    const taken: { user: unknown; to: string[] }[] = [];
    const port = await startServer({
      onAuth: ({ username, password }, _session, callback) =>
        password === 'pa ss' ? callback(null, { user: username }) : callback(new Error('no')),
      onData: (stream, session, callback) => {
        stream.resume();
        stream.on('end', () => {
          taken.push({ user: session.user, to: session.envelope.rcptTo.map(({ address }) => address) });
          callback();
        });
      },
    });
    const relay = (password: string) => ({ SMTP_RELAY: `smtp://us%40er:${password}@127.0.0.1:${port}` });
    expect(kinds(await transmit(1, {}, relay('pa%20ss')))).toEqual(['delivered', 'delivered']);
    expect(taken).toEqual([{ user: 'us@er', to: ['bob@out.test', 'cy@out.test'] }]);
    expect(kinds(await transmit(1, {}, relay('wrong')))).toEqual(['deferred', 'deferred']);
  });

  test('is reached over implicit TLS', async () => {
    const port = await startServer({
      secure: true,
      authOptional: true,
      onData: (stream, _session, callback) => {
        stream.resume();
        stream.on('end', () => callback());
      },
    });
    const env = { SMTP_RELAY: `smtps://127.0.0.1:${port}` };
    expect(kinds(await transmit(1, {}, env))).toEqual(['delivered', 'delivered']);
  });

  test('that is unreachable is tried again later', async () => {
    const env = { SMTP_RELAY: 'smtp://127.0.0.1:1' };
    expect(await transmit(1, {}, env)).toMatchObject([{ kind: 'deferred', status: '4.4.1' }, {}]);
  });
});

test('the DKIM signature covers the bytes that are sent', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  let raw = '';
  const port = await startServer({
    authOptional: true,
    onData: (stream, _session, callback) => {
      stream.on('data', (chunk: Buffer) => {
        raw += chunk.toString();
      });
      stream.on('end', () => callback());
    },
  });
  await transmit(port, {
    signingKey: {
      domain: 'keyfold.test',
      selector: 'kf1',
      privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  });
  expect(raw).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=keyfold\.test;/);
  expect(raw.endsWith(job.message.toString())).toBe(true);
});
