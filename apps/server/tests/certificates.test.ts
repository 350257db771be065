// Certificates by ACME from a real authority (Caddy): issue, use by HTTPS and STARTTLS, renewal
// with the same key, names that lead elsewhere, failures, and two machines at once.
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import tls from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Dns } from '../src/adapters/dns.ts';
import { listCertificates, loadCertificate, renewNow } from '../src/features/support/certificates/index.ts';
import { renewCertificates } from '../src/features/support/certificates/jobs.ts';
import { type AcmeAuthority, noAuthority, startAuthority } from './harness/acme.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { createTestClock, type TestClock } from './harness/clock.ts';

const MAIL = 'mail.keyfold.test';
const POLICY = 'mta-sts.keyfold.test';
const KEYS = 'openpgpkey.keyfold.test';
const OTHER = 'mta-sts.garden.test';
/** The authority finds this name at another server. */
const LOST = 'openpgpkey.garden.test';
const OPERATOR = { kind: 'operator' } as const;
const HOUR_MS = 60 * 60_000;
/** Loopback addresses whose port 80 no other test has. */
const random = () => 1 + Math.floor(Math.random() * 250);
const address = `127.80.${random()}.${random()}`;
const strange = `127.81.${random()}.${random()}`;

const known = tls.getCACertificates('default');
let authority: AcmeAuthority;
let app: TestApp;
let clock: TestClock;
let zone: Record<string, string[]>;
let stranger: http.Server;

const dns: Dns = {
  resolve: async (name, type) => {
    const found = zone[name];
    if (found === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    if (found.length === 0) throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
    return type === 'A' ? found : [];
  },
};

const run = (of: TestApp = app): Promise<number> =>
  renewCertificates({ ...of.deps, listVerifiedDomains: async () => ['garden.test'] });
const states = async () =>
  Object.fromEntries(
    (await listCertificates(app.deps, 1)).certificates.map(one => [one.name, [one.state, one.problem]]),
  );
const rowOf = (name: string) =>
  app.db.selectFrom('certificates').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
const keyHashOf = (chain: string): string =>
  createHash('sha256')
    .update(new X509Certificate(chain).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');

/** Returns the certificate that HTTPS presents for a name, after its verification. */
async function presented(servername: string): Promise<tls.PeerCertificate> {
  const socket = tls.connect({ host: address, port: app.app.httpsPort ?? 0, servername });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerCertificate();
  socket.destroy();
  return certificate;
}

if (noAuthority !== null) process.stderr.write(`certificates.test.ts is skipped: ${noAuthority}\n`);

describe.skipIf(noAuthority !== null)('certificates by ACME', () => {
  beforeAll(async () => {
    zone = { [MAIL]: [address] };
    authority = await startAuthority({
      [MAIL]: address,
      [POLICY]: address,
      [KEYS]: address,
      [LOST]: strange,
    });
    stranger = http.createServer((_request, response) => response.end('somebody else'));
    stranger.listen(80, strange);
    await once(stranger, 'listening');
    tls.setDefaultCACertificates([...known, authority.root]);
    clock = createTestClock();
    app = await startTestApp({
      roles: ['http', 'smtp'],
      dns,
      clock,
      config: {
        publicUrl: `https://${MAIL}`,
        mtaSts: 'testing',
        https: {
          host: address,
          port: 0,
          redirectPort: 80,
          acme: { directoryUrl: authority.directoryUrl, contact: 'ops@keyfold.test', binding: undefined },
        },
      },
    });
  });
  afterAll(async () => {
    tls.setDefaultCACertificates([...known]);
    await app?.close();
    await authority?.close();
    stranger?.close();
  });
  beforeEach(() => {
    zone = { [MAIL]: [address] };
  });

  test('the mail host gets one; names that lead elsewhere wait without a failure', async () => {
    zone[POLICY] = ['192.0.2.7'];
    expect(await run()).toBe(1);
    expect(await states()).toEqual({
      [MAIL]: ['valid', null],
      [POLICY]: ['waiting', 'not_pointing'],
      [KEYS]: ['waiting', 'not_pointing'],
      [OTHER]: ['waiting', 'not_pointing'],
      [LOST]: ['waiting', 'not_pointing'],
    });
    expect((await app.db.selectFrom('acme_challenges').selectAll().execute()).length).toBe(0);
    const row = await rowOf(MAIL);
    expect(row.key_sealed?.includes('PRIVATE KEY')).toBe(false);
    expect(row.chain).not.toContain('PRIVATE KEY');
  });

  test('HTTPS and STARTTLS use it, without a restart', async () => {
    await expect
      .poll(async () => (await presented(MAIL).catch(() => null))?.subjectaltname)
      .toBe(`DNS:${MAIL}`);
    // What the SMTP listener looks for every minute.
    const { cert } = await loadCertificate(app.deps, MAIL);
    expect(cert).toBe((await rowOf(MAIL)).chain);
  });

  test('a derived name gets one as soon as its records lead here', async () => {
    zone[POLICY] = [address];
    expect(await run()).toBe(0);
    clock.advance(HOUR_MS);
    expect(await run()).toBe(1);
    await expect
      .poll(async () => (await presented(POLICY).catch(() => null))?.subjectaltname)
      .toBe(`DNS:${POLICY}`);
    expect((await presented(MAIL)).subjectaltname).toBe(`DNS:${MAIL}`);
  });

  test('a renewal keeps the key, so that TLSA records stay true', async () => {
    const before = await rowOf(MAIL);
    clock.advance(HOUR_MS);
    expect(await renewNow(app.deps, OPERATOR, MAIL)).toBe('renewed');
    const after = await rowOf(MAIL);
    expect(after.chain).not.toBe(before.chain);
    expect(keyHashOf(after.chain ?? '')).toBe(keyHashOf(before.chain ?? ''));
    const audited = app.db.selectFrom('audit_entries').select(['action', 'object']);
    expect(await audited.execute()).toEqual([{ action: 'renew_certificate', object: MAIL }]);
    // A fresh one is not ordered again.
    expect(await renewNow(app.deps, OPERATOR, MAIL)).toBe('renewed');
    expect((await rowOf(MAIL)).chain).toBe(after.chain);
    expect(await renewNow(app.deps, OPERATOR, 'mail.other.test')).toBe('unknown');
    // Two thirds of a lifetime, which is twelve hours with this authority.
    const endsMs = after.ends_at?.getTime() ?? 0;
    const leftMs = endsMs - after.next_try_at.getTime();
    expect(leftMs / HOUR_MS).toBeGreaterThan(3);
    expect(leftMs / HOUR_MS).toBeLessThan(5);
  });

  test('of machines that run at once, each orders another name', async () => {
    zone[POLICY] = [address];
    zone[KEYS] = [address];
    await app.db
      .updateTable('certificates')
      .set({ next_try_at: new Date(0) })
      .execute();
    const counts = await Promise.all([run(), run(), run()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  });

  test('a failure keeps the valid certificate, says why, and waits longer each time', async () => {
    const before = await rowOf(MAIL);
    clock.advance(HOUR_MS / 4);
    zone[MAIL] = [];
    expect(await renewNow(app.deps, OPERATOR, MAIL)).toBe('failed');
    expect((await states())[MAIL]).toEqual(['renewal_failing', 'dns']);
    const waitOf = async (name: string) => (await rowOf(name)).next_try_at.getTime() - clock.now().getTime();
    delete zone[MAIL];
    await renewNow(app.deps, OPERATOR, MAIL);
    expect((await states())[MAIL]).toEqual(['renewal_failing', 'no_address']);
    // Its own DNS may be complete any minute, and looking again costs the authority nothing.
    expect(await waitOf(MAIL)).toBe(HOUR_MS / 12);
    expect((await rowOf(MAIL)).chain).toBe(before.chain);
    zone[MAIL] = [address];
    zone[LOST] = [address];
    await renewNow(app.deps, OPERATOR, LOST);
    const [state, problem] = (await states())[LOST] ?? [];
    expect([state, problem]).toEqual(['failing', 'refused']);
    const first = await waitOf(LOST);
    await renewNow(app.deps, OPERATOR, LOST);
    expect(await waitOf(LOST)).toBeGreaterThan(first);
    const { problem_detail: detail } = await rowOf(LOST);
    expect(detail).toMatch(/^[\x20-\x7e]{5,300}$/);
  });

  test('an authority that cannot be reached is reported as unreachable', async () => {
    const { https } = app.deps.config;
    if (!https?.acme) throw new Error('no authority');
    const acme = { ...https.acme, directoryUrl: 'https://127.0.0.1:9/directory' };
    const config = { ...app.deps.config, https: { ...https, acme } };
    await renewNow({ ...app.deps, config }, OPERATOR, MAIL);
    expect((await states())[MAIL]).toEqual(['renewal_failing', 'unreachable']);
  });

  test('a certificate whose key was sealed under another server key is ordered again', async () => {
    await app.db
      .updateTable('certificates')
      .set({ key_sealed: Buffer.alloc(200, 7) })
      .where('name', '=', MAIL)
      .execute();
    await app.db
      .updateTable('acme_accounts')
      .set({ key_sealed: Buffer.alloc(200, 7) })
      .execute();
    await renewNow(app.deps, OPERATOR, MAIL);
    expect((await states())[MAIL]).toEqual(['valid', null]);
  });

  test('a name that no machine wants any more is kept for a month', async () => {
    const runWithout = () => renewCertificates({ ...app.deps, listVerifiedDomains: async () => [] });
    clock.advance(72 * HOUR_MS);
    zone = {};
    await runWithout();
    expect(Object.keys(await states()).sort()).toEqual([MAIL, POLICY, KEYS].sort());
    await rowOf(LOST);
    // Another machine, whose host name this one does not know.
    const other = { ...app.deps, config: { ...app.deps.config, hostname: 'mx2.keyfold.test' } };
    await loadCertificate(other, 'mx2.keyfold.test');
    await runWithout();
    expect(Object.keys(await states())).toContain('mx2.keyfold.test');
    clock.advance(31 * 24 * HOUR_MS);
    await runWithout();
    await expect(rowOf(LOST)).rejects.toThrow();
  });

  test('port 80 answers nothing else', async () => {
    const status = await new Promise(resolve => {
      http.get({ host: address, port: 80, path: '/', headers: { host: MAIL } }, response => {
        response.resume();
        resolve([response.statusCode, response.headers.location]);
      });
    });
    expect(status).toEqual([308, `https://${MAIL}/`]);
  });
});
