// Effects of the account and appearance settings elsewhere: times in another time zone, the folder
// shown first, the theme chosen by its preview. The browser of this test runs in the Berlin time
// zone.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail, rowOf } from './support/people.ts';
import { startProduct } from './support/story.ts';

const to = 'alice@keyfold.test';
const inbox = '/app/inbox/recieved/0';

describe.skipIf(chromiumPath === null)('account settings (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  let page: Page;

  const go = (path: string) => page.goto(product.baseUrl + path);
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    person = await openPerson(browser, { timezoneId: 'Europe/Berlin', locale: 'en-GB' });
    ({ page } = person);
    await join(person, product.baseUrl, 'Alice Almeida', 'alice');
    await sendFromOutside(product.smtpPort, { to, subject: 'Timed letter', text: 'Words.' });
    await awaitMail(page, 'Timed letter');
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('times are displayed and entered in the chosen time zone', async () => {
    const arrived: string = await page.evaluate(
      async () => (await (await fetch('/user/query?count=1&view=summary')).json()).data[0].received_at,
    );
    const showsClockOf = (timeZone: string) =>
      rowOf(page, 'Timed letter')
        .getByText(
          new Date(arrived).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }),
          { exact: true },
        )
        .waitFor();
    await showsClockOf('Europe/Berlin');
    await go('/app/config/account');
    await heading('Account');
    const zone = page.getByRole('combobox', { name: 'Time zone', exact: true });
    await zone.click();
    await page.getByRole('option', { name: 'Other time zone…' }).click();
    const field = page.getByRole('combobox', { name: 'City or time zone' });
    await field.fill('atlantis');
    await page.getByText('No matching time zones').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await field.fill('kolka');
    await page.getByRole('option', { name: /^Kolkata/ }).waitFor();
    const fresh = page.waitForEvent('load');
    await page.keyboard.press('Enter');
    await fresh;
    await expect.poll(() => zone.textContent()).toBe('Kolkata');
    await go(inbox);
    await showsClockOf('Asia/Kolkata');
    await rowOf(page, 'Timed letter').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Snooze', exact: true }).first().click();
    const asked = page.waitForRequest('**/user/snooze');
    await page.getByRole('button', { name: /^Tomorrow/ }).click();
    const until = new Date((await asked).postDataJSON().until);
    // 8 a.m. in the chosen time zone.
    expect(until.toISOString()).toMatch(/T02:30:00/);
  });

  test('the start page can be changed', async () => {
    await go('/app/config/appearance');
    await heading('Appearance');
    await choose(page.getByRole('combobox', { name: 'Start page' }), 'Starred');
    await go('/');
    await page.waitForURL('**/app/inbox/starred/0');
    await go('/app/inbox');
    await page.waitForURL(`**${inbox}`);
  });

  test('a theme is chosen by its preview', async () => {
    await go('/app/config/appearance');
    const group = page.getByRole('radiogroup', { name: 'Theme' });
    await expect.poll(() => group.getByRole('radio', { name: 'System' }).isChecked()).toBe(true);
    await group.getByRole('radio', { name: 'Dark' }).check();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    expect(await findDefects(page)).toEqual([]);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    await expect.poll(() => group.getByRole('radio', { name: 'Light' }).isChecked()).toBe(true);
  });

  test('the page logs no errors', () => {
    expect(person.problems).toEqual([]);
  });
});
