import { expect, test } from 'vitest';
import { sourceOfBytes } from '../byte-source.ts';
import { createEmlReader } from './reader.ts';

async function read(text: string) {
  const reader = createEmlReader(sourceOfBytes(new TextEncoder().encode(text)), 'a.eml');
  const items = [];
  for await (const item of reader.items()) items.push(item);
  return items;
}

test('a single-message file is read with CRLF and without a byte order mark', async () => {
  const [item] = await read('\uFEFFSubject: x\nDate: Mon, 04 Mar 2019 08:00:00 +0000\n\n>From here\n');
  expect(item).toMatchObject({ kind: 'mail', key: '0', receivedAt: new Date('2019-03-04T08:00:00Z') });
  const raw = item?.kind === 'mail' ? new TextDecoder().decode(item.raw) : '';
  expect(raw).toBe('Subject: x\r\nDate: Mon, 04 Mar 2019 08:00:00 +0000\r\n\r\n>From here\r\n');
});

test('state headers from the sender are ignored; those an export adds on top are used', async () => {
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

test('a file that is not a message is reported with its name', async () => {
  expect(await read('just words')).toMatchObject([{ kind: 'broken', reason: 'damaged', name: 'a.eml' }]);
});

const plist = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">\n<dict>${body}</dict>\n</plist>\n`;
const flags = (bits: bigint) => plist(`<key>flags</key>\n<integer>${bits}</integer>`);

test('an Apple Mail message is read without its byte count and plist, and with its state', async () => {
  const letter = 'From: a@x.test\nSubject: Äpfel\n\nText with <plist> in it\n';
  const size = new TextEncoder().encode(letter).length;
  const of = async (list: string, count = String(size)) => {
    const [item] = await read(`${count.padEnd(10)}\n${letter}${list}`);
    if (item?.kind !== 'mail') return item?.kind;
    expect(new TextDecoder().decode(item.raw)).toBe(letter.replaceAll('\n', '\r\n'));
    return [item.flags.isRead, item.flags.isStarred, item.flags.isDraft, item.labels, item.receivedAt];
  };
  expect(await of(flags(8590195713n))).toEqual([true, false, false, [], null]);
  expect(await of(flags(0n))).toEqual([false, false, false, [], null]);
  expect(await of(flags(0b1010001n))).toEqual([true, true, true, [], null]);
  expect(await of(flags(1n | (1n << 24n)))).toEqual([true, false, false, ['Spam'], null]);
  expect(await of(flags(3n))).toBe('removed');
  // Covers a wrong count and a missing property list.
  for (const count of ['1', '312', String(size - 3), '999999999999'])
    expect(await of(flags(17n), count)).toEqual([true, true, false, [], null]);
  expect(await of('')).toEqual([true, false, false, [], null]);
  expect(
    await of(
      plist('<key>date-received</key><integer>1744378571</integer><key>flags</key><integer>1</integer>'),
    ),
  ).toEqual([true, false, false, [], new Date(1_744_378_571_000)]);
});

test('a bare CR ends a line', async () => {
  const [item] = await read('From: a@x.test\rSubject: One\r\rFirst\rsecond\r');
  expect(item?.kind === 'mail' && new TextDecoder().decode(item.raw)).toBe(
    'From: a@x.test\r\nSubject: One\r\n\r\nFirst\r\nsecond\r\n',
  );
});
