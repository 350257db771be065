// mbox files of every kind, in slices of every size: the messages read are the messages written.
import { expect, test } from 'vitest';
import { sourceOfBytes } from '../byte-source.ts';
import type { ImportItem, ReadOptions } from '../items.ts';
import { createMboxReader } from './reader.ts';
import { findEnvelopeDate } from './separator.ts';
import { splitMbox } from './split.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (given: Uint8Array | null | undefined) => new TextDecoder().decode(given ?? new Uint8Array());

async function all<T>(from: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of from) items.push(item);
  return items;
}
const read = (mbox: string, options: ReadOptions = {}): Promise<ImportItem[]> =>
  all(createMboxReader(sourceOfBytes(bytes(mbox))).items(options));
const rawOf = (item: ImportItem | undefined) => (item?.kind === 'mail' ? text(item.raw) : item?.kind);

async function* slices(of: Uint8Array<ArrayBuffer>, size: number) {
  for (let at = 0; at < of.length; at += size) yield of.slice(at, at + size);
}

const SEPARATOR = 'From gus@outside.test Tue Mar  5 10:20:30 2019';
const ONE = 'From: a@x.test\nSubject: One\n\nFirst line\n';
const TWO = 'From: b@x.test\nSubject: Two\n\n>From here on\n>>From there\n';
const MBOX = `${SEPARATOR}\n${ONE}\n${SEPARATOR}\n${TWO}\n`;

test('returns the messages one by one, with CRLF and unquoted', async () => {
  const items = await read(MBOX);
  expect(items.map(rawOf)).toEqual([
    'From: a@x.test\r\nSubject: One\r\n\r\nFirst line\r\n',
    'From: b@x.test\r\nSubject: Two\r\n\r\nFrom here on\r\n>From there\r\n',
  ]);
  expect(items.map(item => item.key)).toEqual(['0', String(SEPARATOR.length + ONE.length + 2)]);
  // Neither states when it arrived: the separator does.
  expect(items[0]).toMatchObject({ receivedAt: new Date('2019-03-05T10:20:30Z') });
});

test('the result does not depend on slice sizes or line ends', async () => {
  for (const mbox of [MBOX, MBOX.replaceAll('\n', '\r\n')]) {
    const whole = await all(splitMbox(slices(bytes(mbox), 1_000_000)));
    expect(whole).toHaveLength(2);
    for (const size of [1, 2, 3, 7, 50, 61]) {
      const cut = await all(splitMbox(slices(bytes(mbox), size)));
      expect(cut.map(one => [one.offset, text(one.bytes)])).toEqual(
        whole.map(one => [one.offset, text(one.bytes)]),
      );
    }
  }
});

test('a body line that begins with From is not a separator', async () => {
  const prose = 'From: a@x.test\n\nHello\n\nFrom my window I see the sea.\nIt is blue.\nFrom x\nend\n';
  expect(await read(`${SEPARATOR}\n${prose}\n${SEPARATOR}\n${ONE}`)).toHaveLength(2);
});

test('a Content-Length that ends at the next separator is used, and its body is not unquoted', async () => {
  const body = `text\n\n${SEPARATOR}\nTo: nobody\n>From stays\n`;
  const counted = `From: a@x.test\nContent-Length: ${body.length}\n\n${body}`;
  const items = await read(`${SEPARATOR}\n${counted}\n${SEPARATOR}\n${ONE}`);
  expect(items).toHaveLength(2);
  expect(rawOf(items[0])).toBe(counted.replaceAll('\n', '\r\n'));
  // A wrong count is ignored: every separator counts again.
  const wrong = counted.replace(/: \d+/, `: ${body.length + 10}`);
  expect(await read(`${SEPARATOR}\n${wrong}\n${SEPARATOR}\n${ONE}`)).toHaveLength(3);
  // Also when its message is skipped.
  const keys = items.map(item => item.key);
  const rest = await read(`${SEPARATOR}\n${counted}\n${SEPARATOR}\n${ONE}`, { isDone: key => key === '0' });
  expect(rest.map(item => item.key)).toEqual(keys.slice(1));
});

test('an earlier import resumes where it ended', async () => {
  const items = await read(MBOX);
  const rest = await read(MBOX, { isDone: key => key === '0' });
  expect(rest).toEqual(items.slice(1));
  expect(await read(MBOX, { isWanted: () => false })).toEqual([]);
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await expect(read(MBOX, { signal: stop.signal })).rejects.toThrow('stopped');
});

test('a later import starts at any message, returns the rest and reads little before it', async () => {
  const body = `text\n\n${SEPARATOR}\nTo: nobody\n>From stays\n`;
  const right = `From: a@x.test\nContent-Length: ${body.length}\n\n${body}`;
  // Its count leads nowhere, so what it covers are messages; one of those has a count of its own.
  const inner = `${SEPARATOR}\nFrom: c@x.test\nContent-Length: ${2 * SEPARATOR.length}\n\nx\n\n${SEPARATOR}\n${ONE}`;
  const wrong = `From: a@x.test\nContent-Length: ${inner.length + 30}\n\ntext\n\n${inner}\n${SEPARATOR}\n${TWO}`;
  const mbox = [ONE, right, wrong, TWO, `${ONE}${'long line '.repeat(20_000)}\n`, right, ONE]
    .map(message => `${SEPARATOR}\n${message}\n`)
    .join('');
  const whole = await read(mbox);
  expect(whole.length).toBeGreaterThan(9);
  const beginnable = whole.filter(({ canBegin }) => canBegin);
  expect(beginnable.length).toBeGreaterThan(6);
  expect(beginnable.length).toBeLessThan(whole.length);
  for (const { key } of beginnable)
    expect(await read(mbox, { from: key })).toEqual(whole.slice(whole.findIndex(one => one.key === key)));
  // Reading starts at the beginning when no message begins there.
  for (const from of ['7', '999999999', 'x', '-1']) expect(await read(mbox, { from })).toEqual(whole);
  const given = sourceOfBytes(bytes(mbox));
  const asked: number[] = [];
  const source = {
    ...given,
    read: (at: number, length: number) => {
      asked.push(at);
      return given.read(at, length);
    },
  };
  const last = whole.at(-1)?.key ?? '';
  await all(createMboxReader(source).items({ from: last }));
  expect(Math.min(...asked)).toBe(Number(last));
});

test('reads the flags and labels of several mail programs', async () => {
  const of = async (fields: string) => {
    const [item] = await read(`${SEPARATOR}\n${fields}From: a@x.test\n\nx\n`);
    if (item?.kind !== 'mail') return item;
    return { ...item.flags, labels: item.labels, ...(item.tags === undefined ? {} : { tags: item.tags }) };
  };
  const plain = { isRead: true, isStarred: false, isDraft: false, isSent: false, labels: [] };
  expect(await of('')).toEqual(plain);
  expect(await of('Status: O\nX-Status: F\n')).toEqual({ ...plain, isRead: false, isStarred: true });
  expect(await of('Status: RO\nX-Status: T\n')).toEqual({ ...plain, isDraft: true });
  expect(await of('X-Mozilla-Status: 0005\n')).toEqual({ ...plain, isStarred: true });
  expect(await of('X-Mozilla-Status: 0000\n')).toEqual({ ...plain, isRead: false });
  expect(await of('Subject: Old\nX-Mozilla-Status: 0009\n')).toMatchObject({ kind: 'removed', name: 'Old' });
  expect(await of('X-Gmail-Labels: "Me, myself",Work, "a" b\n')).toEqual({
    ...plain,
    labels: ['Me, myself', 'Work', '"a" b'],
  });
  expect(await of('X-Keywords: Work Later   \n')).toEqual({ ...plain, tags: ['Work', 'Later'] });
  expect(await of('X-Gmail-Labels: Sent,Starred,Opened,Work\n')).toEqual({
    ...plain,
    isStarred: true,
    isSent: true,
    labels: ['Sent', 'Work'],
  });
  expect(await of('X-Gmail-Labels: =?UTF-8?Q?Inbox,Unread,B=C3=BCro?=\n')).toEqual({
    ...plain,
    isRead: false,
    labels: ['Inbox', 'Büro'],
  });
});

test('headers from the sender set no place, draft flag or deletion', async () => {
  const theirs =
    'X-Gmail-Labels: Inbox,Sent\nX-Keywords: Inbox\nX-Status: TF\nX-Mozilla-Status: 000c\nStatus: O\n';
  for (const server of [
    'Received: from a by b; Mon, 4 Mar 2019 09:00:00 +0000\n',
    'Return-Path: <a@x.test>\n',
    'Delivered-To: b@x.test\n',
    'DKIM-Signature: v=1\n',
  ]) {
    const [item] = await read(`${SEPARATOR}\n${server}${theirs}From: a@x.test\n\nx\n`);
    expect(item).toMatchObject({ kind: 'mail', labels: [], flags: { isDraft: false, isSent: false } });
    const [own] = await read(`${SEPARATOR}\nX-Mozilla-Status: 0009\n${server}From: a@x.test\n\nx\n`);
    expect(own).toMatchObject({ kind: 'removed' });
  }
});

test('Thunderbird tags become tags, and messages deleted there are skipped', async () => {
  const of = async (fields: string) => {
    const [item] = await read(
      `From - Sat Apr 12 15:59:28 2025\n${fields}From: a@x.test\nSubject: s\nDate: Fri, 11 Apr 2025 15:36:11 +0200\n\nx\n`,
    );
    return item?.kind === 'mail'
      ? [item.flags.isRead, item.flags.isStarred, ...(item.tags ?? [])]
      : item?.kind;
  };
  const keys = (words: string) => of(`X-Mozilla-Status: 0001\nX-Mozilla-Keys: ${words.padEnd(80)}\n`);
  expect(await keys('$label1 urgent')).toEqual([true, false, 'Important', 'urgent']);
  expect(await keys('$label2 $label3 $label4 $label5 tax_2024')).toEqual([
    true,
    false,
    'Work',
    'Personal',
    'To Do',
    'Later',
    'tax 2024',
  ]);
  expect(await keys('nonjunk $Forwarded $MDNSent NotJunk')).toEqual([true, false]);
  expect(await keys('')).toEqual([true, false]);
  expect(await of('X-Mozilla-Status: 1007\nX-Mozilla-Status2: 06000000\n')).toEqual([true, true, 'Personal']);
  expect(await of('X-Mozilla-Status: 0009\n')).toBe('removed');
  expect(await of('X-Mozilla-Status: 0001\nX-Mozilla-Status2: 00200000\n')).toBe('removed');
  expect(await of('Status: RO\nX-Status: AF\n')).toEqual([true, true]);
  expect(await of('Status: RO\nX-Status: D\n')).toBe('removed');
  // The sender cannot tag a message.
  expect(await of('Received: from a by b; Fri, 11 Apr 2025 13:36:11 +0000\nX-Mozilla-Keys: work\n')).toEqual([
    true,
    false,
  ]);
});

test('reads mbox files of old systems and careless programs', async () => {
  const kinds = {
    'a byte order mark': `\ufeff${MBOX}`,
    'lines that end by CR alone': MBOX.replaceAll('\n', '\r'),
    both: `\ufeff${MBOX}`.replaceAll('\n', '\r'),
    'no empty line before a separator': MBOX.replaceAll(`\n\n${SEPARATOR}`, `\n${SEPARATOR}`),
    'separators of Thunderbird': MBOX.replaceAll(SEPARATOR, 'From - Sat Apr 12 2025 15:59:28'),
    'separators of Eudora': MBOX.replaceAll(SEPARATOR, 'From ???@??? Tue Mar 05 10:20:30 2019'),
    'separators without a time': MBOX.replaceAll(SEPARATOR, 'From gus@outside.test'),
    'separators with a dash alone': MBOX.replaceAll(SEPARATOR, 'From - '),
    'empty lines before the first': `\n\r\n${MBOX}`,
  };
  for (const [kind, mbox] of Object.entries(kinds)) {
    const items = await read(mbox);
    expect([kind, ...items.map(rawOf)]).toEqual([
      kind,
      'From: a@x.test\r\nSubject: One\r\n\r\nFirst line\r\n',
      'From: b@x.test\r\nSubject: Two\r\n\r\nFrom here on\r\n>From there\r\n',
    ]);
    for (const { key } of items)
      expect(await read(mbox, { from: key })).toEqual(items.slice(items.findIndex(one => one.key === key)));
  }
});

test('body lines that resemble a separator do not split a message', async () => {
  const letters = [
    'Hi\n\n>From gus@outside.test Tue Mar  5 10:20:30 2019\n>From: x\n\nend',
    'Hi\n\n> From gus@outside.test Tue Mar  5 10:20:30 2019\n> From: x\n\nend',
    'The first line was\n\nFrom gus@outside.test Tue Mar  5 10:20:30 2019\nand nothing else.',
    'Plan\n\nFrom Berlin\nTo: Rome\nNote: bring the tickets\n',
    'Plan\nFrom Monday 5 Mar 2019 10:20 on\nPlace: the garden\n',
    'x\n\nFrom where I stand: nothing.\nWhy: fog\n',
  ];
  for (const letter of letters)
    expect(await read(`${SEPARATOR}\nFrom: a@x.test\n\n${letter}\n\n${SEPARATOR}\n${ONE}`)).toHaveLength(2);
});

test('the internal data message of Pine is skipped', async () => {
  const data = `From MAILER-DAEMON Fri Apr 11 15:00:00 2025\nDate: 11 Apr 2025 15:00:00 +0200\nFrom: Mail System Internal Data <MAILER-DAEMON@host.example>\nSubject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\nX-IMAP: 1100000000 0000000002\nStatus: RO\n\nThis text is part of the format of your folder.\n`;
  expect((await read(`${data}\n${MBOX}`)).map(({ kind }) => kind)).toEqual(['mail', 'mail']);
});

test('the arrival time comes from the last server, else from the message itself', async () => {
  const at = async (fields: string) => {
    const [item] = await read(`${SEPARATOR}\n${fields}From: a@x.test\n\nx\n`);
    return item?.kind === 'mail' ? item.receivedAt?.toISOString() : item;
  };
  const date = 'Date: Mon, 04 Mar 2019 08:00:00 +0100\n';
  expect(await at(date)).toBe('2019-03-04T07:00:00.000Z');
  expect(await at(`Received: from a by b; Mon, 4 Mar 2019 09:00:00 +0000 (UTC)\n${date}`)).toBe(
    '2019-03-04T09:00:00.000Z',
  );
  // An unreadable or future time is skipped in favor of the next indication.
  expect(await at('Received: by b; soon\nReceived: by a; Mon, 4 Mar 2019 09:00:00 +0000\nDate: soon\n')).toBe(
    '2019-03-04T09:00:00.000Z',
  );
  expect(await at('Date: Fri, 31 Dec 2199 08:00:00 +0100\n')).toBe('2019-03-05T10:20:30.000Z');
  expect(findEnvelopeDate('From - Sat Apr 12 2025 15:59:28')?.toISOString()).toBe('2025-04-12T15:59:28.000Z');
  expect(findEnvelopeDate('From - Thu Jan 01 00:00:00 1970')).toBeNull();
  expect(findEnvelopeDate('From 123@xxx Sat Jan 01 00:00:00 +0000 2011')?.toISOString()).toBe(
    '2011-01-01T00:00:00.000Z',
  );
  expect(findEnvelopeDate('From nowhere')).toBeNull();
});

test.each([
  ['From ann@x.example Sat Jan  1 12:34:56 1994 remote from host', '1994-01-01T12:34:56.000Z'],
  ['From ann@x.example Sat Jan  1 12:34:56 EST 1994', '1994-01-01T17:34:56.000Z'],
  ['From ann@x.example Sat Jan  1 12:34:56 1994 -0800', '1994-01-01T20:34:56.000Z'],
  ['From ann@x.example Sat Jan  1 12:34:56 MET DST 1994', '1994-01-01T11:34:56.000Z'],
  ['From ann@x.example Sat, 5 Mar 2005 10:20:30 +0100', '2005-03-05T09:20:30.000Z'],
  ['From ann@x.example Sa Mär  5 10:20:30 2005', '2005-03-05T10:20:30.000Z'],
  ['From ann@x.example sam. 5 févr. 2005 10:20', '2005-02-05T10:20:00.000Z'],
  ['From - 2005-03-05 10:20:30', '2005-03-05T10:20:30.000Z'],
  ['From - 2005-03-05T10:20:30Z', '2005-03-05T10:20:30.000Z'],
  ['From ???@??? 05.03.2005 10:20', '2005-03-05T10:20:00.000Z'],
  ['From Ann May Mon Jan  3 10:00:00 2005', '2005-01-03T10:00:00.000Z'],
  ['From "ann may 3 1999" Mon Jan  3 10:00:00 2005', '2005-01-03T10:00:00.000Z'],
  ['From jan-12-1999@x.example Mon Jan  3 10:00:00 2005', '2005-01-03T10:00:00.000Z'],
])('the time of %j is read', (line, iso) => {
  expect(findEnvelopeDate(line)?.toISOString()).toBe(iso);
});

test.each([
  'From ann-2005-03-05@x.example',
  'From -',
  'From ann@x.example Sat Jan 32 10:00:00 2005',
  'From ann@x.example whenever',
  'From ann@x.example Thu Jan  1 00:00:01 1970',
])('%j has no usable time', line => {
  expect(findEnvelopeDate(line)).toBeNull();
});

test('a message without a header is reported as broken, and the next one is read', async () => {
  const items = await read(`${SEPARATOR}\nnothing but words\nand more\n\n${SEPARATOR}\n${ONE}`);
  expect(items.map(item => item.kind)).toEqual(['broken', 'mail']);
  expect(items[0]).toMatchObject({ reason: 'damaged', name: SEPARATOR });
});

test('a message larger than the memory limit is reported and skipped', async () => {
  const large = `${SEPARATOR}\nFrom: a@x.test\n\n${'long line\n'.repeat(1_000)}\n`;
  const found = await all(splitMbox(slices(bytes(large + MBOX), 997), { maxBytes: 5_000 }));
  expect(found.map(one => one.bytes === null)).toEqual([true, false, false]);
});

test('a Content-Length beyond the largest message size swallows no other message', async () => {
  const counted = (count: number, name: string) =>
    `${SEPARATOR}\nFrom: ${name}@x.test\nContent-Length: ${count}\n\nshort\n\n`;
  const plain = (index: number) => `${SEPARATOR}\nFrom: ${index}@x.test\n\nOrdinary ${'x'.repeat(60)}\n\n`;
  const others = Array.from({ length: 20 }, (_, index) => plain(index)).join('');
  for (const size of [1, 7, 100, 1_000_000])
    for (const mbox of [
      `${counted(1_000, 'hostile')}${others}`,
      `${counted(990, 'a')}${counted(1_000, 'b')}${counted(999, 'c')}${others}`,
      `${others}${counted(1_000, 'hostile')}${others}`.replaceAll('\n', '\r\n'),
    ]) {
      const found = await all(splitMbox(slices(bytes(mbox), size), { maxBytes: 1_000 }));
      const messages = mbox.split(SEPARATOR).slice(1);
      expect(found.map(one => text(one.bytes).trim())).toEqual(messages.map(message => message.trim()));
      const done = new Set(found.slice(0, 9).map(({ offset }) => offset));
      const isWanted = (offset: number) => !done.has(offset);
      const rest = await all(splitMbox(slices(bytes(mbox), size), { maxBytes: 1_000, isWanted }));
      expect(rest).toEqual(found.slice(9));
    }
  // A message that is too large by itself does not take others with it, whatever its count.
  const large = counted(1_000, 'large').replace('short', 'line\n'.repeat(250));
  const found = await all(splitMbox(slices(bytes(`${large}${others}`), 50), { maxBytes: 1_000 }));
  expect(found.map(one => one.bytes === null)).toEqual([true, ...Array.from({ length: 20 }, () => false)]);
});

test('a file that is not an mbox, and random bytes, fail with a clear error', async () => {
  await expect(read('Hello\n')).rejects.toMatchObject({ code: 'not_this_format' });
  const random = crypto.getRandomValues(new Uint8Array(60_000));
  await expect(all(createMboxReader(sourceOfBytes(random)).items())).rejects.toThrow();
  expect(await read('')).toEqual([]);
  // A line without an end costs no more than its bytes.
  const endless = `${SEPARATOR}\nFrom: a@x.test\n\n${'x'.repeat(3_000_000)}`;
  expect(await all(splitMbox(slices(bytes(endless), 100_000)))).toHaveLength(1);
});
