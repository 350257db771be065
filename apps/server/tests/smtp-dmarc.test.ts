/** DMARC results of inbound mail, counted for the domains that request reports (RFC 9990). */
import { connectSmtp, deliver } from '@keyfold/testing/smtp';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DmarcResult } from '../src/features/reports/dmarc-reports/index.ts';
import { addReader, type InboundTest, startInboundTest } from './harness/inbound.ts';

let asked: InboundTest;
let silent: InboundTest;

const zone = () => ({
  'author.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  '_dmarc.author.test': { TXT: ['v=DMARC1; p=quarantine; sp=none; aspf=s; rua=mailto:dmarc@author.test'] },
  'slow.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  '_dmarc.slow.test': {
    TXT: [`v=DMARC1; p=none; rua=${' '.repeat(30_000)}mailto:a@slow.test${' '.repeat(20_000)}x`],
  },
  'quiet.test': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
  '_dmarc.quiet.test': { TXT: ['v=DMARC1; p=reject'] },
});

beforeAll(async () => {
  [asked, silent] = await Promise.all([
    startInboundTest({ zone: zone() }),
    startInboundTest({ zone: zone(), env: { KEYFOLD_DMARC_REPORTS: 'false' } }),
  ]);
  for (const { deps } of [asked, silent]) await addReader(deps.db, ['bob@keyfold.test']);
});
afterAll(async () => {
  await Promise.all([asked.close(), silent.close()]);
});

async function bring({ smtp }: InboundTest, from: string, author: string, to = 'bob@keyfold.test') {
  const client = await connectSmtp(smtp.port);
  await client.reply();
  await client.command('EHLO sender.test');
  const raw = `From: Al <${author}>\r\nTo: bob@keyfold.test\r\nSubject: Private\r\n\r\nHello\r\n`;
  const answer = await deliver(client, { from, to: [to], raw });
  client.destroy();
  return answer;
}

async function counts({ deps, dmarc }: InboundTest) {
  await dmarc.flush();
  const rows = await deps.db
    .selectFrom('report_counts')
    .select(['count', 'entry_digest', 'entry_sealed', sql<string>`day::text`.as('day')])
    .execute();
  return rows.map(row => {
    const context = `dmarc ${row.day} ${row.entry_digest.toString('hex')}`;
    const text = deps.masterKey.open('report ledger', context, row.entry_sealed).toString();
    return { count: row.count, ...(JSON.parse(text) as { domain: string; entry: DmarcResult }) };
  });
}

test('mail is counted by domain, source address and verdicts, without personal data', async () => {
  for (let times = 0; times < 2; times++)
    expect(await bring(asked, 'al@author.test', 'al@author.test')).toMatch(/^250/);
  expect(await bring(asked, '', 'al@author.test')).toMatch(/^250/);
  // A domain that wants no reports, one without a policy, and a refused message.
  await bring(asked, 'al@quiet.test', 'al@quiet.test');
  await bring(asked, 'al@nobody.test', 'al@nobody.test');
  await bring(asked, 'al@author.test', 'al@author.test', 'nobody@keyfold.test');
  const found = (await counts(asked)).sort((a, b) => b.count - a.count);
  expect(found.map(({ count, domain }) => [count, domain])).toEqual([
    [2, 'author.test'],
    [1, 'author.test'],
  ]);
  expect(found[0]?.entry).toEqual({
    policyDomain: 'author.test',
    rua: 'mailto:dmarc@author.test',
    published: { adkim: 'r', aspf: 's', p: 'quarantine', sp: 'none', testing: false },
    sourceIp: '127.0.0.1',
    headerFrom: 'author.test',
    envelopeFrom: 'author.test',
    evaluated: { dkim: 'fail', spf: 'pass' },
    dkim: [],
    spf: { domain: 'author.test', scope: 'mfrom', result: 'pass' },
  });
  expect(found[1]?.entry).toMatchObject({
    envelopeFrom: '',
    evaluated: { dkim: 'fail', spf: 'fail' },
    spf: { domain: 'sender.test', scope: 'helo' },
  });
  expect(JSON.stringify(found)).not.toMatch(/al@|bob|Private/);
});

test('nothing is counted when the operator disables reports', async () => {
  await bring(silent, 'al@author.test', 'al@author.test');
  expect(await counts(silent)).toEqual([]);
});

test('a DMARC record is parsed in linear time', async () => {
  const startedAt = performance.now();
  expect(await bring(asked, 'al@slow.test', 'al@slow.test')).toMatch(/^250/);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
});
