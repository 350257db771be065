import { expect, test } from 'vitest';
import { digestsOf, readMail } from './import-seal.ts';
import { createBroughtBefore } from './import-seen.ts';

const read = (raw: string) =>
  readMail(
    {
      kind: 'mail',
      key: '1',
      folder: [],
      raw: new TextEncoder().encode(raw),
      receivedAt: null,
      flags: { isRead: true, isStarred: false, isDraft: false, isSent: false },
    },
    { nameMessage: async () => '<none@import.invalid>' },
  );
const digests = async (id: number, words: string, more = '') =>
  digestsOf(await read(`${more}From: a@x.test\r\nMessage-ID: <${id}@x.test>\r\n\r\n${words}\r\n`));

test('a different message with a known Message-ID is distinguished from a repeated one', async () => {
  const { look } = createBroughtBefore();
  const first = await digests(1, 'Real');
  expect(look(first, false)).toBe('new');
  // In a later batch the mailbox already knows the Message-ID.
  for (const isKnown of [false, true]) {
    expect(look(first, isKnown)).toBe('same');
    expect(look(await digests(1, 'Forged'), isKnown)).toBe('other');
    expect(look(await digests(1, 'Real', 'Subject: Forged\r\n'), isKnown)).toBe('other');
    // The same message as stored in another folder.
    expect(look(await digests(1, 'Real', 'Received: from b\r\nStatus: RO\r\n'), isKnown)).toBe('same');
  }
  expect(look(await digests(2, 'Forged'), false)).toBe('new');
  // The message that the mailbox already had may be either of the two, so the second one to arrive
  // is reported.
  expect(look(await digests(3, 'Of long ago'), true)).toBe('same');
  expect(look(await digests(3, 'Forged'), true)).toBe('other');
});

test('the oldest messages are forgotten beyond the limit', async () => {
  const { look } = createBroughtBefore(2);
  for (const id of [1, 2, 3]) expect(look(await digests(id, 'Real'), false)).toBe('new');
  expect(look(await digests(1, 'Forged'), true)).toBe('same');
  expect(look(await digests(3, 'Forged'), true)).toBe('other');
});
