// Takes the screenshots in docs/pictures from the real product with invented mail. Run by hand
// after a visual change, with the web client built:
//   node --disable-warning=ExperimentalWarning apps/web/e2e/pictures.mjs the pictures of the
//   documentation
//   node --disable-warning=ExperimentalWarning apps/web/e2e/pictures.mjs DIRECTORY every screen,
//   both themes and widths
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createProduct } from '@keyfold/testing/product';
import { openBrowser } from './harness/open-browser.ts';
import { openPerson } from './support/browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { addRecipient, openMail, rowOf, signUp, startDraft } from './support/people.ts';
import { AGES_MINUTES, keyPlan, me, offsite, outsideMessages } from './support/sample-messages.ts';

const docs = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));
/** The fixed time of all screenshots. */
const now = new Date('2026-11-20T10:03:00Z');
const desktop = { viewport: { width: 1440, height: 900 } };
const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 1.75,
  hasTouch: true,
  isMobile: true,
};
const place = { locale: 'en-GB', timezoneId: 'Europe/London' };

const send = page => page.getByRole('button', { name: 'Send', exact: true }).click();

async function writeMessages(product, browser, mara) {
  const [ines, tomasz] = [await openPerson(browser), await openPerson(browser)];
  await signUp(ines.page, product.baseUrl, 'Ines Almeida', 'ines');
  await signUp(tomasz.page, product.baseUrl, 'Tomasz Wilk', 'tomasz');
  const [early, late] = [outsideMessages.slice(0, -2), outsideMessages.slice(-2)];
  await sendFromOutside(product.smtpPort, ...early);
  const write = async (page, subject, text) => {
    await page.getByRole('textbox', { name: 'Subject' }).fill(subject);
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
  };
  await startDraft(ines.page, 'mara@keyfold.test', 'sealed');
  await addRecipient(ines.page, 'tomasz@keyfold.test', 'sealed');
  await write(ines.page, offsite.subject, offsite.first);
  await send(ines.page);
  await ines.page.getByText('Sent', { exact: true }).first().waitFor();
  const answer = async ({ page }, text, files) => {
    await openMail(page, offsite.subject);
    await page.getByRole('button', { name: 'Reply all', exact: true }).last().click();
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    for (const file of files) {
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('button', { name: `Remove ${file.name}` }).waitFor();
    }
    await send(page);
    await page.getByText('Sent', { exact: true }).first().waitFor();
  };
  await answer(tomasz, offsite.second, []);
  await sendFromOutside(product.smtpPort, ...late);
  await startDraft(tomasz.page, 'mara@keyfold.test', 'sealed');
  await write(tomasz.page, keyPlan.subject, keyPlan.text);
  await send(tomasz.page);
  await tomasz.page.getByText('Sent', { exact: true }).first().waitFor();
  await answer(ines, offsite.third, offsite.files);
  await openMail(mara.page, offsite.subject);
  await mara.page.getByText('everything for the Lisbon').first().waitFor();
  for (const subject of [
    'Photos from the garden',
    'Contract, signed copy',
    'Receipt 2041-8831',
    'Water is turned off',
  ])
    await rowOf(mara.page, subject).getByRole('link').first().click();
  await mara.page.waitForTimeout(500);
  for (const subject of [offsite.subject, 'Photos from the garden'])
    await rowOf(mara.page, subject).getByRole('button', { name: 'Star' }).click();
  await mara.page.waitForTimeout(500);
  await Promise.all([ines.context.close(), tomasz.context.close()]);
}

/** Spreads the arrival times of the messages over a week. */
async function spreadOverTime(context, baseUrl) {
  const all = await (await context.request.get(`${baseUrl}/user/query?count=200&view=summary`)).json();
  const times = new Map(
    all.data.map(({ id }, index) => [
      id,
      new Date(now.getTime() - (AGES_MINUTES[index] ?? 10_000 + 700 * index) * 60_000).toISOString(),
    ]),
  );
  const older = mail => ({ ...mail, received_at: times.get(mail.id) ?? mail.received_at });
  await context.route(/\/user\/(?:query|email\/)/, async route => {
    const response = await route.fetch();
    const body = await response.json();
    const data = Array.isArray(body.data) ? body.data.map(older) : older(body.data);
    await route.fulfill({ response, json: { ...body, data } });
  });
}

const product = await createProduct();
await product.start();
const browser = await openBrowser();
try {
  const mara = await openPerson(browser);
  await signUp(mara.page, product.baseUrl, me.name, me.username);
  await writeMessages(product, browser, mara);
  const storageState = await mara.context.storageState();

  /**
   * @typedef {object} Screen
   * @property {'light' | 'dark'} theme
   * @property {object} size
   * @property {string} at
   * @property {boolean} [isOut]
   * @property {(page: import('playwright-core').Page) => Promise<void>} [prepare]
   */

  /**
   * @param {string} file
   * @param {Screen} screen
   */
  const picture = async (file, { theme, size, at, isOut = false, prepare }) => {
    const { context, page } = await openPerson(browser, {
      ...size,
      ...place,
      colorScheme: theme,
      reducedMotion: 'reduce',
      ...(isOut ? {} : { storageState }),
    });
    await page.clock.setFixedTime(now);
    if (!isOut) await spreadOverTime(context, product.baseUrl);
    await page.goto(product.baseUrl + at);
    await page.locator('h1, main h2').first().waitFor();
    await prepare?.(page);
    await page.waitForTimeout(700);
    await page.mouse.move(0, 0);
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await page.screenshot({ path: file });
    await context.close();
  };

  const open = subject => async page => {
    await rowOf(page, subject).getByRole('link').first().click();
    await page.locator('[data-message]').first().waitFor();
    await page.waitForTimeout(600);
  };
  const compose = async page => {
    await startDraft(page, 'ines@keyfold.test', 'sealed');
    await addRecipient(page, 'priya@fieldnotes.example', 'plain');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Re: room names');
    await page
      .getByRole('textbox', { name: 'Message' })
      .fill('Hi Ines,\n\nthe room names are right. Please swap 12 and 14, Jonas wants the window.\n\nMara');
    await page.locator('input[type=file]').setInputFiles({
      name: 'rooms.ods',
      mimeType: 'application/vnd.oasis.opendocument.spreadsheet',
      buffer: Buffer.alloc(38_400),
    });
    await page.getByRole('button', { name: 'Remove rooms.ods' }).waitFor();
    await page.getByText(/Draft saved/).waitFor();
  };
  const inbox = '/app/inbox/recieved/0';
  /** @type {Pick<Screen, 'theme' | 'size'>} */
  const light = { theme: 'light', size: desktop };
  /** @type {Pick<Screen, 'theme' | 'size'>} */
  const dark = { theme: 'dark', size: desktop };
  const [directory] = process.argv.slice(2);
  if (directory === undefined) {
    await mkdir(docs, { recursive: true });
    const into = name => path.join(docs, `${name}.png`);
    await picture(into('inbox-light'), { ...light, at: inbox, prepare: open(offsite.subject) });
    await picture(into('inbox-dark'), { ...dark, at: inbox, prepare: open(keyPlan.subject) });
    await picture(into('reader-light'), { ...light, at: inbox, prepare: open('Why small tools win') });
    await picture(into('compose'), { ...light, at: inbox, prepare: compose });
    await picture(into('phone-inbox'), { theme: 'light', size: phone, at: inbox });
    await picture(into('phone-reader-dark'), {
      theme: 'dark',
      size: phone,
      at: inbox,
      prepare: open(offsite.subject),
    });
    await picture(into('signup'), {
      ...light,
      isOut: true,
      at: '/app/signup',
      prepare: async page => {
        await page.getByRole('textbox', { name: 'Name' }).fill('Jonas Brandt');
        await page.getByRole('textbox', { name: 'Address' }).fill('jonas');
        await page.getByRole('textbox', { name: 'Password' }).fill('Quiet-Harbour');
      },
    });
  } else {
    await mkdir(directory, { recursive: true });
    const link = '/link?url=https%3A%2F%2Fshop.example%2Foffers%2Fautumn%3Freader%3D8841%26from%3Dmail';
    /** @type {[name: string, screen: Omit<Screen, 'theme' | 'size'>][]} */
    const screens = [
      ['signin', { isOut: true, at: '/app/signin' }],
      ['signup', { isOut: true, at: '/app/signup' }],
      ['link', { isOut: true, at: link }],
      ['link-empty', { isOut: true, at: '/link' }],
      ['inbox', { at: inbox }],
      ['empty', { at: '/app/inbox/archived/0' }],
      ['text', { at: inbox, prepare: open(offsite.subject) }],
      ['html', { at: inbox, prepare: open('Why small tools win') }],
      ['file', { at: inbox, prepare: open('Contract, signed copy') }],
      ['compose', { at: inbox, prepare: compose }],
      ['account', { at: '/app/config/account' }],
      ['contacts', { at: '/app/config/contacts' }],
      ['sent', { at: '/app/inbox/sent/0' }],
      ['drafts', { at: '/app/inbox/drafts/0' }],
      ['search', { at: `${inbox}?q=nobody` }],
    ];
    for (const [name, screen] of screens)
      for (const [width, size] of Object.entries({ desk: desktop, phone }))
        for (const { theme } of [light, dark])
          await picture(path.join(directory, `${name}-${width}-${theme}.png`), { ...screen, size, theme });
  }
} finally {
  await browser.close();
  await product.remove();
}
