/**
 * Message sizes, storage limits, and failures of parts of the service: the sender gets an accurate
 * reply and nothing is half done.
 */
import { randomBytes } from 'node:crypto';
import { connectSmtp, deliver, type SmtpClient } from '@keyfold/testing/smtp';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryBlobs } from '../src/adapters/blob-memory.ts';
import { PLAN_LIMITS } from '../src/base/limits.ts';
import {
  addReader,
  type InboundTest,
  readMails,
  recount,
  startInboundTest,
  type TestReader,
} from './harness/inbound.ts';

const MIB = 1024 * 1024;

const blobs = createMemoryBlobs();
let blobFailure: Error | null = null;
let inbound: InboundTest;
let bob: TestReader;

beforeAll(async () => {
  inbound = await startInboundTest({
    deps: {
      blobs: {
        ...blobs,
        put: async (id, content) => {
          if (blobFailure !== null) throw blobFailure;
          return blobs.put(id, content);
        },
      },
    },
  });
  bob = await addReader(inbound.deps.db, ['bob@keyfold.test']);
});
afterAll(() => inbound.close());

async function open(): Promise<SmtpClient> {
  const client = await connectSmtp(inbound.smtp.port);
  await client.reply();
  await client.command('EHLO sender.test');
  return client;
}

const base64Lines = (bytes: Buffer): string => bytes.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n');

const withFile = (subject: string, sizeBytes: number): Buffer =>
  Buffer.from(
    `From: al@sender.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@sender.test>\r\nMIME-Version: 1.0\r\n` +
      'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee the file\r\n--b\r\n' +
      'Content-Type: application/octet-stream; name="a secret name.bin"\r\nContent-Disposition: attachment\r\n' +
      `Content-Transfer-Encoding: base64\r\n\r\n${base64Lines(randomBytes(sizeBytes))}\r\n--b--\r\n`,
  );

async function send(raw: string | Buffer, to = bob.address): Promise<string> {
  const client = await open();
  try {
    return await deliver(client, { from: 'al@sender.test', to: [to], raw });
  } finally {
    client.destroy();
  }
}

const mailsNamed = async (subject: string, reader = bob) =>
  (await readMails({ deps: inbound.deps, blobs }, reader)).filter(mail => mail.summary.subject === subject);

test('a size announced above the limit is refused at MAIL', async () => {
  const client = await open();
  expect(await client.command(`MAIL FROM:<al@sender.test> SIZE=${50 * MIB + 1}`)).toMatch(/^552/);
  expect(await client.command(`MAIL FROM:<al@sender.test> SIZE=${50 * MIB}`)).toMatch(/^250/);
  client.destroy();
});

test('a message that grows beyond the limit is refused at its end, and the session continues', async () => {
  const client = await open();
  await client.command('MAIL FROM:<al@sender.test>');
  await client.command('RCPT TO:<bob@keyfold.test>');
  await client.command('DATA');
  const line = Buffer.from(`${'x'.repeat(998)}\r\n`);
  const block = Buffer.concat(Array.from({ length: 1000 }, () => line));
  client.send('Subject: too large\r\n\r\n');
  for (let block_ = 0; block_ < 54; block_++) client.send(block);
  client.send('.\r\n');
  expect(await client.reply()).toMatch(/^552 5\.3\.4/);
  expect(await client.command('NOOP')).toMatch(/^250/);
  client.destroy();
  expect(await mailsNamed('too large')).toHaveLength(0);
});

test('an oversized header is refused, thousands of fields within the limit are accepted', async () => {
  const fields = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: ${'y'.repeat(80)}`);
  const raw = (count: number, subject: string) =>
    `Subject: ${subject}\r\n${fields(count).join('\r\n')}\r\n\r\nbody\r\n`;
  expect(await send(raw(20_000, 'header-flood'))).toMatch(/^552 5\.3\.4/);
  expect(await send(`Subject: ${'s'.repeat(2 * MIB)}\r\n\r\nbody\r\n`)).toMatch(/^552 5\.3\.4/);
  expect(await send(raw(8_000, 'many-fields'))).toMatch(/^250/);
  expect(await mailsNamed('many-fields')).toHaveLength(1);
});

test('lines of any length and binary bytes arrive unchanged', async () => {
  const raw = Buffer.concat([
    Buffer.from('Subject: long-lines\r\n\r\n'),
    Buffer.from('z'.repeat(3 * MIB)),
    Buffer.from([0, 1, 0xff, 0x80]),
    Buffer.from('\r\n'),
  ]);
  expect(await send(raw)).toMatch(/^250/);
  const [mail] = await mailsNamed('long-lines');
  expect(mail?.raw.equals(raw)).toBe(true);
});

test('a large file is moved to a sealed container and restored byte for byte', async () => {
  for (const sizeBytes of [40_000, 3 * MIB]) {
    const raw = withFile(`file-${sizeBytes}`, sizeBytes);
    expect(await send(raw)).toMatch(/^250/);
    const [mail] = await mailsNamed(`file-${sizeBytes}`);
    expect(mail?.attachments).toBe(1);
    expect(mail?.payload.length).toBeLessThan(2000);
    expect(mail?.raw.equals(raw)).toBe(true);
    expect(mail?.summary).toMatchObject({ attachments: 1, snippet: 'See the file' });
  }
  await recount(inbound.deps.db, bob.userId);
});

test('no part of a message is stored readable', async () => {
  const canary = `canary${randomBytes(8).toString('hex')}`;
  const raw = withFile(canary, 50_000)
    .toString('latin1')
    .replace('a secret name', canary)
    .replace('See the', canary);
  expect(await send(Buffer.from(raw, 'latin1'))).toMatch(/^250/);
  const [mail] = await mailsNamed(canary);
  expect(mail?.raw.toString('latin1')).toBe(raw);
  // The Message-ID is set by the sender and must stay readable. It contains the canary here and is
  // excluded.
  const rows = await sql<{ text: string }>`
    select (m.*::text || b.*::text) as text from mails m join mail_bodies b on b.mail_id = m.id
    where m.user_id = ${bob.userId}`.execute(inbound.deps.db);
  const stored = rows.rows.map(({ text }) => text.replaceAll(`<${canary}@sender.test>`, '')).join('\n');
  expect(stored).not.toContain(canary);
  expect(stored).not.toContain(Buffer.from(canary).toString('hex'));
  for (const id of blobs.ids()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await blobs.get(id)) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).includes(canary)).toBe(false);
  }
});

test('a full mailbox refuses at RCPT, by the announced size, and at the end of an unannounced message', async () => {
  const full = await addReader(inbound.deps.db, ['full@keyfold.test']);
  const limitBytes = PLAN_LIMITS.free.storageBytes;
  const setUsed = (usedBytes: number) =>
    inbound.deps.db
      .updateTable('mailboxes')
      .set({ used_bytes: usedBytes })
      .where('user_id', '=', full.userId)
      .execute();
  await setUsed(limitBytes - 10_000);
  const client = await open();
  await client.command('MAIL FROM:<al@sender.test> SIZE=20000');
  expect(await client.command('RCPT TO:<full@keyfold.test>')).toMatch(/^552 5\.2\.2/);
  await client.command('RSET');
  const big = `Subject: unannounced\r\n\r\n${'x'.repeat(20_000)}\r\n`;
  expect(await deliver(client, { from: 'al@sender.test', to: [full.address], raw: big })).toMatch(
    /^552 5\.2\.2/,
  );
  // The other recipient has free space: both get their copy, because one reply must serve for both.
  const to = [full.address, bob.address];
  expect(await deliver(client, { from: 'al@sender.test', to, raw: big })).toMatch(/^250/);
  await setUsed(limitBytes);
  await client.command('MAIL FROM:<al@sender.test>');
  expect(await client.command('RCPT TO:<full@keyfold.test>')).toMatch(/^552 5\.2\.2/);
  client.destroy();
});

test('a message is deferred and leaves nothing behind when containers cannot be stored', async () => {
  const raw = withFile('retried', 60_000);
  blobFailure = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  expect(await send(raw)).toMatch(/^452 4\.3\.1/);
  blobFailure = new Error('broken');
  expect(await send(raw)).toMatch(/^451 4\.3\.0/);
  blobFailure = null;
  expect(await mailsNamed('retried')).toHaveLength(0);
  expect(await send(raw)).toMatch(/^250/);
  expect(await mailsNamed('retried')).toHaveLength(1);
  await recount(inbound.deps.db, bob.userId);
});

test('a message is deferred and leaves nothing behind when the database refuses it', async () => {
  await sql`alter table mail_bodies rename to mail_bodies_away`.execute(inbound.deps.db);
  try {
    expect(await send('Subject: later\r\nMessage-ID: <later@x>\r\n\r\nx\r\n')).toMatch(/^451 4\.3\.0/);
  } finally {
    await sql`alter table mail_bodies_away rename to mail_bodies`.execute(inbound.deps.db);
  }
  expect(await mailsNamed('later')).toHaveLength(0);
  expect(await send('Subject: later\r\nMessage-ID: <later@x>\r\n\r\nx\r\n')).toMatch(/^250/);
  expect(await mailsNamed('later')).toHaveLength(1);
});

test('many concurrent deliveries leave every counter correct', async () => {
  const eve = await addReader(inbound.deps.db, ['eve@keyfold.test']);
  const replies = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const client = await open();
      const to = n % 2 ? [bob.address, eve.address] : [eve.address, bob.address];
      const raw = `Subject: at-once\r\nMessage-ID: <once${n}@sender.test>\r\n\r\n${n}\r\n`;
      const reply = await deliver(client, { from: 'al@sender.test', to, raw });
      client.destroy();
      return reply.slice(0, 3);
    }),
  );
  expect(new Set(replies)).toEqual(new Set(['250']));
  for (const reader of [bob, eve]) {
    expect(await mailsNamed('at-once', reader)).toHaveLength(40);
    await recount(inbound.deps.db, reader.userId);
  }
});

test('fifty concurrent deliveries do not exceed the quota of a mailbox', async () => {
  const tight = await addReader(inbound.deps.db, ['tight@keyfold.test']);
  const limitBytes = PLAN_LIMITS.free.storageBytes;
  const before = limitBytes - 300_000;
  const mailbox = inbound.deps.db.updateTable('mailboxes').where('user_id', '=', tight.userId);
  await mailbox.set({ used_bytes: before }).execute();
  const body = 'x'.repeat(20_000);
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      send(`Subject: race\r\nMessage-ID: <race${n}@sender.test>\r\n\r\n${body}\r\n`, tight.address),
    ),
  );
  const taken = replies.filter(reply => reply.startsWith('250')).length;
  expect(taken).toBeGreaterThan(5);
  expect(replies.filter(reply => reply.startsWith('552 5.2.2')).length).toBe(50 - taken);
  const rows = await sql<{ used: number; stored: number; mails: number }>`
    select b.used_bytes::float8 as used, coalesce(sum(m.size_bytes), 0)::float8 as stored, count(m.id)::int as mails
    from mailboxes b left join mails m on m.user_id = b.user_id
    where b.user_id = ${tight.userId} group by b.used_bytes`.execute(inbound.deps.db);
  expect(rows.rows[0]?.mails).toBe(taken);
  expect(rows.rows[0]?.used).toBe(before + (rows.rows[0]?.stored ?? 0));
  expect(rows.rows[0]?.used).toBeLessThanOrEqual(limitBytes);
  await mailbox.set({ used_bytes: rows.rows[0]?.stored ?? 0 }).execute();
  await recount(inbound.deps.db, tight.userId);
});

test('a client that disconnects within a message leaves nothing behind', async () => {
  const client = await open();
  await client.command('MAIL FROM:<al@sender.test>');
  await client.command('RCPT TO:<bob@keyfold.test>');
  await client.command('DATA');
  client.send('Subject: half\r\n\r\nhalf of a mess');
  await new Promise(resolve => setTimeout(resolve, 50));
  client.destroy();
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(await mailsNamed('half')).toHaveLength(0);
});

test('closing lets a running message finish and accepts no other', async () => {
  const other = await startInboundTest();
  const reader = await addReader(other.deps.db, ['bob@keyfold.test']);
  const busy = await connectSmtp(other.smtp.port);
  const idle = await connectSmtp(other.smtp.port);
  for (const client of [busy, idle]) {
    await client.reply();
    await client.command('EHLO sender.test');
  }
  await busy.command('MAIL FROM:<al@sender.test>');
  await busy.command('RCPT TO:<bob@keyfold.test>');
  await busy.command('DATA');
  busy.send('Subject: last\r\n\r\nhalf');
  const closed = other.smtp.close();
  expect(await idle.reply()).toMatch(/^421/);
  await expect(connectSmtp(other.smtp.port)).rejects.toThrow();
  busy.send(' and half\r\n.\r\n');
  expect(await busy.reply()).toMatch(/^250/);
  await closed;
  expect(await readMails(other, reader)).toHaveLength(1);
  await other.close();
});
