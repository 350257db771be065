// Imports from other programs through the page: a message of Apple Mail and a German Google export
// go to the right folders with their flags, and search finds them by the end of a compound word and
// by a number without spaces.
import { describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openFolder } from './support/mailbox.ts';
import { rowOf } from './support/people.ts';
import { useStory } from './support/story.ts';

const message = (subject: string, text: string) =>
  `From: Bert <bert@firm.example>\nTo: alice@keyfold.test\nSubject: ${subject}\nDate: Fri, 11 Apr 2025 15:36:11 +0200\nMessage-ID: <${subject}@firm.example>\nContent-Type: text/plain; charset=utf-8\n\n${text}\n`;

const before = 'Guten Tag, wie besprochen. '.repeat(10);
const apple = message('Apple', 'Body of the mail.');
const takeout = [
  [
    '=?UTF-8?Q?Posteingang,Wichtig,Ungelesen,"Kategorie:_Pers=C3=B6nlich",Projekte/Haus?=',
    'eins',
    `${before}Ihre Stromrechnung: IBAN DE89 3704 0044 0532 0130 00.`,
  ],
  ['Gesendet,Markiert', 'zwei', 'Viele Grüße'],
  ['Papierkorb,Ungelesen', 'drei', 'Weg damit'],
].map(
  ([labels = '', subject = '', text = '']) =>
    `From 1790000000000000001@xxx Fri Apr 11 13:36:11 +0000 2025\nX-GM-THRID: 1\nX-Gmail-Labels: ${labels}\n${message(subject, text)}\n`,
);

describe.skipIf(chromiumPath === null)('import from other programs (needs Chromium)', () => {
  const story = useStory();

  test('folders, flags and tags are imported with the messages, and search finds them', async () => {
    const { page, product } = story;
    await page.goto(`${product.baseUrl}/app/config/import`);
    await page.getByLabel('Choose files').setInputFiles([
      {
        name: '12.emlx',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(
          `312       \n${apple}<?xml version="1.0"?>\n<plist><dict><key>flags</key><integer>0</integer></dict></plist>\n`,
        ),
      },
      { name: 'Alle Nachrichten.mbox', mimeType: 'application/mbox', buffer: Buffer.from(takeout.join('')) },
    ]);
    await page.getByRole('button', { name: 'Start import' }).click();
    await page
      .getByRole('region', { name: 'Import', exact: true })
      .getByText(/^Finished/)
      .waitFor();
    await openFolder(page, product.baseUrl, 'sent');
    await rowOf(page, 'zwei').waitFor();
    await openFolder(page, product.baseUrl, 'deleted');
    await rowOf(page, 'drei').waitFor();
    await openFolder(page, product.baseUrl, 'Projekte/Haus');
    await rowOf(page, 'eins').waitFor();
    await openFolder(page, product.baseUrl, 'recieved');
    await rowOf(page, 'Apple').waitFor();
    expect(await page.getByText(/^(?:Ungelesen|Wichtig|Posteingang)$/).count()).toBe(0);
    const field = page.getByRole('combobox', { name: 'Search mail' });
    for (const typed of ['rechnung', 'DE89370400440532013000']) {
      await field.press('Escape');
      await field.fill(typed);
      await rowOf(page, 'eins').waitFor();
      await rowOf(page, 'eins')
        .getByText(/…\s.*Stromrechnung/)
        .waitFor();
    }
  });
});
