// On whose behalf a calendar message may speak.
import type { Email } from '@keyfold/contract';
import { expect, test } from 'vitest';
import { isOwnCopy, senderFacts, withProof } from './invite-proof.ts';
import type { MailInvite } from './invite-queries.ts';

const mail = (change: Partial<Email> = {}) =>
  ({
    from: 'eve@keyfold.test',
    headers: '',
    public: false,
    sent: false,
    draft: false,
    alert: false,
    ...change,
  }) as Email;

const others = { path: 'hybrid', isFromSelf: false } as const;
const own = { path: 'self', isFromSelf: true } as const;

test('a sealed message that names another sender than its account is doubtful', () => {
  expect(senderFacts(mail(), 'eve@keyfold.test', others)).toEqual({ needsProof: true, isDoubtful: false });
  expect(senderFacts(mail(), 'ada@keyfold.test', others)).toEqual({ needsProof: true, isDoubtful: true });
  expect(senderFacts(mail(), '', others)).toEqual({ needsProof: true, isDoubtful: true });
});

test('external mail is judged by its domain, own copies are never doubtful, and notices always are', () => {
  const failed = 'Authentication-Results: mx.test; dmarc=fail\r\n';
  const outside = mail({ public: true });
  expect(senderFacts(outside, 'ada@x', others)).toEqual({ needsProof: false, isDoubtful: false });
  expect(senderFacts(mail({ public: true, headers: failed }), 'eve@x', others).isDoubtful).toBe(true);
  expect(senderFacts(mail({ sent: true }), 'me@x', own)).toEqual({ needsProof: false, isDoubtful: false });
  expect(senderFacts(mail({ alert: true }), 'eve@keyfold.test', others).isDoubtful).toBe(true);
});

test('a message is the user’s own only if their own key opened it and From names them', () => {
  const sent = mail({ sent: true });
  expect(isOwnCopy(sent, own)).toBe(true);
  expect(isOwnCopy(mail(), own)).toBe(false);
  expect(isOwnCopy(sent, { path: 'hybrid', isFromSelf: true })).toBe(false);
  expect(isOwnCopy(sent, { path: 'self', isFromSelf: false })).toBe(false);
  expect(isOwnCopy(sent, { path: null, isFromSelf: true })).toBe(false);
  // Nor does an imported file that claims so.
  const brought = { public: true, sent: true, headers: 'Authentication-Results: keyfold.test; none\r\n' };
  expect(isOwnCopy(mail(brought), own)).toBe(false);
  for (const mark of [{ sent: true }, { draft: true }])
    expect(senderFacts(mail(mark), 'ada@keyfold.test', others)).toEqual({
      needsProof: true,
      isDoubtful: true,
    });
  const failed = 'Authentication-Results: mx.test; dmarc=fail\r\n';
  const forged = mail({ sent: true, public: true, headers: failed });
  expect(senderFacts(forged, 'ada@x', others).isDoubtful).toBe(true);
});

test('a sealed message counts once its key is proven, and other mail needs no proof', () => {
  const invite = (mailId: string, needsProof: boolean, isDoubtful = false) =>
    ({ mailId, needsProof, isDoubtful }) as MailInvite;
  const all = [
    invite('proved', true),
    invite('not', true),
    invite('forged', true, true),
    invite('outside', false),
  ];
  const doubtful = withProof(all, id => id === 'proved' || id === 'forged').map(one => one.isDoubtful);
  expect(doubtful).toEqual([false, true, true, false]);
});
