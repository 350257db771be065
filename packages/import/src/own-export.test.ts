import { expect, test } from 'vitest';
import { toMessageItem } from './message-item.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const original =
  'X-Mozilla-Status: 0008\r\nStatus: O\r\nFrom: a@x.test\r\nSubject: x\r\n\r\nNo end of a line';
const block = [
  `X-Keyfold-Export: 1; size=${original.length}; sha256=00`,
  'X-Keyfold-Received: 2019-03-05T10:20:30.000Z',
  'X-Keyfold-Flags: read starred archived',
  'X-Keyfold-Tags: Work%20on%20it B%C3%BCro',
  'X-Gmail-Labels: Archived,Starred',
  'Status: RO',
  'X-Status: F',
  'X-Keywords: Work_on_it',
  'X-Mozilla-Status: 0005',
  '',
].join('\r\n');

const item = (text: string) =>
  toMessageItem({ key: '1', folder: [], name: 'a', bytes: bytes(text), isQuoted: true });

test('a message of a Keyfold export is restored byte for byte, with its time, flags and tags', () => {
  for (const ending of ['', '\r\n']) {
    const read = item(block + original + ending);
    expect(read).toMatchObject({
      kind: 'mail',
      receivedAt: new Date('2019-03-05T10:20:30Z'),
      flags: { isRead: true, isStarred: true, isDraft: false, isSent: false },
      labels: ['Work on it', 'Büro'],
      place: { isArchived: true, isDeleted: false, isFlagged: false },
    });
    expect(read.kind === 'mail' && new TextDecoder().decode(read.raw)).toBe(original);
  }
});

test('a message exported without a place has none, and malformed values are ignored', () => {
  const plain = block.replace('read starred archived', 'none').replace('%20', '%zz').replace('2019-03', 'x');
  expect(item(plain + original)).toMatchObject({
    labels: ['Büro'],
    place: { isArchived: false, isDeleted: false, isFlagged: false },
    receivedAt: null,
  });
});

test('a message that begins with an export field keeps it, and only the block sets its state', () => {
  const cut = (field: string) => block.slice(0, block.indexOf(field));
  for (const before of [block, cut('X-Status'), cut('X-Keywords')]) {
    const read = item(`${before}${original}\r\n`);
    expect(read).toMatchObject({ kind: 'mail', flags: { isRead: true } });
    expect(read.kind === 'mail' && new TextDecoder().decode(read.raw)).toBe(original);
  }
});

test('export fields further down belong to the message', () => {
  const read = item(`From: a@x.test\r\n${block}\r\nwords\r\n`);
  expect(read.kind === 'mail' && new TextDecoder().decode(read.raw)).toContain('X-Keyfold-Export');
});

test('line ends, separator-like lines and a blank first line survive in both file types', () => {
  const kinds = [
    'From: a@x.test\nSubject: x\n\nlines\nthat end so\n',
    'From: a@x.test\r\n\r\nlone\rand\nmixed\r\n\r\n\r\n',
    'From a separator\r\n>From: no field\r\n\r\nFrom here\r\n>>From there',
    ' folded from the start\r\nSubject: x\r\n\r\n',
    '\r\nno header',
    'From: a@x.test\r\n\r\nends with a lone\r',
  ];
  for (const message of kinds) {
    const head = block.replace(/size=\d+/, `size=${message.length}`);
    const quoted = message.replace(/^(?=>*From )/gm, '>');
    for (const [isQuoted, written] of [
      [true, quoted],
      [false, message],
    ] as const)
      for (const end of ['', '\n', '\r\n']) {
        const read = toMessageItem({
          key: '1',
          folder: [],
          name: 'a',
          bytes: bytes(head + written + end),
          isQuoted,
        });
        expect(read.kind === 'mail' && new TextDecoder().decode(read.raw)).toBe(message);
      }
  }
});
