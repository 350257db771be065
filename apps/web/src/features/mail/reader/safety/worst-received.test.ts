import { expect, test } from 'vitest';
import type { SecurityView } from '../../state/view-model.ts';
import { verdictWords, worstReceived } from './worst-received.ts';

const message = (kind: SecurityView['kind'], change: Partial<SecurityView> = {}) => ({
  isDraft: false,
  security: {
    kind,
    person: 'Bob',
    details: [],
    confirmedDomain: null,
    sendAt: null,
    isSenderProven: false,
    inContacts: false,
    warnings: [],
    ...change,
  },
});

test('the user’s own reply does not hide a doubt about a received message', () => {
  for (const own of ['own', 'own_plain'] as const) {
    const doubted = message('unproven');
    const worst = worstReceived([doubted, message('sealed'), message(own)]);
    expect([worst?.message, worst?.isEarlier]).toEqual([doubted, true]);
  }
});

test('the worst verdict of the received messages is shown, a mismatch before all others', () => {
  const order = [
    message('mismatch'),
    message('key_changed'),
    message('failed'),
    message('unproven'),
    message('stored', { warnings: ['!'] }),
    message('stored'),
    message('stored', { confirmedDomain: 'a.test' }),
    message('sealed'),
    message('verified'),
    message('notice'),
    message('from_self'),
  ];
  for (let at = 0; at < order.length; at += 1) {
    const rest = order.slice(at);
    expect(worstReceived(rest)?.message).toBe(rest[0]);
    expect(worstReceived(rest.toReversed())?.message).toBe(rest[0]);
  }
});

test('of equally bad messages the latest is shown, with the warnings of all received ones', () => {
  const [first, second] = [
    message('unproven', { warnings: ['a'] }),
    message('unproven', { warnings: ['b'] }),
  ];
  const worst = worstReceived([first, second, message('own', { warnings: ['c'] })]);
  expect(worst?.message).toBe(second);
  expect(worst?.security.warnings).toEqual(['a', 'b']);
});

test('a verdict without a doubt is not attributed to an earlier message', () => {
  for (const kind of ['sealed', 'verified', 'from_self'] as const) {
    const received = message(kind);
    expect(worstReceived([received, message('own')])).toMatchObject({ message: received, isEarlier: false });
  }
  const odd = message('sealed', { warnings: ['a'] });
  expect(worstReceived([odd, message('own')])).toMatchObject({ message: odd, isEarlier: true });
});

test('without received messages the user’s last message is shown, and a draft only if it is alone', () => {
  const own = message('own_plain');
  const draft = { ...message('own'), isDraft: true };
  expect(worstReceived([message('own'), own, draft])).toMatchObject({ message: own, isEarlier: false });
  expect(worstReceived([draft])?.message).toBe(draft);
  expect(worstReceived([{ isDraft: false, security: null }])).toBeNull();
});

test('the text names the sender when it is not about the last message', () => {
  const { security } = message('stored');
  expect(verdictWords(security, false).text).toMatch(/^Stored encrypted/);
  expect(verdictWords(security, true).text).toMatch(/^This is about an earlier message from Bob\. Stored/);
  // The sender of a message that could not be decrypted is only the server's claim.
  expect(verdictWords(message('failed').security, true).text).not.toContain('Bob');
});

test('a message that fails to open may be damaged, and its sender and subject are unconfirmed', () => {
  expect(verdictWords(message('failed').security, false).text).toMatch(
    /damaged or was changed.*sender and subject shown can’t be confirmed/,
  );
});
