/** TLS reports, from the first session to the message that carries them (RFC 8460). */
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../tests/harness/clock.ts';
import { startTestDns, type TestDns } from '../../../tests/harness/dns.ts';
import { startTestWeb, type TestWeb } from '../../../tests/harness/web.ts';
import { createDns } from '../../adapters/dns.ts';
import { createDmarcLedger, type DmarcResult } from '../../features/reports/dmarc-reports/index.ts';
import {
  createTlsReporter,
  type TlsReporter,
  type TlsResult,
} from '../../features/reports/tls-policy/index.ts';
import { type ReportRounds, startReportRounds } from './report-rounds.ts';
import { type MetServer, resultsOf } from './tls-notes.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
let dns: TestDns;
let web: TestWeb;
let sink: SmtpSink;
let clock: TestClock;
let rounds: ReportRounds;
let ledger: TlsReporter;

beforeAll(async () => {
  [dns, web, sink] = await Promise.all([
    startTestDns(),
    startTestWeb(['reports.else.test']),
    startSmtpSink(),
  ]);
  clock = createTestClock(new Date('2026-11-20T10:00:00Z'));
  app = await startTestApp({
    clock,
    dns: createDns([dns.server]),
    outboundConnector: web.outboundConnector,
    config: { mxPort: sink.port },
  });
  rounds = startReportRounds(app.deps);
  ledger = createTlsReporter(app.deps);
});
afterAll(async () => {
  await ledger.close();
  await rounds.close();
  await app.close();
  await Promise.all([dns.close(), web.close(), sink.close()]);
});
beforeEach(() => {
  for (const name of Object.keys(dns.zone)) delete dns.zone[name];
  dns.zone['reports.test'] = { MX: [[10, 'mx.reports.test']] };
  dns.zone['mx.reports.test'] = { A: ['127.0.0.1'] };
});
afterEach(() => app.db.deleteFrom('report_counts').execute());

const met = (changed: Partial<MetServer> = {}): MetServer => ({
  domain: 'out.test',
  hostname: 'mx.out.test',
  host: '192.0.2.7',
  ownAddress: '192.0.2.1',
  sts: { policy: { id: '1', mode: 'enforce', mx: ['mx.out.test'], maxAgeSeconds: 86_400 }, problem: null },
  tlsa: [],
  ...changed,
});
const good = { authorities: null, tlsa: null, isMet: true } as const;
const expired = { authorities: 'certificate-expired', tlsa: null, isMet: false } as const;
const noSts = { policy: null, problem: null };

/** Records the results of sessions without TLS. */
async function note(results: readonly TlsResult[], times = 1): Promise<void> {
  for (let count = 0; count < times; count++) for (const result of results) ledger.count(result);
  await ledger.flush();
}

function wantsReports(rua: string, domain = 'out.test') {
  dns.zone[`_smtp._tls.${domain}`] = { TXT: [`v=TLSRPTv1; rua=${rua}`] };
}
const rowsLeft = async (): Promise<number> =>
  (await app.db.selectFrom('report_counts').select('count').execute()).length;

const POLICY = {
  'policy-type': 'sts',
  'policy-string': ['version: STSv1', 'mode: enforce', 'mx: mx.out.test', 'max_age: 86400'],
  'policy-domain': 'out.test',
  'mx-host': ['mx.out.test'],
};

test('the sessions of a day are reported once, after it ends, in a signed message', async () => {
  wantsReports('mailto:tls@reports.test');
  await note(resultsOf(met(), good, null), 2);
  await note(resultsOf(met(), good, null));
  await note(resultsOf(met(), expired, null), 2);
  expect(await rowsLeft()).toBe(2);
  const dump = await app.db.selectFrom('report_counts').selectAll().execute();
  expect(JSON.stringify(dump.map(row => row.entry_sealed.toString('latin1')))).not.toContain('out.test');
  // Not before the reported day is over.
  expect(await rounds.run()).toBe(0);
  clock.advance(DAY_MS);
  expect(await rounds.run()).toBe(1);
  expect(await rowsLeft()).toBe(0);
  expect(await rounds.run()).toBe(0);
  const [message] = sink.messages;
  expect([sink.messages.length, message?.from, message?.to]).toEqual([1, '', ['tls@reports.test']]);
  const raw = message?.raw.toString() ?? '';
  expect(raw).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=keyfold\.test;/);
  expect(raw).toContain('Content-Type: multipart/report; report-type="tlsrpt"');
  const mail = await PostalMime.parse(message?.raw ?? '');
  const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
  expect(headers.get('tls-report-domain')).toBe('out.test');
  expect(headers.get('tls-report-submitter')).toBe('keyfold.test');
  expect(mail.subject).toBe(
    'Report Domain: out.test Submitter: keyfold.test Report-ID: <2026-11-20_out.test@keyfold.test>',
  );
  const [file] = mail.attachments;
  expect([file?.mimeType, file?.filename]).toEqual([
    'application/tlsrpt+gzip',
    'keyfold.test!out.test!1795132800!1795219199.json.gz',
  ]);
  expect(JSON.parse(gunzipSync(Buffer.from(file?.content as ArrayBuffer)).toString())).toEqual({
    'organization-name': 'keyfold.test',
    'date-range': { 'start-datetime': '2026-11-20T00:00:00Z', 'end-datetime': '2026-11-20T23:59:59Z' },
    'contact-info': 'postmaster@keyfold.test',
    'report-id': '2026-11-20_out.test@keyfold.test',
    policies: [
      {
        policy: POLICY,
        summary: { 'total-successful-session-count': 3, 'total-failure-session-count': 2 },
        'failure-details': [
          {
            'result-type': 'certificate-expired',
            'sending-mta-ip': '192.0.2.1',
            'receiving-mx-hostname': 'mx.out.test',
            'receiving-ip': '192.0.2.7',
            'failed-session-count': 2,
          },
        ],
      },
    ],
  });
});

test('a session counts for each policy that applied to it', () => {
  const types = (...args: Parameters<typeof resultsOf>) =>
    resultsOf(...args).map(({ policy, failure }) => [policy.type, failure?.type ?? null]);
  const tlsa = [{ usage: 3, selector: 1, mtype: 1, cert: Buffer.alloc(32) }];
  const wrong = { authorities: null, tlsa: 'validation-failure', isMet: false } as const;
  expect(types(met({ tlsa }), wrong, null)).toEqual([
    ['sts', null],
    ['tlsa', 'validation-failure'],
  ]);
  expect(types(met({ hostname: 'mx.else.test' }), good, null)).toEqual([['sts', 'validation-failure']]);
  expect(types(met({ sts: noSts }), good, null)).toEqual([['no-policy-found', 'starttls-not-supported']]);
  expect(types(met({ sts: { policy: null, problem: 'sts-policy-invalid' } }), good, null)).toEqual([
    ['sts', 'sts-policy-invalid'],
  ]);
});

test('a domain that wants no reports gets none, and its counts are deleted', async () => {
  await note(resultsOf(met(), good, null));
  clock.advance(2 * DAY_MS);
  const before = sink.messages.length;
  await rounds.run();
  expect([sink.messages.length - before, await rowsLeft()]).toEqual([0, 0]);
});

test('an undeliverable report is retried after four hours and deleted after two days', async () => {
  wantsReports('mailto:tls@reports.test');
  sink.refuseRecipient = () => [451, '4.3.0 later'];
  await note(resultsOf(met(), good, null));
  clock.advance(DAY_MS);
  expect(await rounds.run()).toBe(0);
  clock.advance(3 * HOUR_MS);
  sink.refuseRecipient = () => null;
  const before = sink.messages.length;
  expect(await rounds.run()).toBe(0);
  clock.advance(HOUR_MS);
  expect(await rounds.run()).toBe(1);
  expect(sink.messages.length - before).toBe(1);
  sink.refuseRecipient = () => [451, '4.3.0 later'];
  await note(resultsOf(met(), good, null));
  for (let tries = 0; tries < 2; tries++) {
    clock.advance(DAY_MS);
    await rounds.run();
    expect(await rowsLeft()).toBe(1);
  }
  clock.advance(DAY_MS);
  await rounds.run();
  expect(await rowsLeft()).toBe(0);
  sink.refuseRecipient = () => null;
});

test('two machines at once send a report once', async () => {
  wantsReports('mailto:tls@reports.test');
  for (const host of ['192.0.2.7', '192.0.2.8', '192.0.2.9'])
    await note(resultsOf(met({ host }), expired, null));
  clock.advance(DAY_MS);
  const before = sink.messages.length;
  const other = startReportRounds(app.deps);
  const done = await Promise.all([rounds.run(), other.run()]);
  await other.close();
  expect([done[0] + done[1], sink.messages.length - before]).toEqual([1, 1]);
});

test('a report may be posted to a web server, and the first target that accepts it is enough', async () => {
  dns.zone['reports.else.test'] = { A: ['93.184.216.34'] };
  wantsReports('https://reports.else.test/tls,mailto:tls@reports.test');
  const posted: { type: string | undefined; body: Buffer }[] = [];
  web.handle = async (request, response) => {
    posted.push({ type: request.headers['content-type'], body: await buffer(request) });
    response.writeHead(201).end();
  };
  await note(resultsOf(met(), good, null));
  clock.advance(DAY_MS);
  const before = sink.messages.length;
  expect(await rounds.run()).toBe(1);
  expect(sink.messages.length).toBe(before);
  expect(posted.map(({ type }) => type)).toEqual(['application/tlsrpt+gzip']);
  expect(JSON.parse(gunzipSync(posted[0]?.body ?? Buffer.alloc(0)).toString())).toMatchObject({
    policies: [{ policy: POLICY, summary: { 'total-successful-session-count': 1 } }],
  });
});

test('stopping the service ends a round that waits for another server and keeps its report', async () => {
  dns.zone['reports.else.test'] = { A: ['93.184.216.34'] };
  dns.zone['_smtp._tls.slow.test'] = { TXT: ['v=TLSRPTv1; rua=https://reports.else.test/slow'] };
  const before = web.handle;
  let asked = 0;
  web.handle = () => void asked++;
  await note(resultsOf(met({ domain: 'slow.test' }), good, null));
  clock.advance(DAY_MS);
  const another = startReportRounds(app.deps);
  const round = another.run();
  await expect.poll(() => asked).toBe(1);
  const startedAt = performance.now();
  await another.close();
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(await round).toBe(0);
  expect(await rowsLeft()).toBe(1);
  web.handle = before;
});

const arrival = (changed: Partial<DmarcResult> = {}): DmarcResult => ({
  policyDomain: 'author.test',
  rua: 'mailto:dmarc@reports.test!10m, https://x.test/, mailto:not an address',
  published: { adkim: 'r', aspf: 's', p: 'reject', sp: 'reject', testing: false },
  sourceIp: '192.0.2.7',
  headerFrom: 'author.test',
  envelopeFrom: 'author.test',
  evaluated: { dkim: 'pass', spf: 'fail' },
  dkim: [{ domain: 'author.test', selector: 'k1', result: 'pass' }],
  spf: { domain: 'author.test', scope: 'mfrom', result: 'softfail' },
  ...changed,
});

async function count(...results: readonly DmarcResult[]): Promise<void> {
  const counted = createDmarcLedger(app.deps);
  for (const result of results) counted.count(result);
  await counted.close();
}

test('DMARC results are reported to the address of the author’s domain if that address agrees', async () => {
  const failed = arrival({
    sourceIp: '2001:db8::1',
    envelopeFrom: '',
    evaluated: { dkim: 'fail', spf: 'fail' },
    dkim: [],
    spf: { domain: '', scope: 'helo', result: 'none' },
  });
  await count(arrival(), arrival(), failed);
  clock.advance(DAY_MS);
  const before = sink.messages.length;
  // The address belongs to another domain, which has not published that it accepts such reports.
  expect(await rounds.run()).toBe(1);
  expect(sink.messages.length).toBe(before);
  dns.zone['author.test._report._dmarc.reports.test'] = { TXT: ['v=DMARC1;'] };
  await count(arrival(), arrival(), failed);
  clock.advance(DAY_MS);
  expect(await rounds.run()).toBe(1);
  const message = sink.messages.at(-1);
  expect([sink.messages.length - before, message?.to]).toEqual([1, ['dmarc@reports.test']]);
  const mail = await PostalMime.parse(message?.raw ?? '');
  expect(mail.subject).toMatch(/^Report Domain: author\.test Submitter: keyfold\.test Report-ID: </);
  const [file] = mail.attachments;
  expect(file?.mimeType).toBe('application/gzip');
  expect(file?.filename).toMatch(/^keyfold\.test!author\.test!\d+!\d+\.xml\.gz$/);
  const xml = gunzipSync(Buffer.from(file?.content as ArrayBuffer)).toString();
  expect(xml).toContain('<policy_published><domain>author.test</domain><p>reject</p><sp>reject</sp>');
  expect(xml).toContain(
    '<row><source_ip>192.0.2.7</source_ip><count>2</count><policy_evaluated><disposition>none</disposition><dkim>pass</dkim><spf>fail</spf></policy_evaluated></row>',
  );
  expect(xml).toContain(
    '<source_ip>2001:db8::1</source_ip><count>1</count><policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>fail</spf><reason><type>local_policy</type></reason>',
  );
  expect(xml.match(/<record>/g)).toHaveLength(2);
  expect(await rowsLeft()).toBe(0);
});

test('values from a message cannot inject XML into a report', async () => {
  const evil = '"><x>&amp;\u0000';
  await count(
    arrival({
      rua: 'mailto:dmarc@author.test',
      envelopeFrom: evil,
      dkim: [{ domain: evil, selector: evil, result: evil }],
    }),
  );
  dns.zone['author.test'] = { MX: [[10, 'mx.reports.test']] };
  clock.advance(DAY_MS);
  expect(await rounds.run()).toBe(1);
  const mail = await PostalMime.parse(sink.messages.at(-1)?.raw ?? '');
  const xml = gunzipSync(Buffer.from(mail.attachments[0]?.content as ArrayBuffer)).toString();
  expect(xml).not.toContain('<x>');
  expect(xml).toContain('<envelope_from>&quot;&gt;&lt;x&gt;&amp;amp;?</envelope_from>');
});
