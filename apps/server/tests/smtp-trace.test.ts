// Every message can be traced: one log line for each outcome, with the same fields and without
// addresses or subjects.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { connectSmtp, deliver, type SmtpClient } from '@keyfold/testing/smtp';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../src/base/logger.ts';
import { addReader, type InboundTest, startInboundTest } from './harness/inbound.ts';

const TEST_LINE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X';
const FILTER = readFileSync(
  path.join(import.meta.dirname, '../../../deploy/fail2ban/filter.d/keyfold.conf'),
  'utf8',
);

let inbound: InboundTest;
let client: SmtpClient;
const lines: string[] = [];
const traced = (): Record<string, unknown>[] =>
  lines.map(line => JSON.parse(line)).filter(({ msg }) => String(msg).startsWith('mail '));

beforeAll(async () => {
  const logger = createLogger('debug');
  const symbols = pino.symbols as unknown as Record<string, symbol>;
  Object.assign(logger, {
    [symbols.streamSym as unknown as string]: { write: (line: string) => lines.push(line) },
  });
  inbound = await startInboundTest({
    deps: { logger },
    zone: {
      'strict.example': { TXT: ['v=spf1 -all'] },
      '_dmarc.strict.example': { TXT: ['v=DMARC1; p=reject'] },
    },
  });
  await addReader(inbound.deps.db, ['bob.canary@keyfold.test']);
  client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  await client.command('EHLO out.example');
});
beforeEach(() => {
  lines.length = 0;
});
afterAll(async () => {
  client.destroy();
  await inbound.close();
});

const send = (from: string, text = 'Text') =>
  deliver(client, {
    from,
    to: ['bob.canary@keyfold.test'],
    raw: Buffer.from(`From: ${from}\r\nTo: bob.canary@keyfold.test\r\nSubject: Canary\r\n\r\n${text}\r\n`),
  });

function nothingPersonal() {
  const text = lines.join('\n');
  for (const secret of ['canary', 'Canary', 'boss', '@']) expect(text).not.toContain(secret);
}

test('an accepted message is logged once, with its id in the reply', async () => {
  const reply = await send('zoe@sender.example');
  const id = /^250 2\.6\.0 Message stored as ([\w-]{12})$/.exec(reply.trim())?.[1];
  expect(traced()).toEqual([
    expect.objectContaining({
      msg: 'mail accepted',
      id,
      spf: expect.any(String),
      dkim: 'none',
      dmarc: 'none',
      dmarcPolicy: 'none',
      spamScore: expect.any(Number),
      folders: ['inbox'],
      domains: ['keyfold.test'],
      code: 250,
      remoteHost: '127.0.0.1',
      sizeBytes: expect.any(Number),
      durationMs: expect.any(Number),
    }),
  ]);
  nothingPersonal();
});

test('a filtered message is logged once with the Spam folder and the reason', async () => {
  await send('zoe@sender.example', TEST_LINE);
  await send('boss@strict.example');
  expect(traced()).toEqual([
    expect.objectContaining({ msg: 'mail filtered', folders: ['spam'], code: 250 }),
    expect.objectContaining({
      msg: 'mail filtered',
      folders: ['spam'],
      dmarc: 'fail',
      dmarcPolicy: 'reject',
    }),
  ]);
  nothingPersonal();
});

test('an invalid command is logged once, up to five times per connection', async () => {
  const other = await connectSmtp(inbound.smtp.port);
  await other.reply();
  await other.command('EHLO canary.example');
  expect(await other.command('RCPT TO:<boss@keyfold.test>')).toMatch(/^503/);
  expect(await other.command('MAIL FROM:<canary')).toMatch(/^501/);
  for (let again = 0; again < 5; again++) await other.command('MAIL FROM:<canary');
  other.destroy();
  const third = await connectSmtp(inbound.smtp.port);
  await third.reply();
  await third.command('EHLO canary.example');
  expect(await third.command('BDAT many')).toMatch(/^501/);
  third.destroy();
  expect(traced().map(({ code }) => code)).toEqual([503, 501, 501, 501, 501, 501]);
  expect(traced()[0]).toEqual(
    expect.objectContaining({ msg: 'mail refused', stage: 'command', remoteHost: '127.0.0.1', domains: [] }),
  );
  nothingPersonal();
});

test('a refused message is logged once with the peer’s address in fail2ban format', async () => {
  await client.command('MAIL FROM:<zoe@sender.example>');
  for (const recipient of ['nobody.canary@keyfold.test', 'boss@elsewhere.example'])
    expect(await client.command(`RCPT TO:<${recipient}>`)).toMatch(/^550/);
  await client.command('RSET');
  expect(await send('zoe@sender.example', 'bare\nline')).toMatch(/^550/);
  expect(traced()).toEqual([
    expect.objectContaining({
      msg: 'mail refused',
      stage: 'rcpt',
      code: 550,
      status: '5.1.1',
      domains: ['keyfold.test'],
    }),
    expect.objectContaining({
      msg: 'mail refused',
      stage: 'rcpt',
      status: '5.7.1',
      domains: ['elsewhere.example'],
    }),
    expect.objectContaining({
      msg: 'mail refused',
      stage: 'data',
      id: expect.any(String),
      status: '5.5.2',
      durationMs: expect.any(Number),
    }),
  ]);
  nothingPersonal();
  const pattern = /^failregex = (.*)$/m.exec(FILTER)?.[1] ?? 'none';
  const read = new RegExp(pattern.replace('<HOST>', '([0-9a-f.:]+)'));
  for (const line of lines.filter(one => one.includes('mail refused')))
    expect(read.exec(line.trim())?.[1]).toBe('127.0.0.1');
  lines.length = 0;
  await send('zoe@sender.example');
  for (const line of lines) expect(line.trim()).not.toMatch(read);
});
