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

test("the reader's own wrap of somebody else's mail does not prove its sender, whatever key is named beside it", () => {
  const self = content({ path: 'self' });
  const pinned = { dhPublicB64: 'KEY', isVerified: true };
  for (const dh_public of [null, 'OWN', 'KEY'])
    for (const isFromSelf of [true, false]) {
      const shown = toSecurityView(mail({ dh_public }), self, { ...proof, pinned, isFromSelf });
      expect([shown.kind, shown.isSenderProven]).toEqual(['unproven', false]);
    }
});

test('a letter to oneself is from oneself when it was sealed with one’s own key', () => {
  const own = mail({ dh_public: 'OWN' });
  expect(toSecurityView(own, content(), proof).kind).toBe('unproven');
  const mine = toSecurityView(own, content(), { ...proof, isFromSelf: true, warnings: ['!'] });
  expect([mine.kind, mine.isSenderProven, mine.warnings]).toEqual(['from_self', true, []]);
});

test('who has keys that one gave up, or names keys of their own, is not oneself', () => {
  const shownOf = (change: Partial<Email>, ownKeys: SenderProof['ownKeys'] = proof.ownKeys) => {
    const known = { ...proof, senderKeyB64: 'OLD', ownKeys, isFromSelf: true };
    const { kind, isSenderProven } = toSecurityView(mail(change), content(), known);
    return [kind, isSenderProven];
  };
  // With stolen old keys a wrap can be made from them and for them: what one sent oneself then cannot be told from it.
  for (const [dh_public, key_used] of [
    ['OLD', 'former'],
    ['OLD', 'k'],
    ['OWN', 'former'],
    ['KEY', 'k'],
  ] as const)
    expect(shownOf({ dh_public, key_used }), `${dh_public} to ${key_used}`).toEqual(['unproven', false]);
  expect(shownOf({ dh_public: 'OWN' }, null)).toEqual(['unproven', false]);
});

test('a mail that does not open says so before anything else', () => {
  expect(
    toSecurityView(mail({ public: true }), content({ failed: 'Failed to decrypt message' }), proof).kind,
  ).toBe('failed');
});

test('what one sent oneself is shown as such, and whether it went out in plain', () => {
  const self = content({ path: 'self' });
  const mine = { ...proof, isFromSelf: true, warnings: ['!'] };
  const own = toSecurityView(mail({ sent: true }), self, mine);
  expect([own.kind, own.isSenderProven, own.warnings]).toEqual(['own', true, []]);
  expect(toSecurityView(mail({ sent: true, public: true }), self, mine).kind).toBe('own_plain');
});

test('of a letter that waits nobody is said to have got it: it says when it will be sent', () => {
  const self = content({ path: 'self' });
  const mine = { ...proof, isFromSelf: true };
  const words = (change: Partial<Email>) =>
    securityWords(toSecurityView(mail({ sent: true, ...change }), self, mine)).text;
  const waits = { scheduled: true, send_at: '2026-11-24T08:00:00' };
  expect(words(waits)).toMatch(/^To be sent .*Nov.*8:00.*everybody it goes to\.$/);
  expect(words({ ...waits, public: true })).toMatch(/^To be sent .*Nov.*8:00.*will get it without/);
  for (const text of [words(waits), words({ ...waits, public: true })])
    expect(text).not.toMatch(/\bgot\b|was sent/);
  expect(words({})).toMatch(/it was sent to\.$/);
  expect(words({ public: true })).toMatch(/ got it without/);
  // Only of one's own mail the flag says something.
  expect(toSecurityView(mail({ ...waits, sent: true }), content(), proof).sendAt).toBeNull();
});

test('a mail that only the server calls sent is not one’s own', () => {
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

test('a mail out of a file is never one’s own, whatever its flags and its From say', () => {
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

test('verdicts are read from the stored field only, the first of each method', () => {
  const headers =
    'Authentication-Results: mx.test;\r\n dkim=pass header.d=a.test;\r\n dkim=fail header.d=b.test; spf=softfail';
  expect(readVerdicts(headers)).toEqual({ dkim: 'pass', spf: 'softfail' });
});

test('somebody pinned is proved when the pinned key and the one of the key log both fit', () => {
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

test('DMARC gives the weaker badge, named by the domain; a forged field inside the message gives none', () => {
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

test('what was sealed with a key that was given up for a newer one is still theirs, without a mark', () => {
  const pinned = { dhPublicB64: 'NEW', isVerified: true, formerB64: ['KEY'] };
  expect(toSecurityView(mail(), content(), { ...proof, senderKeyB64: 'NEW', pinned }).kind).toBe('sealed');
  expect(
    toSecurityView(mail({ dh_public: 'OLDER' }), content(), { ...proof, senderKeyB64: 'NEW', pinned }).kind,
  ).toBe('unproven');
});
