// A message key is wrapped for the body that it opened, whatever body the server names.

import type { Email } from '@keyfold/contract';
import { createMessageKey, encodeBase64, sealMessage } from '@keyfold/crypto/message';
import { beforeAll, expect, test } from 'vitest';
import { createAccount } from '../keys/account-keys.ts';
import { getVault } from '../keys/vault-keeper.ts';
import { openMail } from './mail-opener.ts';
import { openRows, wrapOpened } from './row-opener.ts';

beforeAll(async () => {
  await createAccount('alice@keyfold.test', 'Correct-Horse-9', () => undefined);
});

const summary = {
  subject: 'Plans',
  from: { name: '', address: 'alice@keyfold.test' },
  to: [],
  cc: [],
  date: '2026-01-01T00:00:00.000Z',
  snippet: '',
  attachments: 0,
  invite: false,
};

async function sealedRow(id: string) {
  const { identity, email } = getVault();
  const sealed = await sealMessage({
    payload: new TextEncoder().encode('From: alice@keyfold.test\r\n\r\nHello'),
    messageKey: createMessageKey(),
    recipients: [],
    self: { email, sent_key: identity.sent_key, key_id: identity.key_id },
    summary,
  });
  return {
    id,
    from: 'alice@keyfold.test',
    received_at: summary.date,
    headers: 'From: alice@keyfold.test\r\n',
    draft: false,
    alert: false,
    sent: true,
    scheduled: false,
    body: sealed.message_encrypted,
    summary: sealed.summary,
    binding: sealed.binding,
    encrypted_key: sealed.self?.second_stage_key_encrypted,
    salt: sealed.self?.salt,
    ciphertext: null,
    dh_public: null,
  } as Email & { readonly binding: string };
}

const chosen = encodeBase64(new Uint8Array(32).fill(7));

test('a row that opened is wrapped only for its own body', async () => {
  const row = await sealedRow('one');
  expect((await openRows([row]))[0]?.failed).toBeNull();
  expect(await wrapOpened([{ id: 'one', binding: chosen }])).toEqual([]);
  expect((await wrapOpened([row])).map(wrap => wrap.email_id)).toEqual(['one']);
  await openMail(row);
  expect(await wrapOpened([{ id: 'one', binding: chosen }])).toEqual([]);
  expect(await wrapOpened([row])).toHaveLength(1);
});

test('rows with the same id are not opened, but the other rows are', async () => {
  const [row, other] = await Promise.all([sealedRow('two'), sealedRow('three')]);
  const opened = await openRows([row, { ...row, binding: chosen }, other]);
  expect(opened.map(({ failed }) => failed === null)).toEqual([false, false, true]);
  expect(await wrapOpened([row, { id: 'two', binding: chosen }])).toEqual([]);
});

test('a notice row shows the notice text, which other rows ignore', async () => {
  const notice =
    'From: no-reply@keyfold.test\r\nSubject: A notice\r\nX-Keyfold-Notice-Text: What happened.\r\n';
  const row = { ...(await sealedRow('two')), headers: notice, summary: null };
  const [shown, other] = await openRows([{ ...row, alert: true } as Email, { ...row, id: 'three' } as Email]);
  expect(shown).toMatchObject({ kind: 'alert', summary: { subject: 'A notice', snippet: 'What happened.' } });
  expect(other?.summary).toMatchObject({ subject: 'A notice', snippet: '' });
});

test('two rows with the same sealed message are both reported as copies before their bodies load', async () => {
  const row = { ...(await sealedRow('first copy')), sent: false, body: null };
  const copiesOf = async (...rows: Email[]) =>
    (await openRows(rows)).map(({ id, failed, isCopy }) => [id, failed, isCopy]);
  expect(await copiesOf(row)).toEqual([['first copy', null, undefined]]);
  const other = { ...(await sealedRow('another')), sent: false, body: null };
  const own = { ...row, id: 'own', sent: true };
  expect(await copiesOf(row, own, other)).toEqual([
    ['first copy', null, undefined],
    ['own', null, undefined],
    ['another', null, undefined],
  ]);
  expect(await copiesOf(row, other, own, { ...row, id: 'second copy' })).toEqual([
    ['first copy', null, true],
    ['another', null, undefined],
    ['own', null, undefined],
    ['second copy', null, true],
  ]);
});
