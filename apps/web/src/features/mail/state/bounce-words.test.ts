import type { DeliveryReport, ReportedDelivery } from '@keyfold/mail/mime/delivery-status';
import { expect, test } from 'vitest';
import { bounceSnippet, bounceSubject } from './bounce-subject.ts';
import { addresseesIn, bounceWords } from './bounce-words.ts';
import type { WholeMail } from './queries.ts';

const failed = (status: string, address = 'a@b.example'): ReportedDelivery => ({
  address,
  action: 'failed',
  status,
  remoteHost: null,
  diagnostic: null,
});

test.each([
  ['5.1.1', 'This address doesn’t exist.'],
  ['5.1.2', 'The domain of this address doesn’t exist or doesn’t accept mail.'],
  ['5.1.10', 'The domain of this address doesn’t exist or doesn’t accept mail.'],
  ['5.2.2', 'The mailbox of this address is full.'],
  ['5.3.4', 'The message is too large for the recipient’s provider.'],
  ['5.4.7', 'The recipient’s provider didn’t accept the message in time.'],
  ['5.7.1', 'The recipient’s provider rejected the message because of its policy.'],
  ['5.0.0', 'The message couldn’t be delivered to this address.'],
  ['', 'The message couldn’t be delivered to this address.'],
])('%s means: %s', (status, words) => {
  expect(bounceWords(failed(status))).toBe(words);
});

test('a delay is reported as such, whatever its status code', () => {
  expect(bounceWords({ ...failed('4.1.1'), action: 'delayed' })).toContain('Delivery will be retried');
});

test('bounce subjects and other snippets are unchanged in English', () => {
  expect(bounceSubject('Undelivered Mail Returned to Sender')).toBe('Undelivered Mail Returned to Sender');
  expect(bounceSubject('Your message is delayed')).toBe('Your message is delayed');
  expect(bounceSnippet('Anything')).toBe('Anything');
});

test('a resend is offered only for failed recipients of the user’s own message', () => {
  const report: DeliveryReport = {
    recipients: [
      failed('5.1.1', 'Bob@B.example'),
      failed('5.1.1', 'hidden@b.example'),
      failed('5.1.1', 'thief@evil.example'),
      { ...failed('4.4.1', 'late@b.example'), action: 'delayed' },
    ],
    originalId: '<1@a>',
    retriedUntil: null,
  };
  const bob = { name: 'Bob', address: 'bob@b.example' };
  const hidden = { name: '', address: 'hidden@b.example' };
  const late = { name: '', address: 'late@b.example' };
  const original = (change: object, mail = { sent: true }) =>
    ({
      mail,
      content: { failed: null, path: 'self', parsed: { to: [bob, late], cc: [], bcc: [hidden] }, ...change },
    }) as unknown as WholeMail;
  expect(addresseesIn(original({}), report)).toEqual([bob, hidden]);
  expect(addresseesIn(original({}, { sent: false }), report)).toEqual([]);
  expect(addresseesIn(original({ failed: 'Failed to decrypt message' }), report)).toEqual([]);
});
