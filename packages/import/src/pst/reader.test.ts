// Files that the tests write themselves, in both format variants and all three block encodings.
import { parseMessage } from '@keyfold/mail/mime/parse';
import { type TestFolder, writePst } from '@keyfold/testing/pst-file';
import { encodeText, type PropertyValue } from '@keyfold/testing/pst-heap';
import { describe, expect, test } from 'vitest';
import { sourceOfBytes } from '../byte-source.ts';
import type { ImportItem, MailItem } from '../items.ts';
import { TAGS } from '../mapi/tags.ts';
import { openPst } from './reader.ts';

const text = (id: number, value: string): PropertyValue => ({ id, type: 'text', value });
const int = (id: number, value: number): PropertyValue => ({ id, type: 'int', value });
const time = (id: number, value: Date): PropertyValue => ({ id, type: 'time', value });
const binary = (id: number, value: Uint8Array): PropertyValue => ({ id, type: 'binary', value });

const SENT_AT = new Date('2019-04-05T06:07:08Z');
const ADA = [
  int(TAGS.recipientType, 1),
  text(TAGS.displayName, 'Ada Day'),
  text(TAGS.smtpAddress, 'ada@example.org'),
];
const BOB = [
  int(TAGS.recipientType, 2),
  text(TAGS.displayName, 'Bob'),
  text(TAGS.smtpAddress, 'bob@example.org'),
];

const mail = (subject: string, ...more: readonly PropertyValue[]): PropertyValue[] => [
  text(TAGS.messageClass, 'IPM.Note'),
  text(TAGS.subject, subject),
  text(TAGS.representingName, 'Eve Sender'),
  text(TAGS.representingAddress, 'eve@example.net'),
  time(TAGS.submitTime, SENT_AT),
  int(TAGS.messageFlags, 1),
  ...more,
];

async function read(file: Uint8Array<ArrayBuffer>): Promise<ImportItem[]> {
  const reader = await openPst(sourceOfBytes(file));
  return Array.fromAsync(reader.items());
}

const mailsOf = (items: readonly ImportItem[]): MailItem[] => items.filter(item => item.kind === 'mail');

async function readOne(properties: readonly PropertyValue[], more: object = {}): Promise<MailItem> {
  const [item] = await read(writePst({ folders: [{ name: 'Inbox', mails: [{ properties, ...more }] }] }));
  expect(item?.kind).toBe('mail');
  return item as MailItem;
}

const parsed = ({ raw }: MailItem) => parseMessage(raw);
const latin1 = (value: string): Uint8Array => Uint8Array.from(value, char => char.charCodeAt(0));

describe.each([
  { isUnicode: true, cipher: 'permute' },
  { isUnicode: true, cipher: 'cyclic' },
  { isUnicode: false, cipher: 'none' },
  { isUnicode: false, cipher: 'permute' },
] as const)('a file with isUnicode $isUnicode and cipher $cipher', form => {
  const big = Uint8Array.from({ length: 30_000 }, (_, index) => (index * 7) % 251);
  const folders: TestFolder[] = [
    {
      name: 'Inbox',
      mails: [
        {
          properties: mail(
            'Größe',
            text(TAGS.body, 'Ein Text.\r\n'),
            binary(TAGS.html, latin1('<p>Ein Text</p>')),
          ),
          recipients: [ADA, BOB],
          files: [
            {
              properties: [
                int(TAGS.attachMethod, 1),
                text(TAGS.attachLongName, 'table.bin'),
                text(TAGS.attachType, 'application/x-table'),
                binary(TAGS.attachData, big),
              ],
            },
          ],
        },
      ],
      folders: [{ name: 'Later', mails: [{ properties: mail('Second', text(TAGS.body, 'x')) }] }],
    },
    { name: 'Empty' },
  ];

  test('returns its folders with their counts', async () => {
    const reader = await openPst(sourceOfBytes(writePst({ ...form, folders })));
    expect(await reader.outline()).toEqual([
      { folder: ['Inbox'], itemCount: 1 },
      { folder: ['Inbox', 'Later'], itemCount: 1 },
      { folder: ['Empty'], itemCount: 0 },
    ]);
  });

  test('returns a message with people, both bodies and an attachment in several blocks', async () => {
    const items = mailsOf(await read(writePst({ ...form, folders })));
    expect(items.map(({ folder }) => folder)).toEqual([['Inbox'], ['Inbox', 'Later']]);
    const [first] = items as [MailItem];
    const message = await parsed(first);
    expect(message.subject).toBe('Größe');
    expect(message.from).toEqual({ name: 'Eve Sender', address: 'eve@example.net' });
    expect(message.to).toEqual([{ name: 'Ada Day', address: 'ada@example.org' }]);
    expect(message.cc).toEqual([{ name: 'Bob', address: 'bob@example.org' }]);
    expect(message.text).toContain('Ein Text.');
    expect(message.html).toContain('<p>Ein Text</p>');
    expect(message.date).toBe(SENT_AT.toISOString());
    expect(message.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['table.bin', 'application/x-table'],
    ]);
    expect(message.attachments[0]?.content).toEqual(big);
    expect(first.flags).toEqual({ isRead: true, isStarred: false, isDraft: false, isSent: false });
    expect(first.receivedAt).toEqual(SENT_AT);
  });

  test('finds hundreds of messages through multi-level trees, each with a stable key', async () => {
    const mails = Array.from({ length: 700 }, (_, index) => ({ properties: mail(`Number ${index}`) }));
    const file = writePst({ ...form, folders: [{ name: 'Many', mails }] });
    const keys = mailsOf(await read(file)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(700);
    expect(mailsOf(await read(file)).map(({ key }) => key)).toEqual(keys);
  });
});

test('items read before and folders that are not selected are skipped', async () => {
  const file = writePst({
    folders: [
      { name: 'A', mails: [{ properties: mail('one') }, { properties: mail('two') }] },
      { name: 'B', mails: [{ properties: mail('three') }] },
    ],
  });
  const reader = await openPst(sourceOfBytes(file));
  const [first] = mailsOf(await Array.fromAsync(reader.items())) as [MailItem];
  const rest = await Array.fromAsync(
    reader.items({ isDone: key => key === first.key, isWanted: folder => folder[0] === 'A' }),
  );
  const subjects = await Promise.all(mailsOf(rest).map(async item => (await parsed(item)).subject));
  expect(subjects).toEqual(['two']);
});

test('a later import starts at any message of the selected folders and reads none before it', async () => {
  const lost = { properties: [int(TAGS.attachMethod, 1), text(TAGS.attachLongName, 'gone.doc')] };
  const mails = Array.from({ length: 200 }, (_, at) => ({
    properties: mail(`Mail ${at}`, text(TAGS.body, 'Words '.repeat(2_000))),
    ...(at % 3 === 0 ? { files: [lost] } : {}),
  }));
  const file = writePst({
    folders: [
      { name: 'A', mails: mails.slice(0, 90) },
      { name: 'B', mails: [{ properties: mail('Not wanted') }] },
      { name: 'C', mails: mails.slice(90) },
    ],
  });
  const given = sourceOfBytes(file);
  let readBytes = 0;
  const source = {
    ...given,
    read: (at: number, length: number) => {
      readBytes += length;
      return given.read(at, length);
    },
  };
  const keysFrom = async (from?: string) => {
    const reader = await openPst(source);
    readBytes = 0;
    const isWanted = (folder: readonly string[]) => folder[0] !== 'B';
    return (await Array.fromAsync(reader.items({ from, isWanted }))).map(({ key, canBegin }) => ({
      key,
      canBegin,
    }));
  };
  const whole = await keysFrom();
  const wholeBytes = readBytes;
  const beginnable = whole.filter(({ canBegin }) => canBegin);
  expect(beginnable).toHaveLength(mails.length);
  expect(whole.length).toBeGreaterThan(mails.length * 1.3);
  for (const { key } of beginnable.filter((_, at) => at % 45 === 0 || at === mails.length - 1))
    expect(await keysFrom(key)).toEqual(whole.slice(whole.findIndex(one => one.key === key)));
  expect(readBytes).toBeLessThan(wholeBytes / 4);
  for (const from of ['pst-fffffff4', 'pst-', '12']) expect(await keysFrom(from)).toEqual(whole);
});

test('an aborted import stops between two items', async () => {
  const mails = [{ properties: mail('one') }, { properties: mail('two') }];
  const reader = await openPst(sourceOfBytes(writePst({ folders: [{ name: 'A', mails }] })));
  const stop = new AbortController();
  const seen: string[] = [];
  await expect(async () => {
    for await (const { key } of reader.items({ signal: stop.signal })) {
      seen.push(key);
      stop.abort(new Error('enough'));
    }
  }).rejects.toThrow('enough');
  expect(seen).toHaveLength(1);
});

test('the transport headers are kept, except those of the body', async () => {
  const headers = [
    'Microsoft Mail Internet Headers Version 2.0',
    'Received: from a.example by b.example; Fri, 5 Apr 2019 06:07:00 +0000',
    'From: "The Sender" <real@example.com>',
    'To: team@example.org',
    'Date: Fri, 05 Apr 2019 08:07:08 +0200',
    'Subject: =?utf-8?Q?Caf=C3=A9?=',
    'Message-ID: <abc@example.com>',
    'Content-Type: multipart/mixed; boundary="gone"',
    'X-Keyfold-File: id=1',
    'X-Mailer: Outlook',
    '',
    '',
  ].join('\r\n');
  const item = await readOne(mail('Other', text(TAGS.transportHeaders, headers), text(TAGS.body, 'Hello')));
  const message = await parsed(item);
  expect(message.from).toEqual({ name: 'The Sender', address: 'real@example.com' });
  expect(message.subject).toBe('Café');
  expect(message.messageId).toBe('<abc@example.com>');
  expect(message.text).toContain('Hello');
  const names = message.headers.map(({ key }) => key);
  expect(names).toContain('received');
  expect(names).toContain('x-mailer');
  expect(names).not.toContain('x-keyfold-file');
  expect(names.filter(name => name === 'content-type')).toHaveLength(1);
  expect(message.attachments).toEqual([]);
});

describe('a signed message', () => {
  const signedText = [
    'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha256; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Signed words',
    '--b',
    'Content-Type: application/pkcs7-signature; name=smime.p7s',
    'Content-Transfer-Encoding: base64',
    '',
    'AAAA',
    '--b--',
    '',
  ].join('\r\n');
  const headers = 'From: eve@example.net\r\nDate: Fri, 05 Apr 2019 08:07:08 +0200\r\nSubject: Kept\r\n';
  const read = (...more: PropertyValue[]) =>
    readOne(
      [text(TAGS.messageClass, 'IPM.Note.SMIME.MultipartSigned'), text(TAGS.subject, 'Made'), ...more],
      {
        files: [
          {
            properties: [
              int(TAGS.attachMethod, 1),
              text(TAGS.attachLongName, 'smime.p7m'),
              text(TAGS.attachType, 'multipart/signed'),
              binary(TAGS.attachData, latin1(signedText)),
            ],
          },
        ],
      },
    );

  test.each([
    ['with the headers it came with', [text(TAGS.transportHeaders, headers)], 'Kept'],
    ['with headers of its properties', [time(TAGS.submitTime, SENT_AT)], 'Made'],
    ['without a date', [], 'Made'],
  ] as const)('has the signed body, %s', async (_, more, subject) => {
    const item = await read(...more);
    const message = await parsed(item);
    expect(message.subject).toBe(subject);
    expect(message.text?.trim()).toBe('Signed words');
    expect(message.attachments.map(({ mimeType }) => mimeType)).toEqual(['application/pkcs7-signature']);
    const raw = new TextDecoder().decode(item.raw);
    expect(raw.endsWith(signedText.slice(signedText.indexOf('\r\n\r\n')))).toBe(true);
    expect(raw.match(/^MIME-Version:/gim)).toHaveLength(1);
  });
});

test('a message without an id always gets the same one', async () => {
  const ids = await Promise.all([1, 2].map(async () => (await parsed(await readOne(mail('x')))).messageId));
  expect(ids[0]).toMatch(/^<pst-[0-9a-f]+-0-[0-9a-f]+-[0-9a-f]{32}@import\.invalid>$/);
  expect(ids[1]).toBe(ids[0]);
  // A different message at the same place of a file with the same name, or without one, gets a
  // different id.
  const idOf = async (item: MailItem) => (await parsed(item)).messageId;
  expect(await idOf(await readOne(mail('y')))).not.toBe(ids[0]);
  const withFile = (content: string) =>
    readOne(mail('x'), {
      files: [
        {
          properties: [
            int(TAGS.attachMethod, 1),
            text(TAGS.attachLongName, 'a.bin'),
            binary(TAGS.attachData, latin1(content)),
          ],
        },
      ],
    });
  expect(await idOf(await withFile('one'))).toBe(await idOf(await withFile('one')));
  expect(await idOf(await withFile('one'))).not.toBe(await idOf(await withFile('two')));
});

test('pictures shown by the HTML are inline; others are attachments', async () => {
  const picture = (contentId: string): { properties: PropertyValue[] } => ({
    properties: [
      int(TAGS.attachMethod, 1),
      text(TAGS.attachLongName, `${contentId}.png`),
      text(TAGS.attachType, 'image/png'),
      text(TAGS.attachContentId, contentId),
      binary(TAGS.attachData, latin1('png')),
    ],
  });
  const html = latin1('<p><img src="cid:Shown@01D0"></p>');
  const item = await readOne(mail('Pictures', binary(TAGS.html, html)), {
    files: [picture('Shown@01D0'), picture('hidden')],
  });
  const { attachments } = await parsed(item);
  expect(attachments.map(({ filename, contentId, related }) => [filename, contentId, related])).toEqual([
    ['Shown@01D0.png', '<Shown@01D0>', true],
    ['hidden.png', null, false],
  ]);
});

test('an embedded message is a separate message with its own recipients and attachments', async () => {
  const item = await readOne(mail('Outer', text(TAGS.body, 'see inside')), {
    recipients: [ADA],
    files: [
      {
        properties: [int(TAGS.attachMethod, 5), text(TAGS.displayName, 'Inner')],
        inner: {
          properties: mail('Inner', text(TAGS.body, 'inner text')),
          recipients: [BOB.with(0, int(TAGS.recipientType, 1))],
          files: [
            {
              properties: [
                int(TAGS.attachMethod, 1),
                text(TAGS.attachLongName, 'deep.txt'),
                binary(TAGS.attachData, latin1('deep')),
              ],
            },
          ],
        },
      },
    ],
  });
  const outer = await parsed(item);
  expect(outer.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
    ['Inner.eml', 'message/rfc822'],
  ]);
  const inner = await parseMessage(outer.attachments[0]?.content ?? new Uint8Array());
  expect(inner.subject).toBe('Inner');
  expect(inner.to).toEqual([{ name: 'Bob', address: 'bob@example.org' }]);
  expect(inner.attachments.map(({ filename }) => filename)).toEqual(['deep.txt']);
});

test('endlessly nested messages are cut off and reported', async () => {
  let inner = { properties: mail('deepest') } as { properties: PropertyValue[]; files?: unknown[] };
  for (let depth = 0; depth < 9; depth++) {
    inner = {
      properties: mail(`depth ${depth}`),
      files: [{ properties: [int(TAGS.attachMethod, 5)], inner }],
    };
  }
  const items = await read(writePst({ folders: [{ name: 'A', mails: [inner as never] }] }));
  expect(items.map(({ kind }) => kind)).toEqual(['mail', 'broken']);
  expect(items[1]).toMatchObject({ reason: 'too_large' });
});

test('Exchange senders and recipients keep their names', async () => {
  const exchange = '/O=FIRM/OU=FIRST/CN=RECIPIENTS/CN=JDOE';
  const item = await readOne([
    text(TAGS.messageClass, 'IPM.Note'),
    text(TAGS.senderName, 'Jane Doe'),
    text(TAGS.senderAddressType, 'EX'),
    text(TAGS.senderAddress, exchange),
    text(TAGS.displayTo, 'Somebody; ada@example.org'),
  ]);
  const message = await parsed(item);
  expect(message.from).toEqual({ name: 'Jane Doe', address: 'jdoe@exchange.invalid' });
  expect(message.to).toEqual([
    { name: 'Somebody', address: 'unknown@unknown.invalid' },
    { name: '', address: 'ada@example.org' },
  ]);
  expect(message.date).toBeNull();
});

test('reads the flags: read, starred, draft and sent', async () => {
  const flagsOf = async (...more: PropertyValue[]) =>
    (await readOne([text(TAGS.messageClass, 'IPM.Note'), text(TAGS.subject, 'x'), ...more])).flags;
  expect(await flagsOf(int(TAGS.messageFlags, 0))).toMatchObject({
    isRead: false,
    isDraft: false,
    isSent: false,
  });
  expect(await flagsOf(int(TAGS.messageFlags, 9))).toMatchObject({ isRead: true, isDraft: true });
  expect(await flagsOf(int(TAGS.messageFlags, 0x21))).toMatchObject({ isSent: true });
  expect(await flagsOf(int(TAGS.flagStatus, 2))).toMatchObject({ isStarred: true });
});

test('a damaged attachment is reported, and its message is kept', async () => {
  const item = { properties: [int(TAGS.attachMethod, 1), text(TAGS.attachLongName, 'gone.doc')] };
  const items = await read(
    writePst({
      folders: [{ name: 'A', mails: [{ properties: mail('Kept', text(TAGS.body, 'b')), files: [item] }] }],
    }),
  );
  expect(items.map(({ kind }) => kind)).toEqual(['mail', 'broken']);
  expect(items[1]).toMatchObject({ name: 'gone.doc', reason: 'unsupported', folder: ['A'] });
});

test('contacts become vCards', async () => {
  const properties = [
    text(TAGS.messageClass, 'IPM.Contact'),
    text(TAGS.displayName, 'Ada, Day'),
    text(0x3a06, 'Ada'),
    text(0x3a11, 'Day'),
    text(0x3a16, 'Works; & Co'),
    text(0x3a1c, '+44 1'),
    text(TAGS.body, 'two\nlines'),
  ];
  const [item] = await read(writePst({ folders: [{ name: 'Contacts', mails: [{ properties }] }] }));
  expect(item).toMatchObject({ kind: 'contact', folder: ['Contacts'] });
  const card = item?.kind === 'contact' ? item.vcard : '';
  expect(card.split('\r\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:4.0',
    'FN:Ada\\, Day',
    'N:Day;Ada;;;',
    'ORG:Works\\; & Co;',
    'TEL;TYPE=cell:+44 1',
    'NOTE:two\\nlines',
    'END:VCARD',
    '',
  ]);
});

test('ANSI text is decoded with the code page of the message', async () => {
  const properties = [
    text(TAGS.messageClass, 'IPM.Note'),
    int(TAGS.messageCodePage, 1251),
    { id: TAGS.subject, type: 'text', value: '\xcf\xf0\xe8\xe2\xe5\xf2' } as const,
  ];
  const file = writePst({ isUnicode: false, folders: [{ name: 'A', mails: [{ properties }] }] });
  const [item] = mailsOf(await read(file)) as [MailItem];
  expect((await parsed(item)).subject).toBe('Привет');
});

test('HTML stored as text is used as it is', async () => {
  const item = await readOne(mail('x', text(TAGS.html, '<b>ünï</b>')));
  expect((await parsed(item)).html).toContain('<b>ünï</b>');
});

test('a body stored only as RTF yields its wrapped HTML', async () => {
  const rtf =
    '{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fswiss Arial;}}' +
    "{\\*\\htmltag19 <html>}{\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 caf\\'e9 \\u8364?\\htmlrtf }\\htmlrtf0 {\\*\\htmltag72 </p>}}";
  const header = new Uint8Array(16);
  new DataView(header.buffer).setUint32(4, rtf.length, true);
  new DataView(header.buffer).setUint32(8, 0x414c454d, true);
  const packed = Uint8Array.from([...header, ...latin1(rtf)]);
  const item = await readOne(mail('x', binary(TAGS.rtf, packed)));
  expect((await parsed(item)).html?.replace(/\s+/g, ' ')).toContain('<html><p>café €</p>');
});

test('texts of any length are read', async () => {
  const long = 'Ab ü '.repeat(20_000);
  const item = await readOne(
    mail('x', binary(TAGS.html, encodeText('x'.repeat(9_000), false)), text(TAGS.body, long)),
  );
  expect((await parsed(item)).text?.trim()).toBe(long.trim());
});
