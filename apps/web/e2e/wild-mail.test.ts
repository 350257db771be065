// Mail as real programs write it, from the wire to the screen: wrong or missing character set
// names, nonstandard dates, names split into pieces, paragraphs broken at column 70. Each case is
// written for this test; cases collected elsewhere take the same path when they are available.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMessageKey, decodeBase64, sealMessage } from '@keyfold/crypto/message';
import { summarize } from '@keyfold/mail/mime/summary';
import { runSql } from '@keyfold/testing/product-sql';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { clientOf } from './support/accounts.ts';
import { openFolder } from './support/mailbox.ts';
import { bringMails } from './support/outside.ts';
import { awaitMail, rowOf } from './support/people.ts';
import { useStory } from './support/story.ts';

/** Each character is one byte. */
type Wild = {
  readonly what: string;
  readonly fields: readonly string[];
  readonly body: string;
  /** Texts in the row. */
  readonly row: readonly string[];
  /** Texts in the opened message. */
  readonly text: readonly string[];
  readonly not?: RegExp;
  /** Details in the message header. */
  readonly details?: RegExp;
};

const plain = 'Content-Type: text/plain; charset=utf-8';
const eightBit = 'Content-Transfer-Encoding: 8bit';
const calendar = 'Content-Type: text/calendar; charset=utf-8; method=REQUEST';

const event = (times: readonly string[], above: readonly string[] = []): string =>
  [
    'BEGIN:VCALENDAR',
    'PRODID:-//Wild//EN',
    'VERSION:2.0',
    'METHOD:REQUEST',
    ...above,
    'BEGIN:VEVENT',
    `UID:${times.at(-1)}`,
    'DTSTAMP:20260301T111213Z',
    'SUMMARY:Walk by the river',
    ...times,
    'ORGANIZER;CN=Wilma:mailto:wild@outside.test',
    'ATTENDEE;CN=Alice;RSVP=TRUE;PARTSTAT=NEEDS-ACTION:mailto:alice@keyfold.test',
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');

const wilds: readonly Wild[] = [
  {
    what: 'Windows bytes under the name of UTF-8',
    fields: ['Subject: Case 1', plain, eightBit],
    body: 'Sch\xf6ne Gr\xfc\xdfe aus Z\xfcrich, 20 \x80',
    row: ['Case 1', 'Schöne Grüße aus Zürich, 20 €'],
    text: ['Schöne Grüße aus Zürich, 20 €'],
  },
  {
    what: 'a set that only the HTML names',
    fields: ['Subject: Case 2', 'Content-Type: text/html', eightBit],
    body: '<html><head><meta charset="windows-1251"></head><body><p>\xc4\xee\xe1\xf0\xfb\xe9 \xe4\xe5\xed\xfc</p></body></html>',
    row: ['Case 2', 'Добрый день'],
    text: ['Добрый день'],
  },
  {
    what: 'the name of a file in raw bytes',
    fields: ['Subject: Case 3', 'Content-Type: multipart/mixed; boundary=edge'],
    body: [
      '--edge',
      plain,
      '',
      'See the file.',
      '--edge',
      'Content-Type: application/pdf',
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: attachment; filename="R\xe9sum\xe9 d\'ao\xfbt.pdf"',
      '',
      'JVBERi0xLjQK',
      '--edge--',
    ].join('\r\n'),
    row: ['Case 3'],
    text: ["Résumé d'août.pdf"],
  },
  {
    what: 'Korean of Windows',
    fields: [
      'Subject: =?ks_c_5601-1987?B?jGO55rCix88gvIS9w8TdtvM=?= Case 4',
      'Content-Type: text/plain; charset=ks_c_5601-1987',
      eightBit,
    ],
    body: '\x8cc\xb9\xe6\xb0\xa2\xc7\xcf \xbc\x84\xbd\xc3\xc4\xdd\xb6\xf3',
    row: ['똠방각하 펲시콜라'],
    text: ['똠방각하 펲시콜라'],
  },
  {
    what: 'Cantonese in Big5',
    fields: ['Subject: Case 5', 'Content-Type: text/plain; charset=big5-hkscs', eightBit],
    body: '\x9d\xef\x9d\xcf\x9d\xf6\xab\xd7 \x95\xda\xae\xcd',
    row: ['嘅嘢喺度 啱晒'],
    text: ['嘅嘢喺度 啱晒'],
  },
  {
    what: 'raw headers in the set of the body',
    fields: [
      'Subject: \xf3\xd4\xc1\xd4\xd8\xd1 Case 6',
      'Content-Type: text/plain; charset=koi8-r',
      eightBit,
      'From: \xe9\xd7\xc1\xce \xf0\xc5\xd4\xd2\xcf\xd7 <ivan@ru.example>',
    ],
    body: '\xeb\xc1\xcb \xc4\xc5\xcc\xc1?',
    row: ['Статья Case 6', 'Иван Петров', 'Как дела?'],
    text: ['Как дела?'],
  },
  {
    what: 'UTF-8 under the name of Latin 2',
    fields: [
      'Subject: =?iso-8859-2?Q?Wyci=C4=85g?= Case 7',
      'Content-Type: text/plain; charset=iso-8859-2',
      eightBit,
    ],
    body: Buffer.from('Dzień dobry, załącznik czeka.').toString('latin1'),
    row: ['Wyciąg Case 7', 'Dzień dobry, załącznik czeka.'],
    text: ['Dzień dobry, załącznik czeka.'],
  },
  {
    what: 'a date with the month of another language',
    fields: ['Subject: Case 8', 'Date: lun. 14 janv. 2008 09:05:00 +0100', plain],
    body: 'Bonjour',
    row: ['Case 8'],
    details: /January 14, 2008/,
    text: ['Bonjour'],
  },
  {
    what: 'a date with the name of its zone',
    fields: ['Subject: Case 9', 'Date: Mon, 14 Jan 2008 09:05:00 AEDT', plain],
    body: 'Hello',
    row: ['Case 9'],
    details: /January 1[34], 2008/,
    text: ['Hello'],
  },
  {
    what: 'a date without a zone',
    fields: ['Subject: Case 14', 'Date: Mon, 14 Jan 2008 09:05:00', plain],
    body: 'Hello',
    row: ['Case 14'],
    details: /January 14, 2008.*no time zone given, UTC assumed/,
    text: ['Hello'],
  },
  {
    what: 'a way off a list without brackets',
    fields: ['Subject: Case 10', 'List-Unsubscribe: https://lists.example/u/99', plain],
    body: 'News',
    row: ['Case 10'],
    text: ['Unsubscribe'],
  },
  {
    what: 'paragraphs that the sender broke',
    fields: ['Subject: Case 11', `${plain}; format=flowed`],
    body: 'One paragraph that was broken \r\nhere, and ends there.\r\n\r\nAnother one.',
    row: ['Case 11', 'One paragraph that was broken here, and ends there.'],
    text: ['One paragraph that was broken here, and ends there.'],
  },
  {
    what: 'a bracket too many behind an address',
    fields: ['Subject: Case 12', 'From: ana@wild.example>', plain],
    body: 'Hi',
    row: ['Case 12', 'ana@wild.example'],
    text: ['ana@wild.example'],
    not: /wild\.example>/,
  },
  {
    what: 'the name of a file in pieces, each with its own rules',
    fields: ['Subject: Case 13', 'Content-Type: multipart/mixed; boundary=edge'],
    body: [
      '--edge',
      plain,
      '',
      'See the plan.',
      '--edge',
      'Content-Type: application/pdf; name*0="Plan "; name*1*=utf-8\'\'%E2%9C%93.pdf',
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: base64',
      '',
      'JVBERi0xLjQK',
      '--edge--',
    ].join('\r\n'),
    row: ['Case 13'],
    text: ['Plan ✓.pdf'],
  },
  {
    what: 'a way off a list in encoded words, over two lines',
    fields: [
      'Subject: Case 15',
      'List-Unsubscribe: =?us-ascii?Q?=3Cmailto=3Aoff=40lists=2Eexample=3E=2C?=\r\n =?us-ascii?Q?=3Chttps=3A=2F=2Flists=2Eexample=2Fu=2F77=3E?=',
      plain,
    ],
    body: 'News',
    row: ['Case 15'],
    text: ['Unsubscribe'],
  },
  {
    what: 'a list that sends its old mail again and proves nothing',
    fields: [
      'Subject: Case 16',
      'Date: Tue, 03 Feb 2026 10:15:00 +0100',
      'List-Unsubscribe: https://lists.example/u/16',
      plain,
    ],
    body: 'News of February',
    row: ['Case 16', 'News of February'],
    text: ['Unsubscribe'],
  },
  {
    what: 'an invitation that is all of a mail, in a zone by its name on the screen',
    fields: ['Subject: Case 17', calendar],
    body: event([
      'DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien":20280715T090000',
      'DTEND;TZID="(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien":20280715T100000',
    ]),
    row: ['Case 17'],
    text: ['Saturday, July 15, 2028 at 7:00 AM – 8:00 AM', '9:00 AM – 10:00 AM in Europe'],
    not: /BEGIN:|damaged/,
  },
  {
    what: 'an invitation in the zone of its calendar',
    fields: ['Subject: Case 18', calendar],
    body: event(['DTSTART:20280715T090000', 'DTEND:20280715T100000'], ['X-WR-TIMEZONE:America/New_York']),
    row: ['Case 18'],
    text: ['Saturday, July 15, 2028 at 1:00 PM – 2:00 PM'],
    not: /BEGIN:|damaged/,
  },
  {
    what: 'a whole day as Exchange writes it',
    fields: ['Subject: Case 19', calendar],
    body: event([
      'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      'DTSTART;TZID=W. Europe Standard Time:20280706T000000',
      'DTEND;TZID=W. Europe Standard Time:20280707T000000',
    ]),
    row: ['Case 19'],
    text: ['Thursday, July 6, 2028'],
    not: /BEGIN:|damaged|July 5|July 7|2028 at/,
  },
];

const sender = 'wild@outside.test';
const to = 'alice@keyfold.test';

function rawOf({ fields, body }: Wild, index: number): Buffer {
  const has = (name: string) => fields.some(field => field.startsWith(`${name}:`));
  const lines = [
    ...(has('From') ? [] : [`From: Wilma Wild <${sender}>`]),
    `To: ${to}`,
    ...(has('Date') ? [] : [`Date: ${new Date().toUTCString().replace('GMT', '+0000')}`]),
    `Message-ID: <wild-${index}@outside.test>`,
    'MIME-Version: 1.0',
    ...fields,
    '',
    body,
    '',
  ];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

const invitation = { what: '', row: [], text: [] };
const casesFolder = fileURLToPath(new URL('../../../../shared/data/cases/', import.meta.url));
const noCases = 'skipped: ../shared/data/cases is not there';

/** Expected texts of the collected cases when opened; other tests import files of other kinds. */
const collected: Readonly<Record<string, readonly string[]>> = {
  '01-tnef-winmail.eml': ['Offer 2231 Müller.pdf'],
  '06-format-flowed.eml': [
    "This is one paragraph that the sender's program broke at some seventy columns, and which is to be one line again",
  ],
  '08-utf8-label-cp1252-bytes.eml': ['Grüße aus Köln, das Menü kostet 12 €.'],
  '08c-html-meta-charset-only.eml': ['Zażółć gęślą jaźń'],
  '11c-name-latin1-raw.eml': ['Übersicht März.pdf'],
  '15-rfc822-attachment.eml': ['Rechnung'],
  '18d-ks-c-5601.eml': ['회의입니다'],
  '20-raw-koi8r-headers.eml': ['Иван Петров', 'Привет из Москвы', 'Как дела?'],
  '21-latin1-label-utf8-bytes.eml': ['Wyciąg', 'Dzień dobry, proszę zobaczyć załącznik.'],
  '22-date-localised-month.eml': ['Hola'],
  '22b-date-named-zone.eml': ['Hallo'],
  '15b-msg-attachment.eml': ['Rechnung.msg'],
  '50-unsub-encoded-word.eml': ['Unsubscribe'],
  '52-unsub-no-brackets.eml': ['Unsubscribe'],
  '35b-ics-outlook-display-zone-undescribed.ics': ['Wednesday, July 15, 2026 at 7:00 AM'],
  '36-ics-xwr-timezone-floating.ics': ['Wednesday, July 15, 2026 at 1:00 PM'],
  '37b-ics-allday-as-midnight.ics': ['Monday, July 6, 2026'],
};

describe.skipIf(chromiumPath === null)('mail from real-world programs (needs Chromium)', () => {
  const story = useStory();
  let page: Page;
  const reader = () => page.getByRole('region', { name: 'Conversation' }).or(page.getByRole('main'));
  /** Returns all text shown for the open message, including its frame. */
  async function saidText(): Promise<string> {
    await page.getByRole('status', { name: 'Decrypting' }).first().waitFor({ state: 'detached' });
    const isFramed = (await page.locator('iframe[title="Message body"]').count()) > 0;
    const frame = page.frameLocator('iframe[title="Message body"]').locator('body');
    const inFrame = isFramed ? await frame.innerText({ timeout: 1_000 }).catch(() => '') : '';
    return `${await reader().first().innerText()}\n${inFrame}`.replace(/\s+/g, ' ');
  }

  /** Stores the newest message as if it had arrived with this summary. */
  const garble = async (
    client: Awaited<ReturnType<typeof clientOf>>,
    summary: Awaited<ReturnType<typeof summarize>>,
    raw: Uint8Array,
  ): Promise<void> => {
    const { data } = await client.mail.query({ view: 'summary', count: 1 });
    const { data: found } = await client.mail.keys({ users: [to] });
    const [own] = found;
    if (own === undefined || 'plaintext' in own) throw new Error('No keys');
    const sealed = await sealMessage({
      payload: raw,
      messageKey: createMessageKey(),
      recipients: [
        {
          email: to,
          mlkem_public: decodeBase64(own.mlkem_public),
          dh_public: decodeBase64(own.dh_public),
          fingerprint: own.fingerprint,
        },
      ],
      summary,
    });
    const [entry] = sealed.recipients;
    if (entry === undefined || !('mlkem_ciphertext' in entry)) throw new Error('Not sealed');
    const columns = {
      summary: sealed.summary,
      binding: sealed.binding,
      ciphertext: entry.mlkem_ciphertext,
      encrypted_key: entry.second_stage_key_encrypted,
      salt: entry.salt,
      dh_public: sealed.public_key,
    };
    const set = Object.entries(columns).map(([name, value]) => `${name} = decode('${value}', 'base64')`);
    const id = data[0]?.id;
    const bytes = `decode('${sealed.message_encrypted}', 'base64')`;
    const { product } = story;
    await runSql(
      product,
      `update mails set ${set.join(', ')}, own_key = null, own_salt = null where id = '${id}'`,
    );
    expect(await runSql(product, `update mail_bodies set body = ${bytes} where mail_id = '${id}'`)).toBe(
      'UPDATE 1',
    );
  };

  beforeAll(async () => {
    ({ page } = story);
    await bringMails(
      story.product.smtpPort,
      wilds.map((wild, index) => ({ from: sender, to, write: () => rawOf(wild, index + 1) })),
    );
  });

  test.each(wilds.map(wild => [wild.what, wild] as const))('%s', async (_, wild) => {
    const name = /Case \d+/.exec(wild.fields.join('\n'))?.[0] ?? '';
    await openFolder(page, story.product.baseUrl, 'recieved');
    await awaitMail(page, name);
    const row = page
      .getByRole('list', { name: 'Messages' })
      .getByRole('listitem')
      .filter({ hasText: new RegExp(`${name}(?!\\d)`) })
      .first();
    for (const words of wild.row) await expect.poll(() => row.innerText()).toContain(words);
    expect(await row.innerText()).not.toContain('\uFFFD');
    await row.getByRole('link').first().click();
    for (const words of wild.text) await expect.poll(saidText).toContain(words);
    if (wild.details !== undefined) {
      await page.getByRole('article').getByRole('button', { name: /^to / }).click();
      await expect.poll(saidText).toMatch(wild.details);
    }
    const said = await saidText();
    expect(said).not.toContain('\uFFFD');
    if (wild.not !== undefined) expect(said).not.toMatch(wild.not);
  });

  test('a garbled row is corrected once its message is opened, here and on other devices', async () => {
    const raw = rawOf(
      { what: '', fields: ['Subject: Case 40 Gr\xfc\xdfe', plain], body: 'Sch\xf6n.', row: [], text: [] },
      40,
    );
    await bringMails(story.product.smtpPort, [{ from: sender, to, write: () => raw }]);
    await openFolder(page, story.product.baseUrl, 'recieved');
    await awaitMail(page, 'Case 40');
    const client = await clientOf(story.person, story.product.baseUrl);
    const right = await summarize(raw, new Date().toISOString());
    await garble(client, { ...right, subject: 'Case 40 Gr\ufffd\ufffde', snippet: 'Sch\ufffdn.' }, raw);
    const mended: string[] = [];
    page.on('request', request => {
      if (request.url().endsWith('/user/mend_summary')) mended.push(request.url());
    });
    await page.reload();
    await expect.poll(() => rowOf(page, 'Case 40').innerText()).toContain('Gr\ufffd\ufffde');
    await rowOf(page, 'Case 40').getByRole('link').first().click();
    await expect.poll(() => rowOf(page, 'Case 40').innerText()).toContain('Schön.');
    await expect.poll(() => mended.length).toBe(1);
    // What a device that has never opened it receives.
    for (const _ of [1, 2]) {
      await openFolder(page, story.product.baseUrl, 'recieved');
      await page.reload();
      await expect.poll(() => rowOf(page, 'Case 40').innerText()).toContain('Case 40 Grüße');
      await rowOf(page, 'Case 40').getByRole('link').first().click();
      await expect.poll(saidText).toContain('Schön.');
    }
    expect(mended).toHaveLength(1);
  });

  test('the collected cases show the expected text', async context => {
    if (!existsSync(casesFolder)) return context.skip(noCases);
    const files = readdirSync(casesFolder).filter(file => file in collected);
    expect(files.length).toBe(Object.keys(collected).length);
    await bringMails(
      story.product.smtpPort,
      files.map((file, index) => ({
        from: sender,
        to,
        write: () => {
          const raw = readFileSync(path.join(casesFolder, file), 'latin1');
          return file.endsWith('.ics')
            ? rawOf({ ...invitation, fields: [`Subject: ${file}`, calendar], body: raw }, 100 + index)
            : Buffer.from(
                raw.replace(/^Subject:[^\r\n]*/m, field => `${field} ${file}`),
                'latin1',
              );
        },
      })),
    );
    for (const file of files) {
      await openFolder(page, story.product.baseUrl, 'recieved');
      await awaitMail(page, file);
      await rowOf(page, file).getByRole('link').first().click();
      for (const words of collected[file] ?? [])
        await expect.poll(saidText, { message: file }).toContain(words);
      expect(await saidText(), file).not.toContain('\uFFFD');
    }
  });
});
