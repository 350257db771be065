/**
 * CHUNKING (RFC 3030) against the real listener: it reads exactly the announced bytes and executes
 * nothing in them as a command.
 */
import { randomBytes } from 'node:crypto';
import { connectSmtp, type SmtpClient } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addReader,
  type InboundTest,
  readMails,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

const MIB = 1024 * 1024;
const TO_BOB = ['MAIL FROM:<al@sender.test>', 'RCPT TO:<bob@keyfold.test>'];

let inbound: InboundTest;
let bob: TestReader;
beforeAll(async () => {
  inbound = await startInboundTest();
  bob = await addReader(inbound.deps.db, ['bob@keyfold.test']);
});
afterAll(() => inbound.close());

async function open(...lines: string[]): Promise<SmtpClient> {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  for (const line of ['EHLO x.test', ...lines]) expect(await client.command(line)).toMatch(/^250/);
  return client;
}
function bdat(content: string | Buffer, last = ''): Buffer {
  const bytes = Buffer.from(content as string, 'latin1');
  return Buffer.concat([Buffer.from(`BDAT ${bytes.length}${last}\r\n`), bytes]);
}
const LAST = ' LAST';
async function chunk(client: SmtpClient, content: string | Buffer, last = ''): Promise<string> {
  client.send(bdat(content, last));
  return client.reply();
}
const textOf = async (subject: string): Promise<string[]> =>
  (await readMails(inbound, bob))
    .filter(({ summary }) => summary.subject === subject)
    .map(({ raw }) => Buffer.from(raw).toString('latin1'));
const count = async (): Promise<number> => (await readMails(inbound, bob)).length;

test('CHUNKING is offered before and after STARTTLS', async () => {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  expect((await client.command('EHLO x.test')).split('\n')).toContain('250 CHUNKING');
  await client.command('STARTTLS');
  await client.secure();
  expect((await client.command('EHLO x.test')).split('\n')).toContain('250 CHUNKING');
  for (const line of TO_BOB) await client.command(line);
  const message = 'Subject: by tls\r\n\r\nhi\r\n';
  expect(await chunk(client, message, LAST)).toMatch(/^250 2\.6\.0/);
  expect(await textOf('by tls')).toEqual([message]);
  client.destroy();
});

test.each(['a..b', '.a', 'a.'])('mail from %s@ is accepted and its sender is read', async local => {
  const sender = `${local}@docomo.example`;
  const client = await open(`MAIL FROM:<${sender}>`, 'RCPT TO:<bob@keyfold.test>');
  const subject = `dots ${local}`;
  expect(await chunk(client, `From: ${sender}\r\nSubject: ${subject}\r\n\r\nhi\r\n`, LAST)).toMatch(/^250/);
  const mail = (await readMails(inbound, bob)).find(({ summary }) => summary.subject === subject);
  expect(mail?.fromAddress).toBe(sender);
  for (const line of ['MAIL FROM:<..@docomo.example>', 'MAIL FROM:<a@..example>'])
    expect(await client.command(line)).toMatch(/^501/);
  client.destroy();
});

test('chunks are joined unchanged, including dots, and several messages follow one another', async () => {
  const client = await open();
  for (const subject of ['first', 'second']) {
    for (const line of TO_BOB) expect(await client.command(line)).toMatch(/^250/);
    const parts = [`Subject: ${subject}\r`, '\n\r\n.\r\n..\r\n', 'no line end'];
    expect(await chunk(client, parts[0] ?? '')).toBe(`250 2.0.0 ${parts[0]?.length} octets received`);
    expect(await client.command('NOOP')).toMatch(/^250/);
    expect(await chunk(client, parts[1] ?? '')).toMatch(/^250/);
    expect(await chunk(client, parts[2] ?? '')).toMatch(/^250/);
    expect(await client.command('BDAT 0 LAST')).toMatch(/^250 2\.6\.0/);
    expect(await textOf(subject)).toEqual([parts.join('')]);
  }
  client.destroy();
});

test.each([1, 2, 3, 7])('a pipelined session behaves the same in pieces of %i bytes', async pieceBytes => {
  const client = await open();
  const subject = `pieces ${pieceBytes}`;
  const session = Buffer.concat([
    Buffer.from(`${TO_BOB.join('\r\n')}\r\n`),
    bdat(`Subject: ${subject}\r\n\r\n`),
    bdat('QUIT\r\nBDAT 5\r\n', LAST),
    Buffer.from('NOOP\r\nQUIT\r\n'),
  ]);
  for (let at = 0; at < session.length; at += pieceBytes) {
    client.send(session.subarray(at, at + pieceBytes));
    if (at % (pieceBytes * 8) === 0) await new Promise(resolve => setTimeout(resolve, 1));
  }
  const replies = [];
  for (let index = 0; index < 6; index++) replies.push((await client.reply()).slice(0, 9));
  expect(replies.map(reply => reply.slice(0, 3))).toEqual(['250', '250', '250', '250', '250', '221']);
  await client.ended;
  expect(await textOf(subject)).toEqual([`Subject: ${subject}\r\n\r\nQUIT\r\nBDAT 5\r\n`]);
});

describe('no message is smuggled', () => {
  const SMUGGLED = `MAIL FROM:<ceo@keyfold.test>\r\nRCPT TO:<bob@keyfold.test>\r\nDATA\r\nSubject: smuggled\r\n\r\nx\r\n.\r\n`;
  const noneSmuggled = async () => expect(await textOf('smuggled')).toEqual([]);

  test.each(['\r\n.\r\n', '\r\nBDAT 0 LAST\r\n', '\r\nRSET\r\n'])('by %j within a chunk', async between => {
    const client = await open(...TO_BOB);
    const subject = `outer ${JSON.stringify(between).replaceAll('\\', '/')}`;
    const content = `Subject: ${subject}\r\n\r\nline${between}${SMUGGLED}`;
    expect(await chunk(client, content, LAST)).toMatch(/^250 2\.6\.0/);
    expect(await client.command('NOOP')).toMatch(/^250/);
    expect(client.pending()).toBe('');
    expect(await textOf(subject)).toEqual([content]);
    await noneSmuggled();
    client.destroy();
  });

  test.each(['\n.\n', '\n', '\n.\r\n'])('by %j, which is accepted because octets are counted', async bare => {
    const client = await open(...TO_BOB);
    const subject = `bare ${JSON.stringify(bare).replaceAll('\\', '/')}`;
    const content = `Subject: ${subject}\r\n\r\na${bare}${SMUGGLED}`;
    // An LF at the end of one chunk, and one at the start of the next.
    const at = content.indexOf('\n', content.indexOf('\r\n\r\n') + 4);
    expect(await chunk(client, content.slice(0, at))).toMatch(/^250/);
    expect(await chunk(client, content.slice(at), LAST)).toMatch(/^250 2\.6\.0/);
    expect(await client.command('NOOP')).toMatch(/^250/);
    expect(client.pending()).toBe('');
    expect(await textOf(subject)).toEqual([content.replace(/(?<!\r)\n/g, '\r\n')]);
    await noneSmuggled();
    client.destroy();
  });

  test.each(['\r', '\r.\r'])('by %j, which is refused as with DATA', async bare => {
    const client = await open(...TO_BOB);
    expect(await chunk(client, `Subject: bare\r\n\r\na${bare}${SMUGGLED}`, LAST)).toMatch(/^550 5\.5\.2/);
    expect(await client.command('NOOP')).toMatch(/^250/);
    await noneSmuggled();
    client.destroy();
  });

  test('by a refused chunk, whose octets are still read', async () => {
    const client = await open('MAIL FROM:<al@sender.test>');
    expect(await client.command('RCPT TO:<nobody@keyfold.test>')).toMatch(/^550/);
    expect(await chunk(client, SMUGGLED)).toMatch(/^503 5\.5\.1/);
    expect(await chunk(client, SMUGGLED, LAST)).toMatch(/^503 5\.5\.1/);
    expect(await client.command('NOOP')).toMatch(/^250/);
    expect(client.pending()).toBe('');
    await noneSmuggled();
    client.destroy();
  });

  test.each([
    'BDAT',
    'BDAT x',
    'BDAT -1',
    'BDAT 5 LAS',
    'BDAT 0x10',
    'BDAT 5 LAST 7',
    'BDAT 9999999999999999',
  ])('by an invalid size: %s ends the connection', async command => {
    const client = await open(...TO_BOB);
    client.send(`${command}\r\n${SMUGGLED}`);
    expect(await client.reply()).toMatch(/^501 5\.5\.4/);
    await client.ended;
    expect(client.pending()).toBe('');
    await noneSmuggled();
  });
});

test('commands outside the current message are refused, and RSET ends it', async () => {
  const client = await open(...TO_BOB);
  const before = await count();
  expect(await chunk(client, 'Subject: given up\r\n\r\n')).toMatch(/^250/);
  for (const line of ['RCPT TO:<bob@keyfold.test>', 'DATA', 'MAIL FROM:<x@sender.test>', 'HELP'])
    expect(await client.command(line)).toMatch(/^503 5\.5\.1/);
  expect(await client.command('RSET')).toMatch(/^250/);
  expect(await chunk(client, 'x', LAST)).toMatch(/^503/);
  for (const line of TO_BOB) expect(await client.command(line)).toMatch(/^250/);
  expect(await client.command('DATA')).toMatch(/^354/);
  expect(await client.command('Subject: by DATA again\r\n\r\nhi\r\n.')).toMatch(/^250/);
  expect(await count()).toBe(before + 1);
  client.destroy();
});

test('a message over the limit is refused with the chunk that exceeds it, after that chunk is read', async () => {
  const client = await open(...TO_BOB);
  const block = Buffer.alloc(20 * MIB, `${'x'.repeat(998)}\r\n`);
  expect(await chunk(client, 'Subject: too large\r\n\r\n')).toMatch(/^250/);
  expect(await chunk(client, block)).toMatch(/^250/);
  expect(await chunk(client, block)).toMatch(/^250/);
  expect(await chunk(client, block)).toMatch(/^552 5\.3\.4/);
  expect(await chunk(client, 'x')).toMatch(/^552 5\.3\.4/);
  expect(await chunk(client, 'x', LAST)).toMatch(/^552 5\.3\.4/);
  for (const line of TO_BOB) expect(await client.command(line)).toMatch(/^250/);
  expect(await chunk(client, 'Subject: small again\r\n\r\nhi\r\n', LAST)).toMatch(/^250 2\.6\.0/);
  expect(await textOf('too large')).toEqual([]);
  expect(await textOf('small again')).toHaveLength(1);
  client.destroy();
}, 60_000);

test('a large message in chunks of all sizes arrives byte for byte', async () => {
  const client = await open(...TO_BOB);
  const body = randomBytes(2 * MIB)
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n');
  const message = Buffer.from(`Subject: large one\r\n\r\n${body}\r\n`);
  for (let at = 0, size = 1; at < message.length; size = size * 2 + 1) {
    const piece = message.subarray(at, at + size);
    at += piece.length;
    expect(await chunk(client, piece, at === message.length ? LAST : '')).toMatch(/^250/);
  }
  expect((await textOf('large one'))[0] === message.toString('latin1')).toBe(true);
  client.destroy();
});

test('a client that disconnects within or between chunks leaves nothing behind', async () => {
  const before = await count();
  for (const announced of [100, 20]) {
    const client = await open(...TO_BOB);
    client.send(
      `BDAT ${announced}\r\nSubject: half a mail\r\n`.slice(0, `BDAT ${announced}\r\n`.length + 20),
    );
    if (announced === 20) expect(await client.reply()).toMatch(/^250/);
    client.destroy();
  }
  const next = await open(...TO_BOB);
  expect(await chunk(next, 'Subject: after those\r\n\r\nhi\r\n', LAST)).toMatch(/^250/);
  expect(await count()).toBe(before + 1);
  next.destroy();
});
