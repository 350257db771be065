/**
 * What other servers report about this one: taken at addresses that exist for it, read, and kept as numbers alone.
 */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { connectSmtp, deliver } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  countComplaints,
  makeFeedbackId,
  viewReceivedReports,
} from '../src/features/received-reports/service.ts';
import {
  addReader,
  type InboundTest,
  readMails,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

const DAY_MS = 86_400_000;

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

const report = (id: string, domain = 'keyfold.test', from = 'big.test'): string =>
  `From: reports@${from}\r\nTo: dmarc@keyfold.test\r\nSubject: Report Domain: ${domain}\r\nMIME-Version: 1.0\r\nContent-Type: application/gzip\r\nContent-Transfer-Encoding: base64\r\n\r\n${gzipSync(
    `<feedback><report_metadata><org_name>big.test</org_name><report_id>${id}</report_id><date_range><begin>1795132800</begin></date_range></report_metadata><policy_published><domain>${domain}</domain></policy_published><record><row><count>2</count><policy_evaluated><dkim>pass</dkim></policy_evaluated></row></record><record><row><count>1</count></row></record></feedback>`,
  ).toString('base64')}\r\n`;
const complaint = (mark: string): string =>
  `From: fbl@big.test\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nFrom: bob@keyfold.test\r\nCFBL-Feedback-ID: ${mark}\r\n\r\nbuy\r\n--b--\r\n`;

const send = async (raw: string, to: string, from = 'reports@big.test'): Promise<string> => {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  await client.command(`EHLO ${from.slice(from.indexOf('@') + 1)}`);
  try {
    return await deliver(client, { from, to: [to], raw });
  } finally {
    client.destroy();
  }
};
const seen = () => viewReceivedReports(inbound.deps);
const mails = async () => (await readMails(inbound, bob)).length;

test('a report is counted once, by domain, and lies in nobody’s mailbox', async () => {
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
    { kind: 'dmarc', domain: 'keyfold.test', reports: 2, good: 4, bad: 2, last_day: '2026-11-20' },
    { kind: 'dmarc', domain: 'other.test', reports: 1, good: 2, bad: 1, last_day: '2026-11-20' },
  ]);
  expect(await mails()).toBe(before);
  const rows = await inbound.deps.db.selectFrom('received_reports').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain('big.test');
});

test('such addresses exist at the service’s domains alone, and what comes to people is read besides', async () => {
  expect(await send(report('x'), 'dmarc@elsewhere.test')).toMatch(/^550 5\.7\.1/);
  expect(await send(report('x'), 'reports@keyfold.test')).toMatch(/^550 5\.1\.1/);
  const before = await mails();
  expect(await send(report('to people'), 'abuse@keyfold.test')).toMatch(/^250/);
  expect(await mails()).toBe(before + 1);
  // A letter is no report, whatever stands in it.
  const letter = report('in a letter').replace('application/gzip', 'text/plain');
  expect(await send(letter, 'abuse@keyfold.test')).toMatch(/^250/);
  await expect.poll(async () => (await seen()).domains.length, { timeout: 20_000 }).toBe(1);
  expect(await send(report('after that'), 'abuse@keyfold.test')).toMatch(/^250/);
  await expect.poll(async () => (await seen()).domains[0]?.reports, { timeout: 20_000 }).toBe(2);
});

test('a complaint about mail of ours counts once for its sender; one that is made up, or too old, does not', async () => {
  const since = new Date(Date.now() - DAY_MS);
  const { deps } = inbound;
  const mark = makeFeedbackId(deps, bob.userId, new Date());
  expect(makeFeedbackId(deps, bob.userId, new Date())).not.toBe(mark);
  const old = makeFeedbackId(deps, bob.userId, new Date(Date.now() - 61 * DAY_MS));
  const nobodys = makeFeedbackId(deps, randomUUID(), new Date());
  const changed = `${mark.slice(0, -2)}${mark.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const one of [old, nobodys, changed, mark, mark])
    expect(await send(complaint(one), 'abuse@keyfold.test', 'fbl@big.test')).toMatch(/^250/);
  const last = makeFeedbackId(deps, bob.userId, new Date());
  expect(await send(complaint(last), 'dmarc@keyfold.test', 'fbl@big.test')).toMatch(/^250/);
  await expect.poll(() => countComplaints(deps, bob.userId, since), { timeout: 20_000 }).toBe(2);
  expect((await seen()).complaints).toEqual({ total: 2, senders: 1 });
  expect(await countComplaints(deps, bob.userId, new Date(Date.now() + DAY_MS))).toBe(0);
});
