// Several files of an import as one sequence of items, and a run that resumes at one of them.
import { writeMsg } from '@keyfold/testing/msg-file';
import { expect, test } from 'vitest';
import { zipOf } from '../../lib/zip.ts';
import { openFiles } from './import-files.ts';

const separator = 'From gus@outside.test Tue Mar  5 10:20:30 2019';
const message = (subject: string) => `From: a@x.test\nSubject: ${subject}\n\n${'Words\n'.repeat(500)}`;
const mbox = (name: string, ...subjects: readonly string[]) =>
  new File(
    subjects.map(subject => `${separator}\n${message(subject)}\n`),
    name,
  );
const given = () => [
  mbox('a.mbox', 'One', 'Two'),
  new File(['Just words'], 'b.txt'),
  new File([message('Three')], 'b.eml'),
  mbox('c.mbox', 'Four', 'Five', 'Six'),
];

test('contact files are distinguished from unsupported files', async () => {
  const { opened } = await openFiles([
    new File(['Just words'], 'notes.txt'),
    new File(['BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nEND:VCARD\r\n'], 'from-a-phone'),
    new File(['Name,Email\nAnn,ann@x.test\n'], 'People.CSV'),
  ]);
  expect(opened.refused.map(({ name, why }) => [name, why])).toEqual([
    ['notes.txt', 'not_this_format'],
    ['from-a-phone', 'contacts'],
    ['People.CSV', 'contacts'],
  ]);
});

test('reading can resume at any item of several files, with the progress restored', async () => {
  const files = await openFiles(given());
  const whole: { file: number; key: string; share: number }[] = [];
  for await (const { item, file } of files.items({}, null))
    whole.push({ file, key: item.key, share: files.share() });
  expect(whole.map(({ file }) => file)).toEqual([0, 0, 2, 3, 3, 3]);
  expect(files.share()).toBe(1);
  for (const [index, { file, key }] of whole.entries()) {
    const again = await openFiles(given());
    const share = whole[index]?.share ?? 0;
    const rest: { file: number; key: string }[] = [];
    for await (const one of again.items({}, { file, key, done: index, share })) {
      // The reported progress does not count again what was read before.
      if (rest.length === 0) expect(again.share()).toBe(share);
      rest.push({ file: one.file, key: one.item.key });
    }
    expect(rest).toEqual(whole.slice(index).map(one => ({ file: one.file, key: one.key })));
    expect(again.share()).toBe(1);
  }
});

test('an MBOX in an archive resumes at its message, with the progress restored', async () => {
  const subjects = Array.from({ length: 20 }, (_, at) => `Letter ${at}`);
  const packed = await zipOf([{ name: 'All.mbox', content: mbox('', ...subjects) }], new Date('2020-01-01'));
  const archive = new File([packed], 'archive.zip');
  const first = await openFiles([archive]);
  const whole: { key: string; share: number }[] = [];
  for await (const { item } of first.items({}, null)) {
    expect(item.canBegin).toBe(true);
    whole.push({ key: item.key, share: first.share() });
  }
  expect(whole).toHaveLength(20);
  const again = await openFiles([archive]);
  const { key = '', share = 0 } = whole[12] ?? {};
  const rest: string[] = [];
  for await (const { item } of again.items({}, { file: 0, key, done: 12, share })) {
    if (rest.length === 0) expect(again.share()).toBe(share);
    rest.push(item.key);
  }
  expect(rest).toEqual(whole.slice(12).map(one => one.key));
  expect(again.share()).toBeLessThanOrEqual(1);
});

test('Outlook .msg files are read beside others, and other documents in the same container format are refused', async () => {
  const msg = writeMsg({
    properties: [
      { id: 0x0037, type: 'text', value: 'Rechnung März' },
      { id: 0x0c1a, type: 'text', value: 'Carla' },
      { id: 0x5d01, type: 'text', value: 'carla@other.example' },
      { id: 0x1000, type: 'text', value: 'Words' },
    ],
  }) as Uint8Array<ArrayBuffer>;
  const lastModified = Date.UTC(2015, 1, 2);
  const other = writeMsg({ properties: [] }) as Uint8Array<ArrayBuffer>;
  const files = await openFiles([
    new File([message('One')], 'one.eml'),
    new File([msg], 'Rechnung.msg', { lastModified }),
    new File([other], 'table.xls'),
    new File([msg.subarray(0, 700)], 'cut.msg'),
  ]);
  expect(files.opened.refused.map(({ name, why }) => [name, why])).toEqual([
    ['table.xls', 'not_this_format'],
  ]);
  const items = [];
  for await (const { item } of files.items({}, null)) items.push(item);
  expect(items.map(({ kind }) => kind)).toEqual(['mail', 'mail', 'broken']);
  expect(items[1]).toMatchObject({ folder: [], receivedAt: new Date(lastModified), canBegin: true });
  expect(items[2]).toMatchObject({ name: 'cut.msg' });
});
