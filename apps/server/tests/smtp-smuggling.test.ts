/**
 * SMTP smuggling and other attacks on the end of a message: only CR LF . CR LF ends a message, and
 * a message with a bare CR or LF is refused entirely. Runs our own scenarios, and the raw-socket
 * scenarios of ../shared when present.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { connectSmtp, type SmtpClient } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addReader,
  type InboundTest,
  readMails,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

let inbound: InboundTest;
let bob: TestReader;
beforeAll(async () => {
  inbound = await startInboundTest();
  bob = await addReader(inbound.deps.db, ['bob@keyfold.test']);
});
afterAll(() => inbound.close());

async function startData(): Promise<SmtpClient> {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  for (const line of ['EHLO x.test', 'MAIL FROM:<al@sender.test>', 'RCPT TO:<bob@keyfold.test>', 'DATA'])
    await client.command(line);
  return client;
}
const subjects = async (): Promise<string[]> =>
  (await readMails(inbound, bob)).map(mail => mail.summary.subject);

const ENDS: [name: string, bytes: string, isRefused: boolean][] = [
  ['LF . LF', '\n.\n', true],
  ['LF . CR LF', '\n.\r\n', true],
  ['CR LF . LF', '\r\n.\n', true],
  ['CR . CR', '\r.\r', true],
  ['CR . LF', '\r.\n', true],
  ['CR LF . CR', '\r\n.\r', true],
  ['CR . CR LF', '\r.\r\n', true],
  ['LF . CR', '\n.\r', true],
  ['CR CR LF . CR CR LF', '\r\r\n.\r\r\n', true],
  ['LF CR . LF CR', '\n\r.\n\r', true],
  ['CR LF NUL . CR LF', '\r\n\0.\r\n', false],
  ['CR LF . NUL CR LF', '\r\n.\0\r\n', false],
  ['CR LF . blank CR LF', '\r\n. \r\n', false],
  ['CR LF . . CR LF', '\r\n..\r\n', false],
  ['CR LF . VT CR LF', '\r\n.\v\r\n', false],
  ['CR LF . 0x85 CR LF', '\r\n.\x85\r\n', false],
];

test.each(ENDS)('%s does not end a message', async (name, bytes, isRefused) => {
  const before = (await subjects()).length;
  const client = await startData();
  const smuggled = `MAIL FROM:<ceo@keyfold.test>\r\nRCPT TO:<bob@keyfold.test>\r\nDATA\r\nSubject: smuggled\r\n\r\nx\r\n`;
  client.send(Buffer.from(`Subject: outer ${name}\r\n\r\nline${bytes}${smuggled}.\r\n`, 'latin1'));
  expect(await client.reply()).toMatch(isRefused ? /^550 5\.5\.2/ : /^250/);
  expect(await client.command('NOOP')).toMatch(/^250/);
  expect(client.pending()).toBe('');
  client.destroy();
  const after = await subjects();
  expect(after).not.toContain('smuggled');
  expect(after).toHaveLength(before + (isRefused ? 0 : 1));
});

test.each([1, 2, 3, 5])(
  'splitting into pieces of %i bytes does not change where a message ends',
  async pieceBytes => {
    const client = await startData();
    const body = `Subject: pieces ${pieceBytes}\r\n\r\n..\r\n...\r\n.. \r\na\r\n..b\r\n.\r\n`;
    for (let at = 0; at < body.length; at += pieceBytes) {
      client.send(body.slice(at, at + pieceBytes));
      await new Promise(resolve => setTimeout(resolve, 1));
    }
    expect(await client.reply()).toMatch(/^250/);
    expect(await client.command('NOOP')).toMatch(/^250/);
    client.destroy();
    const mail = (await readMails(inbound, bob)).find(
      ({ summary }) => summary.subject === `pieces ${pieceBytes}`,
    );
    expect(mail?.raw.toString()).toBe(`Subject: pieces ${pieceBytes}\r\n\r\n.\r\n..\r\n. \r\na\r\n.b\r\n`);
  },
);

type Scenario = {
  id: string;
  steps: { send: string; expect: string | null }[];
  close?: 'abrupt';
};

const file = path.resolve(import.meta.dirname, '../../../../shared/data/smtp/smtp-scenarios.jsonl');
const scenarios: Scenario[] = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Scenario)
  : [];

describe.skipIf(scenarios.length === 0)('the scenarios of ../shared/data/smtp (skipped when absent)', () => {
  test.each(scenarios)('$id', async scenario => {
    const before = await readMails(inbound, bob);
    const client = await connectSmtp(inbound.smtp.port);
    const fill = (text: string) =>
      text.replaceAll('{{RCPT}}', bob.address).replaceAll('{{LOCALDOMAIN}}', 'keyfold.test');
    for (const step of scenario.steps) {
      if (step.send !== '') client.send(Buffer.from(fill(step.send), 'utf8'));
      if (step.expect !== null) expect(await client.reply()).toMatch(new RegExp(step.expect));
    }
    if (scenario.close === 'abrupt') client.destroy();
    else await client.ended;
    await new Promise(resolve => setTimeout(resolve, 300));
    const fresh = (await readMails(inbound, bob)).slice(before.length);
    expect(fresh.length).toBeLessThanOrEqual(1);
    expect(fresh.filter(({ summary }) => /SMUGGLED|halfmail/.test(summary.subject))).toEqual([]);
    if (scenario.id === 'pipeline-all') expect(fresh).toHaveLength(1);
    const next = await connectSmtp(inbound.smtp.port);
    expect(await next.reply()).toMatch(/^220/);
    next.destroy();
  });
});
