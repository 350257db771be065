/**
 * An SMTP session stage by stage on a raw socket: what is offered, accepted and refused at each.
 */

import { once } from 'node:events';
import { connect } from 'node:net';
import { connectSmtp, deliver, type SmtpClient } from '@keyfold/testing/smtp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addReader,
  type InboundTest,
  readMails,
  recount,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

let inbound: InboundTest;
let bob: TestReader;
let ada: TestReader;

beforeAll(async () => {
  inbound = await startInboundTest();
  bob = await addReader(inbound.deps.db, ['bob@keyfold.test', 'robert@other.test']);
  ada = await addReader(inbound.deps.db, ['ada@keyfold.test']);
  await addReader(inbound.deps.db, ['gone@keyfold.test'], { isSuspended: true });
});
afterAll(() => inbound.close());

async function open(): Promise<SmtpClient> {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  await client.command('EHLO sender.test');
  return client;
}
const message = (subject: string, body = 'Hello'): string =>
  `From: Al <al@sender.test>\r\nTo: bob@keyfold.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@sender.test>\r\n\r\n${body}\r\n`;

test('the greeting and EHLO state the server name and its extensions', async () => {
  const client = await connectSmtp(inbound.smtp.port);
  expect(await client.reply()).toMatch(/^220 mail\.keyfold\.test ESMTP/);
  const offers = (await client.command('EHLO sender.test')).split('\n').map(line => line.slice(4));
  expect(offers[0]).toContain('mail.keyfold.test');
  expect(offers).toEqual(
    expect.arrayContaining([
      'PIPELINING',
      '8BITMIME',
      'SMTPUTF8',
      'STARTTLS',
      'ENHANCEDSTATUSCODES',
      'CHUNKING',
    ]),
  );
  expect(offers).toContain(`SIZE ${50 * 1024 * 1024}`);
  expect(offers.join(' ')).not.toMatch(/AUTH|VRFY|EXPN|XCLIENT|BINARYMIME/);
  expect(await client.command('QUIT')).toMatch(/^221/);
  await client.ended;
});

test('every reply after EHLO has one enhanced status code of its class (RFC 2034)', async () => {
  const client = await connectSmtp(inbound.smtp.port);
  expect(await client.reply()).not.toMatch(/^220 [245]\.\d/);
  const ONE = /^([245])\d\d \1\.\d{1,3}\.\d{1,3} (?![245]\.\d)/;
  const say = async (line: string, code: number) => {
    const answer = await client.command(line);
    expect(answer, line).toMatch(ONE);
    expect(Number(answer.slice(0, 3)), line).toBe(code);
    return answer.slice(4).split(' ')[0];
  };
  expect(await client.command('EHLO sender.test')).not.toMatch(/^250[- ][245]\.\d/m);
  await say('NOOP', 250);
  await say('VRFY bob', 252);
  await say('EXPN staff', 500);
  await say('MAIL FROM', 501);
  await say('RCPT TO:<bob@keyfold.test>', 503);
  await say('BDAT 0 LAST', 503);
  expect(await say(`MAIL FROM:<al@sender.test> SIZE=${60 * 1024 * 1024}`, 552)).toBe('5.3.4');
  expect(await say('MAIL FROM:<al@sender.test>', 250)).toBe('2.1.0');
  expect(await say('RCPT TO:<nobody@keyfold.test>', 550)).toBe('5.1.1');
  expect(await say('RCPT TO:<victim@elsewhere.test>', 550)).toBe('5.7.1');
  expect(await say('RCPT TO:<gone@keyfold.test>', 450)).toBe('4.2.1');
  expect(await say('RCPT TO:<bob@keyfold.test>', 250)).toBe('2.1.5');
  expect(await client.command('DATA')).toMatch(/^354 (?!\d\.)/);
  client.send(message('coded'));
  expect(await say('.', 250)).toBe('2.6.0');
  await say('RSET', 250);
  await say('STARTTLS', 220);
  await client.secure();
  expect(await client.command('EHLO sender.test')).toContain('ENHANCEDSTATUSCODES');
  await say('MAIL FROM:<al@sender.test>', 250);
  await say('RCPT TO:<bob@keyfold.test>', 250);
  client.send('BDAT 3\r\nA: ');
  expect(await client.reply()).toMatch(ONE);
  await say('QUIT', 221);
  await client.ended;
});

test('the listener is bound only to the configured address', async () => {
  const one = await startInboundTest({ env: { KEYFOLD_SMTP_HOST: '127.0.0.7' } });
  try {
    const elsewhere = await connectSmtp(one.smtp.port).catch(() => null);
    const socket = connect(one.smtp.port, '127.0.0.7');
    const [greeting] = await once(socket, 'data');
    expect(String(greeting)).toMatch(/^220 /);
    socket.destroy();
    // Another program may use the port there.
    expect(elsewhere?.pending() ?? '').not.toContain('220');
    elsewhere?.destroy();
  } finally {
    await one.close();
  }
});

test('a client that talks before the greeting is rejected', async () => {
  const client = await connectSmtp(inbound.smtp.port);
  client.send('EHLO early.test\r\n');
  expect(await client.reply()).toMatch(/^421/);
  await client.ended;
});

test('VRFY and EXPN reveal nothing, and AUTH is unknown', async () => {
  const client = await open();
  expect(await client.command('VRFY bob')).toBe(await client.command('VRFY nobody'));
  for (const command of ['EXPN staff', 'AUTH PLAIN AGEAYg==', 'XCLIENT ADDR=10.0.0.1', 'WIZ x'])
    expect(await client.command(command)).toMatch(/^5/);
  client.destroy();
});

test('commands out of order are refused', async () => {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  expect(await client.command('MAIL FROM:<a@b.test>')).toMatch(/^503/);
  await client.command('EHLO x.test');
  expect(await client.command('RCPT TO:<bob@keyfold.test>')).toMatch(/^503/);
  expect(await client.command('DATA')).toMatch(/^503/);
  expect(await client.command('MAIL FROM:<a@b.test>')).toMatch(/^250/);
  expect(await client.command('MAIL FROM:<a@b.test>')).toMatch(/^503/);
  expect(await client.command('DATA')).toMatch(/^503/);
  client.destroy();
});

test.each([
  ['victim@elsewhere.test', /^550 5\.7\.1/],
  ['victim%elsewhere.test@keyfold.test', /^550 5\.1\.1/],
  ['elsewhere.test!victim@keyfold.test', /^550 5\.1\.1/],
  ['bob@keyfold.test@elsewhere.test', /^5/],
  ['bob@keyfold.test.elsewhere.test', /^550 5\.7\.1/],
  ['bob@sub.keyfold.test', /^550 5\.7\.1/],
  ['"bob@keyfold.test"@elsewhere.test', /^5/],
  ['bob@[127.0.0.1]', /^550 5\.7\.1/],
  ['nobody@keyfold.test', /^550 5\.1\.1/],
  ['bob', /^5/],
  ['', /^501/],
  ['gone@keyfold.test', /^450 4\.2\.1/],
  ['postmaster@keyfold.test', /^550 5\.1\.1/],
])('a recipient %s is refused', async (address, answer) => {
  const client = await open();
  await client.command('MAIL FROM:<al@sender.test>');
  expect(await client.command(`RCPT TO:<${address}>`)).toMatch(answer);
  client.destroy();
});

test.each([
  'bob@keyfold.test',
  'BOB@KeyFold.TEST',
  'robert@other.test',
  'bob+news@keyfold.test',
  '@relay.test:bob@keyfold.test',
])('a recipient %s is accepted', async address => {
  const client = await open();
  await client.command('MAIL FROM:<>');
  expect(await client.command(`RCPT TO:<${address}>`)).toMatch(/^250/);
  client.destroy();
});

test('a message is sealed to every recipient and opened with their keys, byte for byte', async () => {
  const client = await open();
  const raw = message('several', '.one dot\r\n..two dots\r\n\tNUL \0 and \x80\xff\r\n.');
  const to = ['bob@keyfold.test', 'robert@other.test', 'ada@keyfold.test'];
  const bytes = Buffer.from(raw, 'latin1');
  expect(await deliver(client, { from: 'al@sender.test', to, raw: bytes })).toMatch(/^250 2\.6\.0/);
  client.destroy();
  for (const reader of [bob, ada]) {
    const mails = (await readMails(inbound, reader)).filter(mail => mail.summary.subject === 'several');
    // Two addresses of one owner result in one copy.
    expect(mails).toHaveLength(1);
    expect(mails[0]?.raw.equals(bytes)).toBe(true);
    expect(mails[0]?.fromAddress).toBe('al@sender.test');
    expect(mails[0]?.headers).toMatch(/^Authentication-Results: mail\.keyfold\.test; /);
    expect(mails[0]?.headers).toContain('Content-Type: message/rfc822; hp="cipher"');
    expect(mails[0]?.headers).not.toContain('several\r\n');
    await recount(inbound.deps.db, reader.userId);
  }
});

test('a message that is sent again after a lost reply is stored once', async () => {
  const raw = message('again');
  for (let round = 0; round < 3; round++) {
    const client = await open();
    expect(await deliver(client, { from: 'al@sender.test', to: ['ada@keyfold.test'], raw })).toMatch(/^250/);
    client.destroy();
  }
  const mails = (await readMails(inbound, ada)).filter(mail => mail.summary.subject === 'again');
  expect(mails).toHaveLength(1);
  await recount(inbound.deps.db, ada.userId);
});

test('equal messages without a Message-ID are two messages', async () => {
  const client = await open();
  const raw = 'From: al@sender.test\r\nSubject: no id\r\n\r\nHello\r\n';
  for (let round = 0; round < 2; round++)
    expect(await deliver(client, { from: 'al@sender.test', to: ['ada@keyfold.test'], raw })).toMatch(/^250/);
  client.destroy();
  const mails = (await readMails(inbound, ada)).filter(mail => mail.summary.subject === 'no id');
  expect(mails).toHaveLength(2);
});

test('international addresses and headers are preserved, also for an international domain', async () => {
  const raw = Buffer.from(
    'From: Jürgen <jürgen@bücher.test>\r\nTo: bob@keyfold.test\r\nSubject: Grüße\r\nMessage-ID: <utf8@bücher.test>\r\n\r\nHallo, schöne Welt\r\n',
  );
  const idn = await addReader(inbound.deps.db, ['ida@xn--bcher-kva.test']);
  const client = await open();
  expect(await client.command('MAIL FROM:<jürgen@bücher.test> SMTPUTF8 BODY=8BITMIME')).toMatch(/^250/);
  expect(await client.command('RCPT TO:<ida@BÜCHER.test>')).toMatch(/^250/);
  expect(await client.command('RCPT TO:<bøb@keyfold.test>')).toMatch(/^550 5\.1\.1/);
  await client.command('DATA');
  client.send(Buffer.concat([raw, Buffer.from('.\r\n')]));
  expect(await client.reply()).toMatch(/^250 2\.6\.0/);
  expect(await client.command('MAIL FROM:<a@b.test> BODY=BINARYMIME')).toMatch(/^501/);
  client.destroy();
  const [mail] = await readMails(inbound, idn);
  expect(mail?.raw.equals(raw)).toBe(true);
  expect(mail?.fromAddress).toBe('jürgen@xn--bcher-kva.test');
});

test('a client may connect over IPv6 and use an address literal in EHLO', async () => {
  const client = await connectSmtp(inbound.smtp.port, '::1');
  await client.reply();
  expect(await client.command('EHLO [IPv6:2001:db8::1]')).toMatch(/^250/);
  const mail = { from: 'al@sender.test', to: ['bob@keyfold.test'], raw: message('by-six') };
  expect(await deliver(client, mail)).toMatch(/^250/);
  client.destroy();
});

test('no incoming message causes outgoing mail, accepted or refused', async () => {
  const asking = `Disposition-Notification-To: al@sender.test\r\nReturn-Receipt-To: al@sender.test\r\n${message('receipt')}`;
  const client = await open();
  for (const from of ['al@sender.test', ''])
    for (const to of ['bob@keyfold.test', 'nobody@keyfold.test', 'gone@keyfold.test', 'x@elsewhere.test'])
      await deliver(client, { from, to: [to], raw: asking });
  // Delivery status notifications (RFC 3461) are not offered, so no client may request one.
  expect(await client.command('EHLO sender.test')).not.toContain('DSN');
  client.destroy();
  const { db } = inbound.deps;
  expect(await db.selectFrom('outbound_messages').select('id').execute()).toEqual([]);
  expect(await db.selectFrom('outbound_recipients').select('id').execute()).toEqual([]);
});

test('pipelined commands are answered in order', async () => {
  const client = await open();
  client.send(
    'MAIL FROM:<al@sender.test>\r\nRCPT TO:<nobody@keyfold.test>\r\nRCPT TO:<bob@keyfold.test>\r\nDATA\r\n',
  );
  const codes: string[] = [];
  for (let step = 0; step < 4; step++) codes.push((await client.reply()).slice(0, 3));
  expect(codes).toEqual(['250', '550', '250', '354']);
  client.send(`${message('pipelined')}.\r\nRSET\r\nNOOP\r\nQUIT\r\n`);
  for (let step = 0; step < 4; step++) codes.push((await client.reply()).slice(0, 3));
  expect(codes.slice(4)).toEqual(['250', '250', '250', '221']);
});

test('recipients beyond one hundred must use a second transaction', async () => {
  const client = await open();
  await client.command('MAIL FROM:<al@sender.test>');
  for (let index = 0; index < 100; index++)
    expect(await client.command(`RCPT TO:<bob+${index}@keyfold.test>`)).toMatch(/^250/);
  expect(await client.command('RCPT TO:<bob+100@keyfold.test>')).toMatch(/^452/);
  client.destroy();
});

test('a client that guesses recipients is disconnected', async () => {
  const client = await open();
  await client.command('MAIL FROM:<al@sender.test>');
  let last = '';
  for (let index = 0; index < 60 && !last.startsWith('421'); index++)
    last = await client.command(`RCPT TO:<guess${index}@keyfold.test>`);
  expect(last).toMatch(/^421/);
  await client.ended;
});

test('postmaster and abuse mail of every domain goes to the first super admin unless the address exists', async () => {
  const admin = await addReader(inbound.deps.db, ['root@keyfold.test'], { isSuper: true });
  const client = await open();
  const to = ['postmaster@other.test', 'Postmaster', 'abuse@keyfold.test'];
  const raw = message('to the postmaster');
  expect(await deliver(client, { from: 'al@sender.test', to, raw })).toMatch(/^250/);
  client.destroy();
  expect(await readMails(inbound, admin)).toHaveLength(1);
});

test('the oldest reference and the direct parent are kept in the clear headers', async () => {
  const client = await open();
  const ids = Array.from({ length: 300 }, (_, index) => `<r${index}@sender.test>`);
  const raw = `From: al@sender.test\r\nMessage-ID: <thread@sender.test>\r\nReferences: ${ids.join('\r\n ')}\r\nIn-Reply-To: <last@sender.test>\r\nSubject: thread\r\n\r\nx\r\n`;
  await deliver(client, { from: 'al@sender.test', to: ['bob@keyfold.test'], raw });
  client.destroy();
  const mail = (await readMails(inbound, bob)).find(({ messageId }) => messageId === '<thread@sender.test>');
  expect(mail?.headers).toContain('<r0@sender.test>');
  expect(mail?.headers).toContain('<last@sender.test>');
  expect(mail?.headers.length).toBeLessThan(4000);
});
