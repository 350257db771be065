// The first half hour of a new user in one run: sign up and postpone the recovery kit, send and
// receive the first message, read a newsletter in dark mode, reply from the phone, print a page,
// and recover the account with the written words alone. Each step has its own tests; this one
// verifies that they work together.
import type { Product } from '@keyfold/testing/product';
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openPerson, type Person } from './support/browser.ts';
import { lowestContrast } from './support/contrast.ts';
import { newsletterHtml } from './support/newsletters.ts';
import { sendFromOutside } from './support/outside.ts';
import { readPdfTexts } from './support/pdf-text.ts';
import { openMail, password, startDraft } from './support/people.ts';
import { startProduct } from './support/story.ts';

const name = 'Nora New';
const address = 'nora@keyfold.test';
const newPassword = 'Better-Horse-10';
const friend = { name: 'Olga Outside', address: 'olga@outside.test' };
/** Background color of the reader in the dark theme, used for messages without a background. */
const DARK_GROUND = [21, 25, 34];
const CONTRAST_MIN = 4.5;

describe.skipIf(chromiumPath === null)('the first half hour (needs Chromium)', () => {
  let product: Product;
  let sink: SmtpSink;
  let browser: Browser;
  let nora: Person;
  let page: Page;
  let words: string[] = [];

  const field = (on: Page, label: string) => on.getByRole('textbox', { name: label, exact: true });
  const button = (on: Page, label: string) => on.getByRole('button', { name: label, exact: true });
  const frame = (on: Page) => on.frameLocator('iframe[title="Message body"]').last();
  const sent = (text: string) => sink.messages.filter(({ raw }) => raw.includes(text));

  beforeAll(async () => {
    sink = await startSmtpSink();
    ({ product, browser } = await startProduct({ SMTP_RELAY: `smtp://127.0.0.1:${sink.port}` }));
    nora = await openPerson(browser);
    ({ page } = nora);
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    await sink?.close();
  });

  test('the user signs up, writes down the words and postpones the kit', async () => {
    await page.goto(`${product.baseUrl}/app/signup`);
    await field(page, 'Name').fill(name);
    await field(page, 'Address').fill('nora');
    await field(page, 'Password').fill(password);
    await button(page, 'Continue').click();
    const list = page.getByRole('list', { name: 'Recovery words' });
    await list.waitFor();
    const lines = await list.getByRole('listitem').allInnerTexts();
    words = lines.map(line => line.replace(/\d/g, '').trim());
    expect(words).toHaveLength(24);
    await button(page, 'Not now').click();
    await page.waitForURL('**/app/inbox/recieved/0');
  });

  test('the first message is sent, and its reply arrives', async () => {
    await startDraft(page, friend.address, 'plain');
    await field(page, 'Subject').fill('Hello from Keyfold');
    await field(page, 'Message').fill('My first words.');
    await page.getByRole('button', { name: /^Send, 1 not encrypted/ }).click();
    await expect.poll(() => sink.messages.length).toBe(1);
    expect(sink.messages[0]).toMatchObject({ from: address, to: [friend.address] });
    await sendFromOutside(product.smtpPort, {
      to: address,
      from: friend,
      subject: 'Re: Hello from Keyfold',
      text: 'Welcome, Nora.',
    });
    await openMail(page, 'Re: Hello from Keyfold');
    await page.getByRole('article').getByText('Welcome, Nora.').first().waitFor();
  });

  test('a newsletter is readable in dark mode', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await sendFromOutside(product.smtpPort, {
      to: address,
      from: { name: 'The Harbor', address: 'news@harbor.test' },
      subject: 'News of the harbor',
      html: newsletterHtml(1, 8_000),
    });
    await openMail(page, 'News of the harbor');
    await frame(page).locator('.mail-body').waitFor();
    const body = frame(page).locator('body');
    const lowest = async () => {
      const isShown = await body.evaluate(
        one => (one as HTMLElement).innerText.trim() !== '' && one.style.visibility === '',
      );
      return isShown ? (await body.evaluate(lowestContrast, DARK_GROUND))[0] : 0;
    };
    await expect.poll(lowest).toBeGreaterThanOrEqual(CONTRAST_MIN);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('the printout has date, From and To, and no controls', async () => {
    await openMail(page, 'Re: Hello from Keyfold');
    await page.getByRole('article').getByText('Welcome, Nora.').first().waitFor();
    // The browser's own print command, from the menu or by its key.
    const bare = (text: string) => text.replace(/\s+/g, '');
    const paper = bare((await readPdfTexts(await page.pdf())).join(''));
    for (const part of ['Re: Hello from Keyfold', friend.address, 'Welcome, Nora.'])
      expect(paper).toContain(bare(part));
    expect(paper).not.toMatch(/Replyall|Forward|Compose|Inbox|Archive/);
    // The product's print command.
    await button(page, 'Print').click();
    const printed = page.frameLocator('iframe[data-print="messages"]');
    await expect
      .poll(() => printed.locator('dt').allTextContents())
      .toEqual(expect.arrayContaining(['From', 'To', 'Date']));
    const head = (await printed.locator('dd').allTextContents()).join('\n');
    for (const part of [friend.address, address, String(new Date().getFullYear())])
      expect(head).toContain(part);
    expect(await printed.locator('button, a, svg').count()).toBe(0);
  });

  test('a reply is sent from the phone', async () => {
    const phone = await openPerson(browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      storageState: await nora.context.storageState(),
    });
    const small = phone.page;
    await small.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await openMail(small, 'Re: Hello from Keyfold');
    await small.getByRole('article').getByText('Welcome, Nora.').first().waitFor();
    await small.getByRole('button', { name: 'Reply', exact: true }).last().tap();
    await field(small, 'Message').fill('Written with a thumb.');
    const send = small.getByRole('button', { name: /^Send/ }).last();
    const box = await send.boundingBox();
    expect(box === null ? null : 390 - box.x - box.width).toBeGreaterThanOrEqual(0);
    await send.tap();
    await expect.poll(() => sent('Written with a thumb.').length).toBe(1);
    await small.goBack();
    await small.getByRole('list', { name: 'Messages' }).waitFor();
    expect(phone.problems).toEqual([]);
    await phone.context.close();
  });

  test('the recovery words open the account and its mail in a new browser', async () => {
    await nora.context.close();
    const lost = await openPerson(browser);
    const there = lost.page;
    await there.goto(`${product.baseUrl}/app/signin`);
    await there.getByRole('link', { name: 'Use your recovery kit' }).click();
    await there.waitForURL('**/app/recover');
    await field(there, 'Address').fill(address);
    await field(there, '24 recovery words').fill(words.join(' '));
    await field(there, 'New password').fill(newPassword);
    await button(there, 'Set new password').click();
    await there.waitForURL('**/app/inbox/recieved/0');
    await openMail(there, 'Re: Hello from Keyfold');
    await there.getByRole('article').getByText('Welcome, Nora.').first().waitFor();
    expect(lost.problems).toEqual([]);
    await lost.context.close();
  });

  test('no page logs an error', () => {
    // Message caused by the test tool, whose listeners may not run in the sandbox of a message.
    const isSandbox = (problem: string) => problem.startsWith('console: Blocked script execution in');
    expect(nora.problems.filter(problem => !isSandbox(problem))).toEqual([]);
  });
});
