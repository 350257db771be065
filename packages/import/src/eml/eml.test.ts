import { expect, test } from 'vitest';
import { sourceOfBytes } from '../byte-source.ts';
import { createEmlReader } from './reader.ts';

const read = async (text: string) => {
  const reader = createEmlReader(sourceOfBytes(new TextEncoder().encode(text)), 'a.eml');
  const items = [];
  for await (const item of reader.items()) items.push(item);
  return items;
};

test('a file that is one mail is read with CR LF and without a mark of its encoding', async () => {
  const [item] = await read('\uFEFFSubject: x\nDate: Mon, 04 Mar 2019 08:00:00 +0000\n\n>From here\n');
  expect(item).toMatchObject({ kind: 'mail', key: '0', receivedAt: new Date('2019-03-04T08:00:00Z') });
  const raw = item?.kind === 'mail' ? new TextDecoder().decode(item.raw) : '';
  expect(raw).toBe('Subject: x\r\nDate: Mon, 04 Mar 2019 08:00:00 +0000\r\n\r\n>From here\r\n');
});

test('what a sender writes of the state of a mail is not believed; what an export puts above it is', async () => {
  const state = 'X-Gmail-Labels: Sent,Starred,Work\nStatus: O\nX-Mozilla-Status: 0009\nX-Keywords: Drafts\n';
  const travelled = 'Received: from a by b; Mon, 04 Mar 2019 08:00:00 +0000\nFrom: a@x.test\n';
  const [theirs] = await read(`${travelled}${state}\nText\n`);
  const plain = { isRead: true, isStarred: false, isDraft: false, isSent: false };
  expect(theirs).toMatchObject({ kind: 'mail', flags: plain, labels: [] });
  const [own] = await read(`X-Gmail-Labels: Sent,Starred,Work\nStatus: O\n${travelled}\nText\n`);
  expect(own).toMatchObject({
    flags: { isRead: false, isStarred: true, isDraft: false, isSent: true },
    labels: ['Sent', 'Work'],
  });
});

test('what is no mail is named by its file', async () => {
  expect(await read('just words')).toMatchObject([{ kind: 'broken', reason: 'damaged', name: 'a.eml' }]);
});
