import type { DeliveryReport, ReportedDelivery } from '@keyfold/mail/mime/delivery-status';
import { expect, test } from 'vitest';
import { addresseesIn, bounceSnippet, bounceSubject, bounceWords } from './bounce-words.ts';
import type { WholeMail } from './queries.ts';

const failed = (status: string, address = 'a@b.example'): ReportedDelivery => ({
  address,
  action: 'failed',
  status,
  remoteHost: null,
  diagnostic: null,
});

test.each([
  ['5.1.1', 'This address does not exist.'],
  ['5.1.2', 'The domain of this address does not exist, or takes no mail.'],
  ['5.1.10', 'The domain of this address does not exist, or takes no mail.'],
  ['5.2.2', 'The mailbox of this address is full.'],
  ['5.3.4', 'The message is too large for the service of this address.'],
  ['5.4.7', 'The service of this address did not take the message in time.'],
  ['5.7.1', 'The service of this address refused the message by its rules.'],
  ['5.0.0', 'The message could not be delivered to this address.'],
  ['', 'The message could not be delivered to this address.'],
])('%s means: %s', (status, words) => {
  expect(bounceWords(failed(status))).toBe(words);
});

test('what is only late says so, whatever its state', () => {
  expect(bounceWords({ ...failed('4.1.1'), action: 'delayed' })).toContain('tried again');
});

test('the words of our own server are known in every language, those of others stay', () => {
  expect(bounceSubject('Undelivered Mail Returned to Sender')).toBe('Undelivered Mail Returned to Sender');
  expect(bounceSubject('Your mail is delayed')).toBe('Your mail is delayed');
  expect(bounceSnippet('Anything')).toBe('Anything');
});

test('only people whom one’s own mail was written to are offered it again', () => {
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
