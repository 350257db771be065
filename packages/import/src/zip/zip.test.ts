// Mail archives: single messages, Maildirs, mbox files, and malicious archives.

import { type TestMsg, writeMsg } from '@keyfold/testing/msg-file';
import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import { expect, test } from 'vitest';
import { sourceOfBytes } from '../byte-source.ts';
import { decodeFolderName } from '../folder-name.ts';
import { findFormat } from '../format.ts';
import type { ImportItem, ReadOptions } from '../items.ts';
import { TAGS } from '../mapi/tags.ts';
import { placeOfEntry } from './place.ts';
import { createZipReader } from './reader.ts';

const mail = (subject: string) => `From: a@x.test\r\nSubject: ${subject}\r\n\r\nText\r\n`;

async function archive(files: Readonly<Record<string, string | Uint8Array>>, password?: string) {
  const zip = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false });
  for (const [name, content] of Object.entries(files))
    await zip.add(
      name,
      typeof content === 'string' ? new TextReader(content) : new Uint8ArrayReader(content),
      password === undefined ? {} : { password },
    );
  return new Uint8Array(await (await zip.close()).arrayBuffer());
}

async function all(bytes: Uint8Array<ArrayBuffer>, options: ReadOptions = {}): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  for await (const item of (await createZipReader(sourceOfBytes(bytes))).items(options)) items.push(item);
  return items;
}

const subjectOf = (item: ImportItem) =>
  item.kind === 'mail' ? /Subject: (.*)\r/.exec(new TextDecoder().decode(item.raw))?.[1] : item.kind;

test('a Maildir keeps its folders and flags', async () => {
  const bytes = await archive({
    'Maildir/cur/1.a.host:2,S': mail('read'),
    'Maildir/new/2.a.host': mail('new'),
    'Maildir/.Work.Projects/cur/3.a.host;2,FS': mail('work'),
    'Maildir/.Entw&APw-rfe/cur/4.a.host:2,DS': mail('draft'),
    'Maildir/tmp/5.a.host': mail('half'),
    'Maildir/dovecot-uidlist': '3 V1 N2',
  });
  expect(await findFormat(sourceOfBytes(bytes))).toBe('zip');
  const items = await all(bytes);
  expect(items.map(item => [item.folder.join('/'), subjectOf(item)])).toEqual([
    ['Inbox', 'read'],
    ['Inbox', 'new'],
    ['Work/Projects', 'work'],
    ['Entwürfe', 'draft'],
  ]);
  expect(items.map(item => item.kind === 'mail' && item.flags)).toMatchObject([
    { isRead: true },
    { isRead: false },
    { isRead: true, isStarred: true },
    { isDraft: true },
  ]);
  const reader = await createZipReader(sourceOfBytes(bytes));
  expect(await reader.outline()).toEqual([
    { folder: ['Inbox'], itemCount: 2 },
    { folder: ['Work', 'Projects'], itemCount: 1 },
    { folder: ['Entwürfe'], itemCount: 1 },
  ]);
});

test('recognizes messages, mbox files, vCards and files without an extension, and reads from any', async () => {
  const mbox = `From a@x.test Tue Mar  5 10:20:30 2019\n${mail('boxed')}\n`;
  const bytes = await archive({
    'Takeout/Mail/Work/one.eml': mail('single'),
    'Takeout/Mail/All.mbox': mbox + mbox,
    'Takeout/Mail/Apple.mbox/mbox': mbox,
    'Takeout/Mail/Plain': mbox,
    'Takeout/readme.html': '<p>no mail</p>',
    'Takeout/Contacts/all.vcf': 'BEGIN:VCARD\nFN:A\nEND:VCARD\nBEGIN:VCARD\nFN:B\nEND:VCARD\n',
    'Takeout/more.zip': 'PK',
    '__MACOSX/Takeout/Mail/._All.mbox': 'x',
  });
  const items = await all(bytes);
  expect(items.map(item => `${item.folder.join('/')} ${subjectOf(item)}`)).toEqual([
    'Work single',
    'All boxed',
    'All boxed',
    'Apple boxed',
    'Plain boxed',
    ' contact',
    ' contact',
    ' broken',
  ]);
  expect(new Set(items.map(item => item.key)).size).toBe(items.length);
  // A later reading can begin at any file of the archive, and at any message of an mbox.
  const beginnable = items.filter(({ canBegin }) => canBegin);
  expect(beginnable).toHaveLength(7);
  for (const { key } of beginnable)
    expect(await all(bytes, { from: key })).toEqual(items.slice(items.findIndex(one => one.key === key)));
  expect(await all(bytes, { from: '77777' })).toEqual(items);
  const chosen = await all(bytes, { isWanted: folder => folder[0] === 'Work' });
  expect(chosen.map(subjectOf)).toContain('single');
  expect(chosen.map(subjectOf)).not.toContain('boxed');
  // Files outside every selectable folder are imported or reported.
  expect(chosen.map(({ kind }) => kind).toSorted()).toEqual(['broken', 'contact', 'contact', 'mail']);
  const done = new Set(items.slice(0, 2).map(item => item.key));
  expect((await all(bytes, { isDone: key => done.has(key) })).map(item => item.key)).toEqual(
    items.slice(2).map(item => item.key),
  );
});

test.each([
  ['stored', 0],
  ['deflated', 6],
])('an mbox that is %s is read from any message on, without reading what precedes it', async (_, level) => {
  const separator = 'From a@x.test Tue Mar  5 10:20:30 2019\r\n';
  // A message that does not compress well, with a count that spans a line like a separator.
  const noise = (at: number) =>
    Array.from({ length: 2_000 }, (_, line) => ((at * 7_919 + line * 104_729) % 1_000_003).toString(36)).join(
      '\r\n',
    );
  const inner = `${separator}words\r\n`;
  const counted = `Content-Length: ${inner.length}\r\n${mail('counted').slice(0, -6)}${inner}`;
  const letters = Array.from({ length: 30 }, (_, at) =>
    at === 11 ? counted : `${mail(`${at}`)}${noise(at)}\r\n`,
  );
  const zip = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false });
  await zip.add('first.eml', new TextReader(mail('first')));
  const boxed = letters.map(one => `${separator}${one}\r\n`).join('');
  await zip.add('in/old.mbox', new TextReader(boxed), { level });
  await zip.add('last.eml', new TextReader(mail('last')));
  const bytes = new Uint8Array(await (await zip.close()).arrayBuffer());
  const items = await all(bytes);
  expect(items).toHaveLength(letters.length + 2);
  for (const [index, { key, canBegin }] of items.entries()) {
    if (canBegin) expect(await all(bytes, { from: key })).toEqual(items.slice(index));
  }
  expect(items.filter(({ canBegin }) => canBegin).length).toBeGreaterThan(letters.length - 2);
  const mailKey = items[25]?.key ?? '';
  const [entry = ''] = mailKey.split(':');
  // When no message begins there, or past the end, the whole file is read.
  for (const from of [`${entry}:5`, `${entry}:${boxed.length}`, `${entry}:x`])
    expect(await all(bytes, { from })).toEqual(items.slice(1));
  const reads: number[] = [];
  const inMemory = sourceOfBytes(bytes);
  const reader = await createZipReader({
    size: inMemory.size,
    read: async (offset, length) => {
      const found = await inMemory.read(offset, length);
      reads.push(found.length);
      return found;
    },
  });
  reads.length = 0;
  const rest = reader.items({ from: mailKey })[Symbol.asyncIterator]();
  expect((await rest.next()).value).toEqual(items[25]);
  await rest.return?.(undefined);
  const readBytes = reads.reduce((sum, length) => sum + length, 0);
  if (level === 0) expect(readBytes).toBeLessThan(boxed.length * 0.3);
  const stop = new AbortController();
  stop.abort(new Error('cancelled'));
  const canceled = reader.items({ from: mailKey, signal: stop.signal })[Symbol.asyncIterator]();
  await expect(canceled.next()).rejects.toThrow('cancelled');
});

test('file names with dots, system names or draft folders lose no message', async () => {
  const mbox = `From a@x.test Tue Mar  5 10:20:30 2019\n${mail('boxed')}\n`;
  const bytes = await archive({
    'Mail/Project 2.0': mbox,
    'Mail/v1.5': mbox,
    'Mail/constructor': mbox,
    'Mail/notes.__proto__': mbox,
    'Mail/Courier invoice.eml': mail('courier'),
    'Mail/Dovecote.eml': mail('pigeons'),
    'Mail/subscriptions.mbox': mbox,
    'Mail/tmp/trip.eml': mail('trip'),
    'Mail/tmp/cur/1.host:2,S': mail('state'),
    'Mail/list/17': mail('numbered'),
    'Mail/Project 2.0.msf': 'index',
    'Mail/scan.pdf': '%PDF-1.7',
    'Mail/notes.txt': 'no mail at all\n\nnone',
    'Mail/dovecot.index.log': mail('none'),
    'Mail/courierimapkeywords/list': 'none',
    'Mail/empty': '',
    'Maildir/new/1.host': mail('new'),
    'Maildir/tmp/2.host': mail('half'),
  });
  const items = await all(bytes);
  expect(items.map(item => `${item.folder.join('/')}: ${subjectOf(item)}`).sort()).toEqual([
    'Mail/Project 2.0: boxed',
    'Mail/constructor: boxed',
    'Mail/list: numbered',
    'Mail/notes.__proto__: boxed',
    'Mail/subscriptions: boxed',
    'Mail/tmp: state',
    'Mail/tmp: trip',
    'Mail/v1.5: boxed',
    'Mail: courier',
    'Mail: pigeons',
    'Maildir: new',
  ]);
  const folders = (await (await createZipReader(sourceOfBytes(bytes))).outline()).map(({ folder }) => folder);
  expect(new Set(folders.map(folder => folder.join('/')))).toEqual(
    new Set(items.map(item => item.folder.join('/'))),
  );
});

test('Apple Mail messages keep their folders, and container folders are left out of the names', async () => {
  const apple = (subject: string) =>
    `${mail(subject).length}\n${mail(subject)}<plist><dict><key>flags</key><integer>0</integer></dict></plist>`;
  const uuid = '0F9A7B3C-1D2E-4F56-8A9B-0C1D2E3F4A5B';
  const folders = async (files: Record<string, string>) =>
    (await all(await archive(files))).map(item => `${item.folder.join('/')}: ${subjectOf(item)}`);
  expect(
    await folders({
      [`Mail/V10/${uuid}/INBOX.mbox/${uuid}/Data/1/2/Messages/12.emlx`]: apple('in'),
      [`Mail/V10/${uuid}/Projects.mbox/2024.mbox/${uuid}/Data/Messages/13.partial.emlx`]: apple('deep'),
      [`Mail/V10/${uuid}/Projects.mbox/2024.mbox/${uuid}/Data/Attachments/13/2/inner.eml`]: mail('a file'),
      'Mail/V10/MailData/Envelope Index': 'SQLite format 3',
    }),
  ).toEqual(['INBOX: in', 'Projects/2024: deep']);
  const boxed = `From a@x.test Tue Mar  5 10:20:30 2019\n${mail('boxed')}\n`;
  expect(await folders({ 'Projects/2024/Berlin.mbox': boxed })).toEqual(['Projects/2024/Berlin: boxed']);
  expect(await folders({ 'Mail/Local Folders/Projects.sbd/2024.sbd/Berlin': boxed })).toEqual([
    'Projects/2024/Berlin: boxed',
  ]);
  expect(
    await folders({ 'Projects/2024/Berlin/1.eml': mail('a'), 'Projects/2024/Rome/2.eml': mail('b') }),
  ).toEqual(['Projects/2024/Berlin: a', 'Projects/2024/Rome: b']);
  expect(await folders({ 'Takeout/Nachrichten/Arbeit.mbox': boxed })).toEqual(['Arbeit: boxed']);
});

test('a file that unpacks to far more than its size is reported, and the others are read', async () => {
  const bomb = new Uint8Array(60 * 1024 * 1024);
  bomb.set(new TextEncoder().encode(mail('bomb')));
  const items = await all(
    await archive({ 'a/bomb.eml': bomb, 'a/bomb.mbox': bomb, 'b/fine.eml': mail('fine') }),
  );
  expect(items.at(-1)?.kind).toBe('mail');
  expect(items.filter(item => item.kind === 'broken')).toHaveLength(2);
  expect(items[0]).toMatchObject({ kind: 'broken', reason: 'too_large', name: 'bomb.eml' });
}, 30_000);

test('encrypted, damaged and truncated archives are reported', async () => {
  const locked = await all(await archive({ 'a.eml': mail('locked') }, 'secret'));
  expect(locked).toMatchObject([{ kind: 'broken', reason: 'encrypted', name: 'a.eml' }]);
  const bytes = await archive({ 'x/a.eml': mail('one').repeat(50), 'y/b.eml': mail('two') });
  bytes[60] = (bytes[60] as number) ^ 0xff;
  const items = await all(bytes);
  expect(items.map(item => item.kind)).toEqual(['broken', 'mail']);
  await expect(all(bytes.slice(0, bytes.length - 40))).rejects.toMatchObject({ name: 'ImportError' });
  await expect(all(crypto.getRandomValues(new Uint8Array(5_000)))).rejects.toMatchObject({ code: 'damaged' });
});

test('paths never lead outside the archive, and folder names are decoded as in IMAP', () => {
  expect(placeOfEntry('../../etc/passwd').kind).toBe('none');
  expect(placeOfEntry('a/Inbox.sbd/Work').folder).toEqual(['a', 'Inbox', 'Work']);
  expect(decodeFolderName('Gesendet &- &ZeVnLIqe-')).toBe('Gesendet & 日本語');
  expect(decodeFolderName('&-a')).toBe('&a');
});

const msgOf = (subject: string, more: TestMsg['properties'] = []): Uint8Array =>
  writeMsg({
    properties: [
      { id: TAGS.subject, type: 'text', value: subject },
      { id: TAGS.senderName, type: 'text', value: 'Carla Example' },
      { id: TAGS.senderSmtp, type: 'text', value: 'carla@other.example' },
      { id: TAGS.submitTime, type: 'time', value: new Date('2019-03-02T08:00:00Z') },
      { id: TAGS.body, type: 'text', value: 'Grüße' },
      ...more,
    ],
    files: [
      {
        properties: [{ id: TAGS.attachLongName, type: 'text', value: 'plan.pdf' }],
        content: new TextEncoder().encode('%PDF-1.4 plan'),
      },
    ],
  });

test('Outlook messages in an archive are read among other files', async () => {
  const bytes = await archive({
    'Work/Angebot.msg': msgOf('Angebot März', [
      { id: TAGS.messageFlags, type: 'int', value: 1 },
      { id: TAGS.flagStatus, type: 'int', value: 2 },
    ]),
    'Work/plain.eml': mail('plain'),
    'Work/text inside.MSG': mail('named so'),
    'Work/draft.msg': msgOf('Draft', [{ id: TAGS.messageFlags, type: 'int', value: 8 }]),
    'Work/ann.msg': msgOf('Ann', [{ id: TAGS.messageClass, type: 'text', value: 'IPM.Contact' }]),
    'Work/cut.msg': msgOf('Cut').subarray(0, 1_000),
    'Work/table': new Uint8Array(msgOf('Not named')).fill(0, 600),
    'Other/x.eml': mail('other'),
  });
  const reader = await createZipReader(sourceOfBytes(bytes));
  expect(await reader.outline()).toEqual([
    { folder: ['Work'], itemCount: 6 },
    { folder: ['Other'], itemCount: 1 },
  ]);
  const items = await all(bytes);
  expect(items.map(item => (item.kind === 'broken' ? [item.name, item.reason] : subjectOf(item)))).toEqual([
    '=?UTF-8?Q?Angebot_M=C3=A4rz?=',
    'plain',
    'named so',
    'Draft',
    ['Ann', 'unsupported'],
    ['cut.msg', expect.stringMatching(/^(?:damaged|cut_short)$/)],
    'other',
  ]);
  expect(items[0]).toMatchObject({
    folder: ['Work'],
    receivedAt: new Date('2019-03-02T08:00:00Z'),
    flags: { isRead: true, isStarred: true, isDraft: false, isSent: false },
  });
  expect(items[3]).toMatchObject({ flags: { isRead: false, isDraft: true } });
  const raw = items[0]?.kind === 'mail' ? new TextDecoder().decode(items[0].raw) : '';
  expect(raw).toContain('From: Carla Example <carla@other.example>');
  expect(raw).toContain('plan.pdf');
  expect(await all(bytes, { isDone: key => key === items[0]?.key })).toHaveLength(items.length - 1);
});
