import type { Email } from '@keyfold/contract';
import { parseHeadersOnly } from '@keyfold/mail/mime/parse';
import { expect, test } from 'vitest';
import type { OpenedMail } from '../../../../crypto/mail/mail-opener.ts';
import { readVerdicts } from '../../../../session/trust/verdicts.ts';
import { type SenderProof, toSecurityView } from './security-view.ts';
import { securityWords } from './security-words.ts';

const proof = {
  senderKeyB64: 'KEY',
  ownKeys: { keyId: 'k', dhPublicB64: 'OWN' },
  isFromSelf: false,
};

const content = (change: Partial<OpenedMail> = {}): OpenedMail => ({
  kind: 'mail',
  parsed: parseHeadersOnly(new TextEncoder().encode('From: Bob <bob@keyfold.test>\r\n')),
  failed: null,
  path: 'hybrid',
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
  snoozed: false,
  snoozed_until: null,
  scheduled: false,
  send_at: null,
  draft: false,
  alert: false,
  public: false,
  received_at: '2026-01-01T00:00:00Z',
  size: 1,
  attachments: [],
  ...change,
});

test('mail sealed with the sender’s key from the directory is shown as sealed', () => {
  expect(toSecurityView(mail(), content(), proof).kind).toBe('sealed');
});

test('a From address whose key did not seal the message proves nothing', () => {
  expect(toSecurityView(mail({ dh_public: 'OTHER' }), content(), proof).kind).toBe('unproven');
  expect(toSecurityView(mail(), content(), { ...proof, senderKeyB64: null }).kind).toBe('unproven');
});

test('external mail is stored encrypted, and unproven when DMARC failed', () => {
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

test('external mail whose author could not be checked is unproven', () => {
  for (const dmarc of ['permerror', 'temperror']) {
    const headers = `Authentication-Results: mx.test; spf=pass; dmarc=${dmarc}`;
    expect(toSecurityView(mail({ public: true, headers }), content(), proof).kind).toBe('unproven');
  }
});

test('the reader’s own wrap of another user’s message does not prove its sender, whatever key is named', () => {
  const self = content({ path: 'self' });
  const pinned = { dhPublicB64: 'KEY', isVerified: true };
  for (const dh_public of [null, 'OWN', 'KEY'])
    for (const isFromSelf of [true, false]) {
      const shown = toSecurityView(mail({ dh_public }), self, { ...proof, pinned, isFromSelf });
      expect([shown.kind, shown.isSenderProven]).toEqual(['unproven', false]);
    }
});

test('a message to oneself counts as the user’s own when the user’s own key sealed it', () => {
  const own = mail({ dh_public: 'OWN' });
  expect(toSecurityView(own, content(), proof).kind).toBe('unproven');
  const mine = toSecurityView(own, content(), { ...proof, isFromSelf: true, warnings: ['!'] });
  expect([mine.kind, mine.isSenderProven, mine.warnings]).toEqual(['from_self', true, []]);
});

test('a message sealed with a former or a claimed key does not count as the user’s own', () => {
  const shownOf = (change: Partial<Email>, ownKeys: SenderProof['ownKeys'] = proof.ownKeys) => {
    const known = { ...proof, senderKeyB64: 'OLD', ownKeys, isFromSelf: true };
    const { kind, isSenderProven } = toSecurityView(mail(change), content(), known);
    return [kind, isSenderProven];
  };
  // Stolen old keys can create a wrap from and to those keys, so the user's own messages to
  // themselves cannot be told apart from forgeries.
  for (const [dh_public, key_used] of [
    ['OLD', 'former'],
    ['OLD', 'k'],
    ['OWN', 'former'],
    ['KEY', 'k'],
  ] as const)
    expect(shownOf({ dh_public, key_used }), `${dh_public} to ${key_used}`).toEqual(['unproven', false]);
  expect(shownOf({ dh_public: 'OWN' }, null)).toEqual(['unproven', false]);
});

test('a message that fails to open says so before anything else', () => {
  expect(
    toSecurityView(mail({ public: true }), content({ failed: 'Failed to decrypt message' }), proof).kind,
  ).toBe('failed');
});

test('a sent message is shown as the user’s own, and as plain if it was sent plain', () => {
  const self = content({ path: 'self' });
  const mine = { ...proof, isFromSelf: true, warnings: ['!'] };
  const own = toSecurityView(mail({ sent: true }), self, mine);
  expect([own.kind, own.isSenderProven, own.warnings]).toEqual(['own', true, []]);
  expect(toSecurityView(mail({ sent: true, public: true }), self, mine).kind).toBe('own_plain');
});

test('a scheduled message shows when it will be sent, and never that it was received', () => {
  const self = content({ path: 'self' });
  const mine = { ...proof, isFromSelf: true };
  const words = (change: Partial<Email>) =>
    securityWords(toSecurityView(mail({ sent: true, ...change }), self, mine)).text;
  const waits = { scheduled: true, send_at: '2026-11-24T08:00:00' };
  expect(words(waits)).toMatch(/^Scheduled for .*Nov.*8:00.*for all recipients\.$/);
  expect(words({ ...waits, public: true })).toMatch(/^Scheduled for .*Nov.*8:00.*will receive it without/);
  for (const text of [words(waits), words({ ...waits, public: true })])
    expect(text).not.toMatch(/\breceived\b|was sent/);
  expect(words({})).toMatch(/for all recipients\.$/);
  expect(words({ public: true })).toMatch(/ received it without/);
  // The flag is meaningful only for the user's own messages.
  expect(toSecurityView(mail({ ...waits, sent: true }), content(), proof).sendAt).toBeNull();
});

test('a message that only the server calls sent is not the user’s own', () => {
  const forged = toSecurityView(mail({ sent: true }), content({ path: 'self' }), {
    ...proof,
    warnings: ['!'],
  });
  expect([forged.kind, forged.isSenderProven, forged.warnings]).toEqual(['unproven', false, ['!']]);
  expect(toSecurityView(mail({ sent: true }), content(), { ...proof, isFromSelf: true }).kind).toBe(
    'unproven',
  );
  const draft = toSecurityView(mail({ draft: true }), content({ path: 'self' }), {
    ...proof,
    isFromSelf: true,
  });
  expect([draft.kind, draft.isSenderProven]).toEqual(['own', false]);
});

test('an imported message is never the user’s own, whatever its flags and From say', () => {
  const self = content({ path: 'self' });
  const mine = { ...proof, isFromSelf: true, isContact: true, warnings: ['!'] };
  const headers = 'Authentication-Results: keyfold.test; none\r\n';
  for (const flags of [{ sent: true }, { draft: true }, { sent: true, draft: true }]) {
    const shown = toSecurityView(mail({ ...flags, public: true, headers }), self, mine);
    expect([shown.kind, shown.isSenderProven, shown.inContacts, shown.warnings]).toEqual([
      'stored',
      false,
      false,
      ['!'],
    ]);
  }
});

test('verdicts are read from the stored field, with the first of each method', () => {
  const headers =
    'Authentication-Results: mx.test;\r\n dkim=pass header.d=a.test;\r\n dkim=fail header.d=b.test; spf=softfail';
  expect(readVerdicts(headers)).toEqual({ dkim: 'pass', spf: 'softfail' });
});

test('a pinned sender is proven when the pinned key and the key log agree', () => {
  const pinned = { dhPublicB64: 'KEY', isVerified: true };
  expect(toSecurityView(mail(), content(), { ...proof, pinned }).kind).toBe('verified');
  expect(toSecurityView(mail(), content(), { ...proof, pinned: { ...pinned, isVerified: false } }).kind).toBe(
    'sealed',
  );
  expect(
    toSecurityView(mail({ dh_public: 'NEW' }), content(), { ...proof, senderKeyB64: 'NEW', pinned }).kind,
  ).toBe('key_changed');
  const marked = toSecurityView(mail(), content(), { ...proof, pinned, isMismatched: true, isContact: true });
  expect(marked).toMatchObject({ kind: 'mismatch', isSenderProven: false, inContacts: false });
  expect(toSecurityView(mail({ dh_public: 'ELSE' }), content(), { ...proof, pinned }).kind).toBe('unproven');
  for (const senderKeyB64 of [null, 'NEW'])
    expect(toSecurityView(mail(), content(), { ...proof, senderKeyB64, pinned }).kind).toBe('unproven');
  expect(toSecurityView(mail({ public: true, dh_public: null }), content(), { ...proof, pinned }).kind).toBe(
    'stored',
  );
});

test('DMARC gives the weaker badge with its domain, and a forged field in the message gives none', () => {
  const headers = 'Authentication-Results: mx.test; dmarc=pass header.from=keyfold.test';
  const passed = toSecurityView(mail({ public: true, headers }), content(), proof);
  expect([passed.kind, passed.confirmedDomain, passed.isSenderProven]).toEqual([
    'stored',
    'keyfold.test',
    true,
  ]);
  const forged = content({
    parsed: parseHeadersOnly(
      new TextEncoder().encode(
        'Authentication-Results: mx.keyfold.test; dkim=pass; dmarc=pass\r\nFrom: Bob <bob@keyfold.test>\r\n',
      ),
    ),
  });
  const shown = toSecurityView(mail({ public: true, headers: 'From: bob@keyfold.test\r\n' }), forged, proof);
  expect([shown.kind, shown.confirmedDomain, shown.isSenderProven]).toEqual(['stored', null, false]);
  expect(shown.details.find(({ label }) => label === 'DMARC')?.value).toBe('none');
});

test('a message sealed with a contact’s former key is still theirs, but not verified', () => {
  const pinned = { dhPublicB64: 'NEW', isVerified: true, formerB64: ['KEY'] };
  expect(toSecurityView(mail(), content(), { ...proof, senderKeyB64: 'NEW', pinned }).kind).toBe('sealed');
  expect(
    toSecurityView(mail({ dh_public: 'OLDER' }), content(), { ...proof, senderKeyB64: 'NEW', pinned }).kind,
  ).toBe('unproven');
});
