// What calendar mail may say in whose name.
import type { Email } from '@keyfold/contract';
import { expect, test } from 'vitest';
import { senderFacts, withProof } from './invite-proof.ts';
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

test('a sealed letter that names somebody else than its account is doubtful', () => {
  expect(senderFacts(mail(), 'eve@keyfold.test')).toEqual({ needsProof: true, isDoubtful: false });
  expect(senderFacts(mail(), 'ada@keyfold.test')).toEqual({ needsProof: true, isDoubtful: true });
  expect(senderFacts(mail(), '')).toEqual({ needsProof: true, isDoubtful: true });
});

test('mail from outside is judged by its domain; one’s own copy not at all, and a notice speaks for nobody', () => {
  const failed = 'Authentication-Results: mx.test; dmarc=fail\r\n';
  expect(senderFacts(mail({ public: true }), 'ada@x')).toEqual({ needsProof: false, isDoubtful: false });
  expect(senderFacts(mail({ public: true, headers: failed }), 'eve@keyfold.test').isDoubtful).toBe(true);
  expect(senderFacts(mail({ sent: true }), 'ada@x')).toEqual({ needsProof: false, isDoubtful: false });
  expect(senderFacts(mail({ alert: true }), 'eve@keyfold.test').isDoubtful).toBe(true);
});

test('a sealed letter counts once its key is proved, and other mail needs none', () => {
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
