import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { createIdentity } from '@keyfold/crypto/vault';
import { readHeaders } from '@keyfold/mail/mime/headers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addReader,
  type InboundTest,
  readMails,
  recount,
  startInboundTest,
} from '../../../../tests/harness/inbound.ts';
import { findOwnersOf } from '../../accounts/users/index.ts';
import { storeMails } from '../../mailbox/messages/index.ts';
import { formatClearHeaders, fromAddressOf, readClearHeaders } from './clear-headers.ts';
import { kindOfFailure } from './failures.ts';
import { createRecipientResolver } from './recipients.ts';
import { sealInbound } from './seal.ts';
import { createSealPool } from './seal-pool.ts';
import { sealNotice } from './service.ts';

let inbound: InboundTest;
beforeAll(async () => {
  inbound = await startInboundTest();
});
afterAll(() => inbound.close());

test('a system notice is sealed first and stored in the caller’s transaction', async () => {
  const { deps } = inbound;
  const reader = await addReader(deps.db, ['bob@keyfold.test']);
  const recipient = (await findOwnersOf(deps.db, ['bob@keyfold.test'])).get('bob@keyfold.test');
  if (recipient === undefined) throw new Error('Bob is missing');
  const raw = Buffer.from(
    'From: MAILER-DAEMON@mail.keyfold.test\r\nTo: bob@keyfold.test\r\nSubject: Not delivered\r\n\r\nSorry\r\n',
  );
  const notice = await sealNotice(deps, { raw, recipient, receivedAt: deps.clock.now() });
  const failing = deps.db.transaction().execute(async trx => {
    await storeMails(trx, [notice]);
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  expect(await readMails(inbound, reader)).toHaveLength(0);
  await deps.db.transaction().execute(trx => storeMails(trx, [notice]));
  const [mail] = await readMails(inbound, reader);
  expect(mail?.raw.equals(raw)).toBe(true);
  expect(mail?.summary.subject).toBe('Not delivered');
  expect(mail?.headers).toContain('Authentication-Results: mail.keyfold.test; none');
  await recount(deps.db, reader.userId);
});

test('the recipient check subtracts pending import files from the free storage', async () => {
  const { deps } = inbound;
  const decide = createRecipientResolver(deps);
  const address = 'carl@keyfold.test';
  const { userId } = await addReader(deps.db, [address]);
  const kindOf = async (sizeBytes: number) => (await decide(address, sizeBytes)).kind;
  const owner = (await findOwnersOf(deps.db, [address])).get(address);
  const freeBytes = (owner?.storageLimitBytes ?? 0) - (owner?.usedBytes ?? 0);
  expect([await kindOf(freeBytes), await kindOf(freeBytes + 1)]).toEqual(['accepted', 'full']);
  const waiting = { user_id: userId, created_at: new Date() };
  for (const size_bytes of [700, 300])
    await deps.db
      .insertInto('import_containers')
      .values({ ...waiting, blob_id: randomUUIDv7(), size_bytes })
      .execute();
  expect([await kindOf(freeBytes - 1_000), await kindOf(freeBytes - 999)]).toEqual(['accepted', 'full']);
});

async function makeInput(raw: Buffer) {
  const identity = await createIdentity();
  const keys = {
    email: 'bob@keyfold.test',
    mlkemPublic: identity.mlkem_public,
    dhPublic: identity.dh_public,
    fingerprint: identity.key_id,
  };
  return {
    raw,
    recipients: [keys],
    detachMinBytes: 1000,
    hostname: 'mail.keyfold.test',
    receivedAt: '2026-11-21T10:00:00.000Z',
  };
}

test('a message that must not be examined is sealed in one piece', async () => {
  const file = `Content-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUJD'.repeat(1000)}\r\n`;
  const input = await makeInput(Buffer.from(`From: al@sender.test\r\nSubject: zip\r\n${file}`));
  const examined = await sealInbound({ ...input, isExamined: true });
  const whole = await sealInbound({ ...input, isExamined: false });
  expect(examined.containers).toHaveLength(1);
  expect(whole.containers).toHaveLength(0);
  expect(whole.body.length).toBeGreaterThan(4000);
  expect(whole.rawHash).toEqual(createHash('sha256').update(input.raw).digest());
});

test('one thread seals many large messages one after the other, and a closed pool takes none', async () => {
  const pool = createSealPool(1);
  const raw = Buffer.concat([Buffer.from('Subject: large\r\n\r\n'), randomBytes(300_000)]);
  const input = await makeInput(raw);
  const sealed = await Promise.all(Array.from({ length: 6 }, () => pool.seal(input)));
  expect(sealed.map(({ body }) => body.length > raw.length)).toEqual(Array(6).fill(true));
  await pool.close();
  await expect(pool.seal(input)).rejects.toThrow();
});

test('keys that do not match their fingerprint are refused', async () => {
  const input = await makeInput(Buffer.from('Subject: x\r\n\r\nx'));
  const recipients = input.recipients.map(keys => ({ ...keys, mlkemPublic: randomBytes(1568) }));
  await expect(sealInbound({ ...input, recipients, isExamined: true })).rejects.toThrow();
});

const clearOf = (header: string) =>
  readClearHeaders(readHeaders(Buffer.from(`${header}\r\n\r\n`, 'latin1')), 'mail.keyfold.test');

test('the clear headers are bounded and contain no control characters for any message', () => {
  const clear = clearOf(
    [
      `From: "${'n'.repeat(5000)}\0" <al\0@sender.test>`,
      `To: ${Array.from({ length: 3000 }, (_, n) => `u${n}@sender.test`).join(', ')}`,
      `Message-ID: <a\0b@sender.test>`,
      `Date: not a date`,
      `Subject: the secret subject`,
    ].join('\r\n'),
  );
  const block = formatClearHeaders(clear, 'mail.keyfold.test; dkim=none');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point
  expect(block.replaceAll('\r\n', '')).not.toMatch(/[\u0000-\u001f\u007f]/);
  expect(block).not.toContain('secret');
  expect(block.length).toBeLessThan(8000);
  expect(clear.to).toHaveLength(50);
  expect(clear.hasOwnMessageId).toBe(true);
});

test('a message without a Message-ID or an author still yields a complete row', () => {
  const clear = clearOf('Subject: x');
  expect(clear.messageId).toMatch(/^<[^<>@]+@mail\.keyfold\.test>$/);
  expect(clear.hasOwnMessageId).toBe(false);
  expect(fromAddressOf(clear)).toBe('');
  expect(formatClearHeaders(clear, 'x')).not.toContain('From:');
});

test('failures are classified by how the sender should react', () => {
  const withCode = (code: string) => Object.assign(new Error('x'), { code });
  expect(kindOfFailure(withCode('ENOSPC'))).toBe('no_space');
  expect(kindOfFailure(new Error('wrapped', { cause: withCode('53100') }))).toBe('no_space');
  expect(kindOfFailure(withCode('57P01'))).toBe('unavailable');
  expect(kindOfFailure(withCode('42P01'))).toBe('failed');
  expect(kindOfFailure('not an error')).toBe('failed');
});
