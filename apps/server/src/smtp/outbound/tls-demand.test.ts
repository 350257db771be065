import { randomBytes } from 'node:crypto';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  makeAuthority,
  makeLonelyCertificate,
  type TestAuthority,
  type TestCertificate,
} from '../../../tests/harness/certificates.ts';
import { createTestClock, type TestClock } from '../../../tests/harness/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { startTestDns, type TestDns } from '../../../tests/harness/dns.ts';
import { type MailPeer, type MailPeerOptions, startMailPeer } from '../../../tests/harness/mail-peers.ts';
import { startTestWeb, type TestWeb } from '../../../tests/harness/web.ts';
import { createDns } from '../../adapters/dns.ts';
import { createLogger } from '../../base/logger.ts';
import { createMasterKey } from '../../base/master-key.ts';
import { readConfig } from '../../config/config.ts';
import type { Outcome } from '../../features/outbound/delivery/index.ts';
import {
  createMtaStsResolver,
  type MtaStsResolver,
  type TlsResult,
} from '../../features/reports/tls-policy/index.ts';
import { createSmtpTransport } from './transport.ts';

const MX = 'mx.out.test';
const DAY_MS = 86_400_000;
const masterKey = createMasterKey(randomBytes(32));

let database: TestDatabase;
let dns: TestDns;
let web: TestWeb;
let clock: TestClock;
let authority: TestAuthority;
let vouched: TestCertificate;
let lonely: TestCertificate;
let known: readonly string[];
let peer: MailPeer | null = null;
let desk: MtaStsResolver;
/** Response of the domain's web server, and the number of requests to it. */
let policy = '';
let fetches = 0;
/** Results counted for reports. */
const noted: TlsResult[] = [];
const reported = () => noted.splice(0).map(({ policy: { type }, failure }) => [type, failure?.type ?? null]);

const newDesk = (): MtaStsResolver =>
  createMtaStsResolver({
    clock,
    db: database.db,
    dns: createDns([dns.server]),
    logger: createLogger('silent'),
    masterKey,
    outboundConnector: web.outboundConnector,
  });

beforeAll(async () => {
  [database, dns, web, authority] = await Promise.all([
    createTestDatabase(),
    startTestDns(),
    startTestWeb(['mta-sts.out.test']),
    makeAuthority('Trusted by tests'),
  ]);
  [vouched, lonely] = await Promise.all([authority.issue(MX), makeLonelyCertificate('somebody.else.test')]);
  known = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...known, authority.cert]);
});
afterAll(async () => {
  tls.setDefaultCACertificates([...known]);
  await Promise.all([database.drop(), dns.close(), web.close()]);
});

beforeEach(async () => {
  clock = createTestClock(new Date());
  for (const name of Object.keys(dns.zone)) delete dns.zone[name];
  Object.assign(dns.zone, {
    'out.test': { MX: [[10, MX]] },
    [MX]: { A: ['127.0.0.1'] },
    'mta-sts.out.test': { A: ['93.184.216.34'] },
  });
  dns.failing.clear();
  dns.signed.clear();
  await database.db.deleteFrom('sts_policies').execute();
  desk = newDesk();
  fetches = 0;
  noted.length = 0;
  web.handle = (request, response) => {
    fetches++;
    if (request.url !== '/.well-known/mta-sts.txt') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(policy);
  };
});
afterEach(async () => {
  await peer?.close();
  peer = null;
});

async function start(certificate: TestCertificate | null, options?: MailPeerOptions): Promise<MailPeer> {
  await peer?.close();
  peer = await startMailPeer(certificate, options);
  return peer;
}

async function deliver(env: Readonly<Record<string, string>> = {}): Promise<Outcome | undefined> {
  const transport = createSmtpTransport(
    {
      clock,
      config: readConfig({ KEYFOLD_MX_PORT: String(peer?.port), ...env }),
      dns: createDns([dns.server]),
      logger: createLogger('silent'),
    },
    desk,
    result => noted.push(result),
  );
  const [outcome] = await transport.transmit(
    {
      domain: 'out.test',
      sender: 'ann@keyfold.test',
      recipients: ['bob@out.test'],
      message: Buffer.from('From: ann@keyfold.test\r\n\r\nhi\r\n'),
      signingKey: null,
    },
    new AbortController().signal,
  );
  return outcome;
}

const WAITS = { kind: 'deferred', status: '4.7.5' } as const;
const GOES = expect.objectContaining({ kind: 'delivered' });

function publish(mode: string, mx = MX, id = '1', maxAge = 604_800): void {
  dns.zone['_mta-sts.out.test'] = { TXT: [`v=STSv1; id=${id};`] };
  policy = `version: STSv1\r\nmode: ${mode}\r\nmx: ${mx}\r\nmax_age: ${maxAge}\r\n`;
}

describe('a domain with an enforced MTA-STS policy', () => {
  test('receives mail over TLS from a trusted server, and its policy is fetched once', async () => {
    publish('enforce');
    const { taken } = await start(vouched);
    expect([await deliver(), await deliver()]).toEqual([GOES, GOES]);
    expect(taken).toEqual(Array(2).fill({ to: 'bob@out.test', isSecure: true }));
    expect(fetches).toBe(1);
    const rows = await database.db.selectFrom('sts_policies').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows.map(row => row.policy_sealed.toString('latin1')))).not.toContain('out.test');
  });

  test('receives no mail at a server with another certificate, an expired one or no TLS', async () => {
    publish('enforce');
    const expired = await authority.issue(MX, { notAfterDate: new Date(Date.now() - DAY_MS) });
    const cases = [
      [lonely, 'certificate-not-trusted'],
      [expired, 'certificate-expired'],
      [await authority.issue('mx.else.test'), 'certificate-host-mismatch'],
      [null, 'starttls-not-supported'],
    ] as const;
    for (const [certificate, reason] of cases) {
      const { taken } = await start(certificate);
      expect(await deliver()).toMatchObject({
        ...WAITS,
        tlsPolicy: 'mta-sts',
        text: expect.stringContaining('MTA-STS'),
      });
      expect(taken).toEqual([]);
      expect(reported()).toEqual([['sts', reason]]);
    }
  });

  test('receives no mail at a server that the policy does not list, and no connection is made', async () => {
    publish('enforce', '*.else.test');
    const { connections } = await start(vouched);
    expect(await deliver()).toMatchObject(WAITS);
    expect(connections()).toBe(0);
    expect(reported()).toEqual([['sts', 'validation-failure']]);
  });

  test('receives mail at the next server when the first one does not match', async () => {
    publish('enforce', '*.out.test');
    dns.zone['out.test'] = {
      MX: [
        [5, 'first.out.test'],
        [10, MX],
      ],
    };
    dns.zone['first.out.test'] = { A: ['127.0.0.2'] };
    const { port, taken } = await start(vouched);
    const first = await startMailPeer(lonely, { host: '127.0.0.2', listenPort: port });
    expect(await deliver()).toEqual(GOES);
    await first.close();
    expect([first.taken, taken.length, first.connections()]).toEqual([[], 1, 1]);
  });

  test('keeps its policy across a restart, whatever happens to its DNS and web server', async () => {
    publish('enforce');
    await start(vouched);
    expect(await deliver()).toEqual(GOES);
    await start(lonely);
    const attacks = [
      () => dns.failing.add('_mta-sts.out.test'),
      () => delete dns.zone['_mta-sts.out.test'],
      () => {
        publish('none', MX, '2');
        web.handle = (_request, response) => void response.writeHead(404).end();
      },
    ];
    for (const attack of attacks) {
      attack();
      desk = newDesk();
      expect(await deliver()).toMatchObject(WAITS);
      dns.failing.clear();
    }
    clock.advance(604_800_000);
    delete dns.zone['_mta-sts.out.test'];
    desk = newDesk();
    expect(await deliver()).toEqual(GOES);
  });

  test('can change its policy with a new id, and the policy is checked again daily', async () => {
    publish('enforce');
    await start(lonely);
    expect(await deliver()).toMatchObject(WAITS);
    publish('none', MX, '2');
    expect(await deliver()).toEqual(GOES);
    publish('enforce', MX, '2');
    expect(await deliver()).toEqual(GOES);
    clock.advance(DAY_MS);
    expect(await deliver()).toMatchObject(WAITS);
    expect(fetches).toBe(3);
  });
});

describe('a domain', () => {
  test.each([
    ['none', 'no TLS'],
    ['testing', 'another certificate'],
    ['testing', 'no TLS'],
  ])('whose policy mode is "%s" receives mail at a server with %s', async (mode, fault) => {
    publish(mode);
    await start(fault === 'no TLS' ? null : lonely);
    expect(await deliver()).toEqual(GOES);
    publish(mode, '*.else.test', '2');
    expect(await deliver()).toEqual(GOES);
  });

  test('whose first policy fetch fails is treated as having none, and is not retried for a while', async () => {
    publish('enforce');
    await start(lonely);
    const answers: TestWeb['handle'][] = [
      (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(policy),
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(70_000)),
      (_request, response) => void response.writeHead(203, { 'content-type': 'text/plain' }).end(policy),
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end('mode: enforce'),
    ];
    for (const answer of answers) {
      let asked = 0;
      web.handle = (request, response) => {
        asked++;
        answer(request, response);
      };
      expect([await deliver(), await deliver()]).toEqual([GOES, GOES]);
      expect(asked).toBe(1);
      clock.advance(600_000);
    }
  });

  test('with a very slow policy server does not block an aborted delivery, and is fetched again later', async () => {
    publish('enforce');
    const good = web.handle;
    let asked = 0;
    web.handle = (_request, response) => {
      asked++;
      response.writeHead(200, { 'content-type': 'text/plain' }).write('version: ');
    };
    const [one, other] = [new AbortController(), new AbortController()];
    const found = [one, other].map(({ signal }) => desk.find('out.test', signal).catch(String));
    await expect.poll(() => asked).toBe(1);
    one.abort('stopping');
    expect(await found[0]).toBe('stopping');
    other.abort('stopping too');
    expect(await found[1]).toBe('stopping too');
    web.handle = good;
    const { policy, problem } = await desk.find('out.test', new AbortController().signal);
    expect([policy?.mode, problem]).toEqual(['enforce', null]);
  });

  test('whose policy server has a certificate for another name has no policy', async () => {
    publish('enforce');
    await start(lonely);
    dns.zone['two.test'] = { MX: [[10, MX]] };
    dns.zone['_mta-sts.two.test'] = { TXT: ['v=STSv1; id=1'] };
    dns.zone['mta-sts.two.test'] = { A: ['93.184.216.34'] };
    expect(await desk.find('two.test', new AbortController().signal)).toEqual({
      policy: null,
      problem: 'sts-policy-fetch-error',
    });
    expect((await desk.find('out.test', new AbortController().signal)).policy).toMatchObject({
      mode: 'enforce',
      mx: [MX],
    });
  });
});

describe('a server with DNSSEC-signed TLSA records', () => {
  const names = () => ['out.test', MX, `_${peer?.port}._tcp.${MX}`];
  const record = (...records: [number, number, number, string][]) => {
    dns.zone[`_${peer?.port}._tcp.${MX}`] = { TLSA: records };
    for (const name of names()) dns.signed.add(name);
  };
  const WRONG = '00'.repeat(32);

  test('receives mail with the key that they name, whatever its certificate says', async () => {
    await start(lonely);
    record([3, 1, 1, WRONG], [3, 1, 1, lonely.keyHash]);
    expect(await deliver()).toEqual(GOES);
    expect(peer?.taken).toEqual([{ to: 'bob@out.test', isSecure: true }]);
  });

  test('receives no mail with another key or in plaintext', async () => {
    for (const certificate of [vouched, null]) {
      await start(certificate);
      record([3, 1, 1, lonely.keyHash]);
      expect(await deliver()).toMatchObject({
        ...WAITS,
        tlsPolicy: 'dane',
        text: expect.stringContaining('DANE'),
      });
      expect(peer?.taken).toEqual([]);
    }
  });

  test('receives mail with a valid certificate of the authority that they name', async () => {
    const other = await makeAuthority('Known to nobody');
    const cases = [
      [await other.issue(MX), other.keyHash, GOES],
      [await other.issue('out.test'), other.keyHash, GOES],
      [await other.issue('else.test'), other.keyHash, WAITS],
      [await other.issue(MX, { notAfterDate: new Date(Date.now() - DAY_MS) }), other.keyHash, WAITS],
      [vouched, other.keyHash, WAITS],
      // The server presents the anchor, but the anchor has not signed anything.
      [{ ...lonely, cert: `${lonely.cert}\n${other.cert}` }, other.keyHash, WAITS],
    ] as const;
    for (const [certificate, hash, outcome] of cases) {
      await start(certificate);
      record([2, 1, 1, hash]);
      expect(await deliver()).toMatchObject(outcome);
    }
  });

  test('may be the domain itself when it has no MX record', async () => {
    dns.zone['out.test'] = { A: ['127.0.0.1'] };
    for (const [hash, outcome] of [
      [WRONG, WAITS],
      [lonely.keyHash, GOES],
    ] as const) {
      await start(lonely);
      const name = `_${peer?.port}._tcp.out.test`;
      dns.zone[name] = { TLSA: [[3, 1, 1, hash]] };
      dns.signed.add(name).add('out.test');
      expect(await deliver()).toMatchObject(outcome);
    }
  });

  test('receives no mail while the records cannot be looked up', async () => {
    await start(vouched);
    record([3, 1, 1, vouched.keyHash]);
    dns.failing.add(`_${peer?.port}._tcp.${MX}`);
    expect(await deliver()).toMatchObject(WAITS);
    expect(peer?.connections()).toBe(0);
  });

  test('only has to use TLS when none of its records are usable', async () => {
    await start(lonely);
    record([0, 0, 1, WRONG], [1, 1, 1, WRONG], [3, 7, 1, WRONG], [3, 1, 9, WRONG], [3, 1, 1, 'abcd']);
    expect(await deliver()).toEqual(GOES);
    await start(null);
    record([1, 1, 1, WRONG]);
    expect(await deliver()).toMatchObject(WAITS);
  });

  test('must also satisfy the MTA-STS policy of its domain', async () => {
    publish('enforce');
    await start(lonely);
    record([3, 1, 1, lonely.keyHash]);
    expect(await deliver()).toMatchObject(WAITS);
    await start(vouched);
    record([3, 1, 1, lonely.keyHash]);
    expect(await deliver()).toMatchObject(WAITS);
    record([3, 1, 1, vouched.keyHash]);
    expect(await deliver()).toEqual(GOES);
  });

  test('is held to them only with a complete DNSSEC chain and when DANE is enabled', async () => {
    await start(lonely);
    for (const unsigned of names()) {
      record([3, 1, 1, WRONG]);
      dns.signed.delete(unsigned);
      expect(await deliver(), unsigned).toEqual(GOES);
    }
    record([3, 1, 1, WRONG]);
    expect(await deliver()).toMatchObject(WAITS);
    expect(await deliver({ KEYFOLD_DANE: 'false' })).toEqual(GOES);
  });
});
