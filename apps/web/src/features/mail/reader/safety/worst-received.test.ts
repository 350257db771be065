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

test("one's own answer does not take a doubt about what was received away", () => {
  for (const own of ['own', 'own_plain'] as const) {
    const doubted = message('unproven');
    const worst = worstReceived([doubted, message('sealed'), message(own)]);
    expect([worst?.message, worst?.isEarlier]).toEqual([doubted, true]);
  }
});

test('the worst of what was received speaks, a mismatch before everything else', () => {
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

test('of equally bad messages the latest speaks, with the warnings of all that were received', () => {
  const [first, second] = [
    message('unproven', { warnings: ['a'] }),
    message('unproven', { warnings: ['b'] }),
  ];
  const worst = worstReceived([first, second, message('own', { warnings: ['c'] })]);
  expect(worst?.message).toBe(second);
  expect(worst?.security.warnings).toEqual(['a', 'b']);
});

test('a verdict without a doubt is not put down to an earlier message', () => {
  for (const kind of ['sealed', 'verified', 'from_self'] as const) {
    const received = message(kind);
    expect(worstReceived([received, message('own')])).toMatchObject({ message: received, isEarlier: false });
  }
  const odd = message('sealed', { warnings: ['a'] });
  expect(worstReceived([odd, message('own')])).toMatchObject({ message: odd, isEarlier: true });
});

test('where nothing was received the last of one’s own speaks, and drafts only by themselves', () => {
  const own = message('own_plain');
  const draft = { ...message('own'), isDraft: true };
  expect(worstReceived([message('own'), own, draft])).toMatchObject({ message: own, isEarlier: false });
  expect(worstReceived([draft])?.message).toBe(draft);
  expect(worstReceived([{ isDraft: false, security: null }])).toBeNull();
});

test('the words name the sender when they are not about the last message', () => {
  const { security } = message('stored');
  expect(verdictWords(security, false).text).toMatch(/^Stored encrypted/);
  expect(verdictWords(security, true).text).toMatch(/^This is about an earlier message from Bob\. Stored/);
  // The sender of what did not open is the server's word.
  expect(verdictWords(message('failed').security, true).text).not.toContain('Bob');
});

test('a message that does not open says that it may be damaged, and that nothing proves what stands over it', () => {
  expect(verdictWords(message('failed').security, false).text).toMatch(
    /damaged, or was changed.*Nothing proves the sender and subject/,
  );
});
