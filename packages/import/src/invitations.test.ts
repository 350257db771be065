// Invitations survive an import: whatever the file format, the message keeps its calendar part, and
// the part yields the card that the message view shows. A PST has no such part, so it is built from
// Outlook's own properties.
import { findCalendarFiles } from '@keyfold/mail/ics/find';
import { readInvitation } from '@keyfold/mail/ics/invitation';
import { parseMessage } from '@keyfold/mail/mime/parse';
import { writePst } from '@keyfold/testing/pst-file';
import { BlobWriter, TextReader, ZipWriter } from '@zip.js/zip.js';
import { expect, test } from 'vitest';
import { sourceOfBytes } from './byte-source.ts';
import { createEmlReader } from './eml/reader.ts';
import type { ImportItem } from './items.ts';
import { FAMILIES, TAGS } from './mapi/tags.ts';
import { createMboxReader } from './mbox/reader.ts';
import { openPst } from './pst/reader.ts';
import { createZipReader } from './zip/reader.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const calendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Other//EN',
  'METHOD:REQUEST',
  'BEGIN:VEVENT',
  'UID:tea@outside.test',
  'DTSTAMP:20190304T080000Z',
  'DTSTART:20190308T150000Z',
  'DTEND:20190308T160000Z',
  'SUMMARY:Tea',
  'ORGANIZER:mailto:eve@outside.test',
  'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ann@x.test',
  'END:VEVENT',
  'END:VCALENDAR',
];

const mail = [
  'From: eve@outside.test',
  'To: ann@x.test',
  'Subject: Tea',
  'Date: Mon, 04 Mar 2019 08:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="b"',
  '',
  '--b',
  'Content-Type: multipart/alternative; boundary="a"',
  '',
  '--a',
  'Content-Type: text/plain',
  '',
  'Come to tea.',
  '--a',
  'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
  'Content-Transfer-Encoding: 8bit',
  '',
  ...calendar,
  '--a--',
  '--b',
  'Content-Type: application/ics; name="invite.ics"',
  'Content-Disposition: attachment; filename="invite.ics"',
  'Content-Transfer-Encoding: base64',
  '',
  btoa(calendar.join('\r\n')).replace(/.{76}/g, '$&\r\n'),
  '--b--',
  '',
];

/** Returns the card of each message among the items, and the method stated by its calendar part. */
async function cardsOf(items: AsyncIterable<ImportItem>) {
  const cards = [];
  for await (const item of items) {
    if (item.kind !== 'mail') throw new Error(`This is ${item.kind}`);
    const { attachments } = await parseMessage(item.raw);
    const [first] = findCalendarFiles(attachments);
    const file = first === undefined ? undefined : attachments[first];
    if (file === undefined) throw new Error('The invitation is gone');
    const { method } = file;
    cards.push({
      part: method,
      count: findCalendarFiles(attachments).length,
      ...readInvitation(file.content, { now: new Date('2019-03-05T00:00:00Z'), zone: 'UTC', method }),
    });
  }
  return cards;
}

const tea = { part: 'REQUEST', method: 'REQUEST', summary: 'Tea', uid: 'tea@outside.test', count: 2 };

async function zipOf(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const zip = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false });
  await zip.add(name, new TextReader(mail.join('\r\n')));
  return new Uint8Array(await (await zip.close()).arrayBuffer());
}

test('reads an invitation from a single message, with CRLF or LF', async () => {
  for (const end of ['\r\n', '\n']) {
    const source = sourceOfBytes(bytes(mail.join(end)));
    expect(await cardsOf(createEmlReader(source, 'a.eml').items())).toMatchObject([tea]);
  }
});

test('reads invitations from an mbox', async () => {
  const separator = 'From eve@outside.test Mon Mar  4 08:00:00 2019\n';
  const source = sourceOfBytes(bytes(`${separator}${mail.join('\n')}\n${separator}${mail.join('\n')}\n`));
  expect(await cardsOf(createMboxReader(source).items())).toMatchObject([tea, tea]);
});

test('reads invitations from a Maildir and an archive of messages', async () => {
  for (const name of ['Maildir/cur/1.a.host:2,S', 'mail/a.eml']) {
    const reader = await createZipReader(sourceOfBytes(await zipOf(name)));
    expect(await cardsOf(reader.items())).toMatchObject([tea]);
  }
});

const text = (id: number, value: string) => ({ id, type: 'text', value }) as const;
const time = (id: number, value: string) => ({ id, type: 'time', value: new Date(value) }) as const;

test.each([
  ['IPM.Schedule.Meeting.Request', 'REQUEST'],
  ['IPM.Schedule.Meeting.Canceled', 'CANCEL'],
  ['IPM.Appointment', 'PUBLISH'],
])('creates an invitation from a PST item of class %s', async (kind, method) => {
  const file = writePst({
    names: [
      { family: FAMILIES.appointment, lid: 0x820d },
      { family: FAMILIES.appointment, lid: 0x820e },
      { family: FAMILIES.appointment, lid: 0x8208 },
    ],
    folders: [
      {
        name: 'Inbox',
        mails: [
          {
            properties: [
              text(TAGS.messageClass, kind),
              text(TAGS.subject, 'Tea'),
              text(TAGS.representingName, 'Eve'),
              text(TAGS.representingAddress, 'eve@outside.test'),
              text(TAGS.body, 'Come to tea.'),
              time(0x8000, '2019-03-08T15:00:00Z'),
              time(0x8001, '2019-03-08T16:00:00Z'),
              text(0x8002, 'The garden'),
            ],
            recipients: [
              [
                { id: TAGS.recipientType, type: 'int', value: 1 },
                text(TAGS.displayName, 'Ann'),
                text(TAGS.smtpAddress, 'ann@x.test'),
              ],
            ],
          },
        ],
      },
    ],
  });
  const [card] = await cardsOf((await openPst(sourceOfBytes(file))).items());
  expect(card).toMatchObject({ part: method, method, summary: 'Tea', location: 'The garden' });
  expect(card?.start).toMatchObject({ instant: '2019-03-08T15:00:00.000Z' });
  expect(card?.guests.map(({ address }) => address)).toContain('ann@x.test');
});
