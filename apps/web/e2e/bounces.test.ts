// Bounced mail is explained in plain words and can be resent; service notices cannot be answered.
// Also covers printing a message and the display of hundreds of recipients.
import type { Product } from '@keyfold/testing/product';
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { openPerson } from './support/browser.ts';
import { toastWith } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { openMail, startDraft } from './support/people.ts';
import { startProduct } from './support/story.ts';

const to = 'alice@keyfold.test';
const many = Array.from({ length: 300 }, (_, number) => `person${number}@outside.test`).join(', ');

describe.skipIf(chromiumPath === null)('bounced mail (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  let sink: SmtpSink;
  const replies = () => page.getByRole('button', { name: /^Reply/ });
  const article = () => page.locator('article');

  beforeAll(async () => {
    sink = await startSmtpSink();
    ({ product, browser } = await startProduct({ SMTP_RELAY: `smtp://127.0.0.1:${sink.port}` }));
    const person = await openPerson(browser);
    page = person.page;
    await join(person, product.baseUrl, 'Alice Almeida', 'alice');
    await sendFromOutside(product.smtpPort, {
      to,
      subject: 'To everybody',
      fields: [`Cc: ${many}`],
      text: 'Hello all',
      file: { name: 'plan.txt', type: 'text/plain', bytes: new Uint8Array(2048) },
    });
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    await sink?.close();
  });

  test('a bounce explains the problem and shows the server’s reply under Details', async () => {
    sink.refuseRecipient = () => [550, '5.1.1 No such user here'];
    await startDraft(page, 'nobody@outside.test', 'plain');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Dinner');
    await page.locator('[contenteditable=true]').fill('Shall we eat at seven?');
    await page.keyboard.press('Control+Enter');
    await toastWith(page, 'Sent').waitFor();
    await openMail(page, 'Undelivered mail returned to sender');
    await page.getByText('This address doesn’t exist.').waitFor();
    const technical = page.locator('pre', { hasText: '5.1.1 No such user here' });
    expect(await technical.isVisible()).toBe(false);
    await page.locator('summary', { hasText: 'Details' }).click();
    await technical.waitFor();
    expect(await replies().count()).toBe(0);
    expect(await page.getByRole('list', { name: 'Attachments' }).count()).toBe(0);
  });

  test('Resend sends the original text to the failed address', async () => {
    sink.refuseRecipient = () => null;
    await page.getByRole('button', { name: 'Resend' }).click();
    await toastWith(page, 'Sent').waitFor();
    await expect.poll(() => sink.messages.flatMap(one => one.to)).toContain('nobody@outside.test');
    const again = sink.messages.find(one => one.to.includes('nobody@outside.test'));
    expect(String(again?.raw)).toContain('Shall we eat at seven?');
  });

  test('Edit opens the message as a new draft', async () => {
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('[contenteditable=true]').getByText('Shall we eat at seven?').waitFor();
    await page.getByRole('list', { name: 'To', exact: true }).getByText('nobody@outside.test').waitFor();
    await page
      .getByRole('button', { name: /Discard/ })
      .first()
      .click();
  });

  test('twenty of three hundred recipients are listed until all are requested', async () => {
    await openMail(page, 'To everybody');
    await article().getByText('Hello all').waitFor();
    await article().getByRole('button', { expanded: false, name: /^to / }).click();
    const shown = () => article().locator('header dl').innerText();
    expect(await shown()).toContain('person19@outside.test');
    expect(await shown()).not.toContain('person20@outside.test');
    await page.getByRole('button', { name: 'Show all 300' }).click();
    expect(await shown()).toContain('person299@outside.test');
  });

  test('the printout has date, people and files, and no controls', async () => {
    await page.reload();
    await article().getByText('Hello all').waitFor();
    await page.emulateMedia({ media: 'print' });
    const printed = await page.locator('body').innerText();
    for (const words of [
      'From',
      'Olga Outside <olga@outside.test>',
      'person299@outside.test',
      'Date',
      'plan.txt',
      '2.00 KB',
    ])
      expect(printed).toContain(words);
    const visible = await page
      .locator('button:visible')
      .evaluateAll(all => all.filter(one => !one.closest('li')).map(one => one.textContent));
    expect(visible).toEqual([]);
    expect(await page.locator('svg.lucide-chevron-down:visible').count()).toBe(0);
    await page.emulateMedia({ media: null });
  });
});
