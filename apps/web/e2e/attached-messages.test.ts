// Attachments that contain other messages: winmail.dat, .eml and Outlook's .msg arrive over SMTP
// and open in place, on desktop and phone, without blocking the page.
import { type TestMsg, writeMsg } from '@keyfold/testing/msg-file';
import { writeTnef } from '@keyfold/testing/tnef-file';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openFolder } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { openMail } from './support/people.ts';
import { useStory } from './support/story.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (id: number, value: string) => ({ id, type: 'text', value }) as const;
const int = (id: number, value: number) => ({ id, type: 'int', value }) as const;
const binary = (id: number, value: Uint8Array) => ({ id, type: 'binary', value }) as const;
const to = 'alice@keyfold.test';
const pdf = utf8('%PDF-1.4\n%%EOF\n');

const tnefWith = (content: Uint8Array, html: string) =>
  writeTnef({
    subject: 'Offer 2231',
    properties: [binary(0x1013, utf8(html)), int(0x3fde, 65001)],
    files: [
      {
        title: 'OFFER2~1.PDF',
        content,
        properties: [text(0x3707, 'Offer 2231 Müller.pdf'), text(0x370e, 'application/pdf')],
      },
    ],
  });

const msgWith = (content: Uint8Array): TestMsg => ({
  properties: [
    text(0x001a, 'IPM.Note'),
    text(0x0037, 'Rechnung April'),
    text(0x0c1a, 'Carla Example'),
    text(0x5d01, 'carla@other.example'),
    text(0x1000, 'The words of the Outlook file.'),
    { id: 0x0039, type: 'time', value: new Date('2026-04-02T08:00:00Z') },
  ],
  recipients: [[int(0x0c15, 1), text(0x3001, 'Bert'), text(0x39fe, 'bert@firm.example')]],
  files: [{ properties: [text(0x3707, 'rechnung.pdf'), text(0x370e, 'application/pdf')], content }],
});

const emlWith = (content: Uint8Array, inner = ''): string =>
  [
    'From: Carla Example <carla@other.example>',
    'To: bert@firm.example',
    'Subject: =?utf-8?Q?Rechnung_M=C3=A4rz?=',
    'Date: Mon, 02 Mar 2026 09:00:00 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="i"',
    '',
    '--i',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>The inner <b>text</b>.</p><script>document.title="broken"</script><img src="https://tracker.example/a.png">',
    '--i',
    'Content-Type: application/pdf; name="inner.pdf"',
    'Content-Disposition: attachment; filename="inner.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n'),
    ...(inner === ''
      ? []
      : [
          '--i',
          'Content-Type: application/octet-stream; name="deeper.eml"',
          'Content-Disposition: attachment; filename="deeper.eml"',
          'Content-Transfer-Encoding: base64',
          '',
          Buffer.from(inner).toString('base64').replace(/.{76}/g, '$&\r\n'),
        ]),
    '--i--',
    '',
  ].join('\r\n');

const deeper = 'From: dora@far.example\r\nSubject: The deepest\r\n\r\nAt the bottom.\r\n';
const msg = 'application/vnd.ms-outlook';

describe.skipIf(chromiumPath === null)('attached messages (needs Chromium)', () => {
  const story = useStory();
  let page: Page;
  const frame = (within = 'body') => page.locator(within).last().frameLocator('iframe[title="Message body"]');
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const card = (name: string) => page.getByRole('button', { name: new RegExp(`^(?:Open|Preview) ${name}`) });
  const open = async (subject: string) => {
    await openFolder(page, story.product.baseUrl, 'recieved');
    await openMail(page, subject);
  };

  beforeAll(async () => {
    ({ page } = story);
    await sendFromOutside(
      story.product.smtpPort,
      {
        to,
        subject: 'Offer in an envelope',
        text: 'Dear Anna, the offer is attached as discussed.',
        files: [
          {
            name: 'winmail.dat',
            type: 'application/ms-tnef',
            bytes: tnefWith(pdf, '<p>Dear Anna, the offer is <b>attached</b> as discussed.</p>'),
          },
        ],
      },
      {
        to,
        subject: 'Only in the envelope',
        rawLines: [
          'Content-Type: application/ms-tnef; name="winmail.dat"',
          'Content-Transfer-Encoding: base64',
          '',
          Buffer.from(tnefWith(new Uint8Array(60_000), '<p>All of it is <i>inside</i>.</p>'))
            .toString('base64')
            .replace(/.{76}/g, '$&\r\n'),
        ],
      },
      {
        to,
        subject: 'Forwarded as a file',
        text: 'Please see attached.',
        files: [
          { name: 'Rechnung.eml', type: 'message/rfc822', bytes: utf8(emlWith(pdf, deeper)) },
          { name: 'Rechnung.msg', type: msg, bytes: writeMsg(msgWith(pdf)) },
          { name: 'Broken.msg', type: msg, bytes: writeMsg(msgWith(pdf)).slice(0, 33) },
        ],
      },
    );
  });

  test('content of winmail.dat appears as part of the message, and the original can be saved', async () => {
    await open('Offer in an envelope');
    await frame().locator('b', { hasText: 'attached' }).waitFor();
    await card('Offer 2231 Müller.pdf').waitFor();
    await expect.poll(() => card('winmail.dat').count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Save original \(winmail\.dat/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('winmail.dat');
  });

  test('a message whose only body is in winmail.dat is displayed', async () => {
    await open('Only in the envelope');
    await frame().locator('i', { hasText: 'inside' }).waitFor();
    await card('Offer 2231 Müller.pdf').waitFor();
  });

  test('an .eml file opens with its files and its own attached messages', async () => {
    await open('Forwarded as a file');
    await card('Rechnung.eml').click();
    const outer = dialog('Rechnung März');
    await outer.getByText('Carla Example <carla@other.example>').waitFor();
    await outer.getByText(/Its sender and date can’t be confirmed/).waitFor();
    await outer.frameLocator('iframe').locator('b', { hasText: 'text' }).waitFor();
    await outer.getByRole('button', { name: /^Preview inner\.pdf/ }).waitFor();
    await outer.getByRole('button', { name: /^Open deeper\.eml/ }).click();
    await dialog('The deepest').getByText('At the bottom.').waitFor();
    await page.keyboard.press('Escape');
    await dialog('The deepest').waitFor({ state: 'detached' });
    expect(await outer.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await outer.waitFor({ state: 'detached' });
    await card('Rechnung.eml').waitFor();
  });

  test('an Outlook file opens as a message, and a damaged one shows an error and can be saved', async () => {
    await open('Forwarded as a file');
    await card('Rechnung.msg').click();
    await dialog('Rechnung April').getByText('The words of the Outlook file.').waitFor();
    await dialog('Rechnung April').getByText('Bert <bert@firm.example>').waitFor();
    await page.keyboard.press('Escape');
    await card('Broken.msg').click();
    await dialog('Broken.msg')
      .getByText(/damaged and can’t be opened/)
      .waitFor();
    await page.keyboard.press('Escape');
  });

  test('search finds words in attached messages', async () => {
    for (const [word, subject] of [
      ['"Outlook file"', 'Forwarded as a file'],
      ['bottom', 'Forwarded as a file'],
      ['inside', 'Only in the envelope'],
    ] as const) {
      await page.goto(`${story.product.baseUrl}/app/inbox/recieved/0#q=${encodeURIComponent(word)}`);
      await page.getByRole('list', { name: 'Messages' }).getByText(subject).first().waitFor();
    }
  });

  test('the window fits on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open('Forwarded as a file');
    await card('Rechnung.eml').click();
    const box = await dialog('Rechnung März').boundingBox();
    expect(box !== null && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844).toBe(true);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});
