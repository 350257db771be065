/**
 * Reports from other servers about this one: accepted at their dedicated addresses, parsed, and
 * stored only as numbers.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { connectSmtp, deliver } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  countComplaints,
  createReportReceiver,
  makeFeedbackId,
  viewReceivedReports,
} from '../src/features/reports/received-reports/index.ts';
import {
  addReader,
  type InboundTest,
  readMails,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

const DAY_MS = 86_400_000;
/** Day that the reports cover. */
const LAST_DAY = new Date(Date.now() - 3 * DAY_MS).toISOString().slice(0, 10);
const BEGIN = Date.parse(LAST_DAY) / 1000;

let inbound: InboundTest;
let bob: TestReader;
beforeAll(async () => {
  inbound = await startInboundTest({
    zone: {
      'big.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
      '_dmarc.big.test': { TXT: ['v=DMARC1; p=reject'] },
      'unproved.test': { TXT: ['v=spf1 -all'] },
    },
  });
  bob = await addReader(inbound.deps.db, ['bob@keyfold.test', 'abuse@keyfold.test']);
});
afterAll(() => inbound.close());
beforeEach(async () => {
  await inbound.deps.db.deleteFrom('received_reports').execute();
});

const report = (
  id: string,
  domain = 'keyfold.test',
  from = 'big.test',
  { begin = BEGIN, count = 2 } = {},
): string =>
  `From: reports@${from}\r\nTo: dmarc@keyfold.test\r\nSubject: Report Domain: ${domain}\r\nMIME-Version: 1.0\r\nContent-Type: application/gzip\r\nContent-Transfer-Encoding: base64\r\n\r\n${gzipSync(
    `<feedback><report_metadata><org_name>big.test</org_name><report_id>${id}</report_id><date_range><begin>${begin}</begin></date_range></report_metadata><policy_published><domain>${domain}</domain></policy_published><record><row><count>${count}</count><policy_evaluated><dkim>pass</dkim></policy_evaluated></row></record><record><row><count>1</count></row></record></feedback>`,
  ).toString('base64')}\r\n`;
const complaint = (mark: string, from = 'big.test'): string =>
  `From: fbl@${from}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: bob@keyfold.test\r\nCFBL-Feedback-ID: ${mark}\r\n\r\nbuy\r\n--b--\r\n`;

async function send(raw: string, to: string, from = 'reports@big.test'): Promise<string> {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  await client.command(`EHLO ${from.slice(from.indexOf('@') + 1)}`);
  try {
    return await deliver(client, { from, to: [to], raw });
  } finally {
    client.destroy();
  }
}
const seen = () => viewReceivedReports(inbound.deps);
const mails = async () => (await readMails(inbound, bob)).length;

test('a report is counted once per domain and stored in no mailbox', async () => {
  const before = await mails();
  for (const to of ['dmarc@keyfold.test', 'DMARC@keyfold.test', 'tls-rpt@keyfold.test'])
    expect(await send(report('one'), to)).toMatch(/^250/);
  expect(await send(report('two', 'mail.keyfold.test'), 'dmarc@keyfold.test')).toMatch(/^250/);
  expect(await send(report('three', 'elsewhere.test'), 'dmarc@keyfold.test')).toMatch(/^250/);
  expect(
    await send(report('four', 'keyfold.test', 'unproved.test'), 'dmarc@keyfold.test', 'x@unproved.test'),
  ).toMatch(/^250/);
  expect(await send(report('last', 'other.test'), 'dmarc@other.test')).toMatch(/^250/);
  await expect.poll(async () => (await seen()).domains.length, { timeout: 20_000 }).toBe(2);
  expect((await seen()).domains).toEqual([
    { kind: 'dmarc', domain: 'keyfold.test', reports: 2, good: 4, bad: 2, last_day: LAST_DAY },
    { kind: 'dmarc', domain: 'other.test', reports: 1, good: 2, bad: 1, last_day: LAST_DAY },
  ]);
  expect(await mails()).toBe(before);
  const rows = await inbound.deps.db.selectFrom('received_reports').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('big.test');
});

test('report addresses exist only at service domains, and reports in role mail are read in addition', async () => {
  expect(await send(report('x'), 'dmarc@elsewhere.test')).toMatch(/^550 5\.7\.1/);
  expect(await send(report('x'), 'reports@keyfold.test')).toMatch(/^550 5\.1\.1/);
  const before = await mails();
  expect(await send(report('to people'), 'abuse@keyfold.test')).toMatch(/^250/);
  expect(await mails()).toBe(before + 1);
  // An ordinary message is not a report, whatever it contains.
  const message = report('in a letter').replace('application/gzip', 'text/plain');
  expect(await send(message, 'abuse@keyfold.test')).toMatch(/^250/);
  await expect.poll(async () => (await seen()).domains.length, { timeout: 20_000 }).toBe(1);
  expect(await send(report('after that'), 'abuse@keyfold.test')).toMatch(/^250/);
  await expect.poll(async () => (await seen()).domains[0]?.reports, { timeout: 20_000 }).toBe(2);
});

test('a complaint about our mail counts once for its sender, a forged or outdated one does not', async () => {
  const since = new Date(Date.now() - DAY_MS);
  const { deps } = inbound;
  const to = ['x@out.test', 'y@out.test'];
  const mark = makeFeedbackId(deps, bob.userId, new Date(), to);
  expect(makeFeedbackId(deps, bob.userId, new Date(), to)).not.toBe(mark);
  const old = makeFeedbackId(deps, bob.userId, new Date(Date.now() - 61 * DAY_MS), to);
  const nobodys = makeFeedbackId(deps, randomUUID(), new Date(), to);
  /** The same bytes in another base64 spelling, with different unused bits. */
  const spelled = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
    .map(last => mark.slice(0, -1) + last)
    .filter(one => one !== mark && Buffer.from(one, 'base64url').equals(Buffer.from(mark, 'base64url')));
  expect(spelled.length).toBeGreaterThan(2);
  // Each one costs a thread, so a few are enough.
  const someSpelled = spelled.slice(0, 3);
  const unproved = makeFeedbackId(deps, bob.userId, new Date(), to);
  expect(await send(complaint(unproved, 'unproved.test'), 'abuse@keyfold.test', 'x@unproved.test')).toMatch(
    /^250/,
  );
  const changed = `${mark.slice(0, -2)}${mark.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const one of [old, nobodys, changed, mark, mark, ...someSpelled])
    expect(await send(complaint(one), 'abuse@keyfold.test', 'fbl@big.test')).toMatch(/^250/);
  const last = makeFeedbackId(deps, bob.userId, new Date(), ['z@other.test']);
  expect(await send(complaint(last), 'dmarc@keyfold.test', 'fbl@big.test')).toMatch(/^250/);
  await expect
    .poll(() => countComplaints(deps, bob.userId, since), { timeout: 20_000 })
    .toEqual({ total: 2, audiences: 2, reporters: 1 });
  expect((await seen()).complaints).toEqual({ total: 2, senders: 1 });
  expect(await countComplaints(deps, bob.userId, new Date(Date.now() + DAY_MS))).toEqual({
    total: 0,
    audiences: 0,
    reporters: 0,
  });
});

test('a reporter is an authenticated domain with a daily limit and bounded dates and counts', async () => {
  const { db, clock, config, logger, masterKey } = inbound.deps;
  const desk = createReportReceiver({ db, clock, config, logger, masterKey });
  const offer = (raw: string, provedDomain: string | null = 'big.test', network = '192.0.2.1') =>
    desk.offer({
      raw: Buffer.from(raw),
      provedDomain,
      provedOrganization: provedDomain?.replace('sub.', '') ?? null,
      network,
    });
  const kept = async () => {
    await desk.whenIdle();
    return db.selectFrom('received_reports').select(['reporter', 'good']).orderBy('good').execute();
  };
  // Not even parsed without authentication. Then reports that are too old or from the future.
  const begun = performance.now();
  for (let times = 0; times < 100; times++) expect(offer(report('never'), null)).toBe(true);
  expect(await kept()).toEqual([]);
  expect(performance.now() - begun).toBeLessThan(2_000);
  const at = (days: number) => ({ begin: Math.floor(Date.now() / 1000) + days * 86_400 });
  offer(report('old', 'keyfold.test', 'big.test', at(-16)));
  offer(report('early', 'keyfold.test', 'big.test', at(3)));
  expect(await kept()).toEqual([]);
  // A report of another domain with the same name and text does not replace this one.
  offer(report('same'), 'mallory.test');
  offer(report('same', 'keyfold.test', 'big.test', { count: 1_000_000_000 }));
  expect((await kept()).map(({ good }) => Number(good))).toEqual([2, 10_000_000]);
  expect(new Set((await kept()).map(({ reporter }) => reporter?.toString('hex'))).size).toBe(2);
  // Daily limit of one reporter.
  const [row] = await db.selectFrom('received_reports').selectAll().where('good', '=', 2).execute();
  if (row === undefined) throw new Error('Nothing was kept');
  await db
    .insertInto('received_reports')
    .values(
      Array.from({ length: 49 }, () => ({
        ...row,
        day: LAST_DAY,
        digest: randomBytes(32),
        received_at: row.received_at,
      })),
    )
    .execute();
  offer(report('one too many'), 'mallory.test');
  offer(report('and by a subdomain'), 'sub.mallory.test');
  offer(report('of another'), 'third.test');
  expect(await kept()).toHaveLength(52);
  // Share of one network in the waiting reports.
  const taken = Array.from({ length: 25 }, (_, index) => offer(report(`${index}`, 'elsewhere.test')));
  expect(taken.filter(Boolean)).toHaveLength(20);
  expect(offer(report('x', 'elsewhere.test'), 'big.test', '192.0.2.2')).toBe(true);
  await desk.close();
});
