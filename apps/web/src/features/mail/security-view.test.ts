import type { Email } from '@keyfold/contract';
import { parseHeadersOnly } from '@keyfold/mail/mime/parse';
import { expect, test } from 'vitest';
import type { OpenedMail } from '../../crypto/mail-opener.ts';
import { readVerdicts, toSecurityView } from './security-view.ts';

const proof = { senderKeyB64: 'KEY', ownKeyB64: 'OWN', isFromSelf: false };

const content = (change: Partial<OpenedMail> = {}): OpenedMail => ({
  kind: 'mail',
  parsed: parseHeadersOnly(new TextEncoder().encode('From: Bob <bob@keyfold.test>\r\n')),
  failed: null,
  ...change,
});

const mail = (change: Partial<Email> = {}): Email => ({
  id: '1',
  summary: null,
  binding: null,
  ciphertext: 'x',
  encrypted_key: 'x',
  dh_public: 'KEY',
  salt: 'x',
  key_used: 'k',
  headers: '',
  from: 'bob@keyfold.test',
  message_id: '<a@b>',
  thread_id: '1',
  tags: [],
  sent: false,
  read: false,
  starred: false,
  flagged: false,
  archived: false,
  deleted: false,
  deleted_at: null,
  draft: false,
  alert: false,
  public: false,
  received_at: '2026-01-01T00:00:00Z',
  size: 1,
  attachments: [],
  ...change,
});

test('mail sealed with the key that the directory names for its sender is sealed', () => {
  expect(toSecurityView(mail(), content(), proof).kind).toBe('sealed');
});

test('a From address whose key did not seal the mail proves nothing', () => {
  expect(toSecurityView(mail({ dh_public: 'OTHER' }), content(), proof).kind).toBe('unproven');
  expect(toSecurityView(mail(), content(), { ...proof, senderKeyB64: null }).kind).toBe('unproven');
});

test('mail from outside is stored encrypted, and unproved when DMARC failed', () => {
  const verdict = (dmarc: string) =>
    `Authentication-Results: mx.test; spf=pass; dmarc=${dmarc} header.from=x.test`;
  expect(toSecurityView(mail({ public: true, headers: verdict('pass') }), content(), proof).kind).toBe(
    'stored',
  );
  expect(toSecurityView(mail({ public: true, headers: verdict('fail') }), content(), proof).kind).toBe(
    'unproven',
  );
  expect(toSecurityView(mail({ public: true }), content(), proof).kind).toBe('stored');
});

test('outside mail whose author could not be checked is not passed over in silence', () => {
  for (const dmarc of ['permerror', 'temperror']) {
    const headers = `Authentication-Results: mx.test; spf=pass; dmarc=${dmarc}`;
    expect(toSecurityView(mail({ public: true, headers }), content(), proof).kind).toBe('unproven');
  }
});

test("the reader's own wrap of somebody else's mail does not prove its sender", () => {
  for (const dh_public of [null, 'OWN']) {
    expect(toSecurityView(mail({ dh_public }), content(), proof).kind).toBe('unproven');
    expect(toSecurityView(mail({ dh_public }), content(), { ...proof, isFromSelf: true }).kind).toBe(
      'sealed',
    );
  }
});

test('a mail that does not open says so before anything else', () => {
  expect(
    toSecurityView(mail({ public: true }), content({ failed: 'Failed to decrypt message' }), proof).kind,
  ).toBe('failed');
});

test('what one sent oneself is shown as such, and whether it went out in plain', () => {
  expect(toSecurityView(mail({ sent: true }), content(), proof).kind).toBe('own');
  expect(toSecurityView(mail({ sent: true, public: true }), content(), proof).kind).toBe('own_plain');
});

test('verdicts are read from the stored field only, the first of each method', () => {
  const headers =
    'Authentication-Results: mx.test;\r\n dkim=pass header.d=a.test;\r\n dkim=fail header.d=b.test; spf=softfail';
  expect(readVerdicts(headers)).toEqual({ dkim: 'pass', spf: 'softfail' });
});
