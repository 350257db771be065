// First steps of a new account: one message from the service, and a checklist whose steps are
// ticked as they are done and which can be dismissed permanently. A notice of a sign-in links to
// the page where that session can be ended.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { rowOf, signIn, signUp } from './support/people.ts';
import { startProduct } from './support/story.ts';

const inboxPath = '/app/inbox/recieved/0';
const picturesDir = process.env.KEYFOLD_PICTURES;

describe.skipIf(chromiumPath === null)('the first steps of a new account (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  let page: Page;

  const card = () => page.getByRole('complementary', { name: 'Getting started' });
  const step = (name: string) => card().getByRole('listitem').filter({ hasText: name });
  const picture = async (name: string) => {
    if (picturesDir === undefined) return;
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({ path: `${picturesDir}/${name}-${width}-${colorScheme}.png` });
      }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  };

  beforeAll(async () => {
    ({ product, browser } = await startProduct({ KEYFOLD_WELCOME: 'on' }));
    person = await openPerson(browser);
    ({ page } = person);
    await signUp(page, product.baseUrl, 'Alice Almeida', 'alice');
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('a welcome message in the inbox explains the first steps and links to them', async () => {
    await page.goto(product.baseUrl + inboxPath);
    await card().waitFor();
    await picture('first-steps');
    expect(await findDefects(page)).toEqual([]);
    await rowOf(page, 'Welcome to Keyfold').click();
    const mail = page.locator('[data-message]');
    await mail.getByText('Save your recovery kit first', { exact: false }).waitFor();
    await picture('welcome');
    await mail.getByRole('link', { name: 'Recovery kit' }).click();
    await page.waitForURL('**/app/security/recovery');
  });

  test('a completed step is checked off, and a closed checklist stays closed', async () => {
    await page.goto(product.baseUrl + inboxPath);
    const isDone = (name: string) => step(name).getByText('Done').count();
    await step('Get Keyfold on your phone').getByRole('link').click();
    await page.waitForURL('**/app/config/device');
    await page.getByText('The current address only works on this computer.', { exact: false }).waitFor();
    await picture('phone');
    await page.goto(product.baseUrl + inboxPath);
    await step('Import your old mail').getByRole('link').click();
    await page.waitForURL('**/app/config/import');
    await page.goto(product.baseUrl + inboxPath);
    await card().waitFor();
    // Visiting a page does not complete its step.
    expect(await isDone('Get Keyfold on your phone')).toBe(0);
    expect(await isDone('Import your old mail')).toBe(0);

    await page.evaluate(() => dispatchEvent(new Event('appinstalled')));
    await step('Get Keyfold on your phone').getByText('Done').waitFor();
    await step('Import your old mail').getByRole('link').click();
    await page.getByLabel('Choose files').setInputFiles({
      name: 'old.eml',
      mimeType: 'message/rfc822',
      buffer: Buffer.from(
        'From: <a@outside.test>\r\nTo: <alice@keyfold.test>\r\nSubject: Old\r\n\r\nHello\r\n',
      ),
    });
    await page.getByRole('button', { name: 'Start import' }).click();
    await page.goBack();
    await step('Import your old mail').getByText('Done').waitFor();
    await card().getByRole('button', { name: 'Dismiss checklist' }).click();
    await card().waitFor({ state: 'detached' });
    await page.reload();
    await rowOf(page, 'Welcome to Keyfold').waitFor();
    expect(await card().count()).toBe(0);
  });

  test('the notice of a new sign-in offers a way to report that it was not the user', async () => {
    const other = await openPerson(browser);
    await signIn(other.page, product.baseUrl, 'alice@keyfold.test');
    await page.goto(product.baseUrl + inboxPath);
    await rowOf(page, 'New sign-in to your account').first().click();
    await page.locator('[data-message]').getByRole('link', { name: 'This wasn’t me' }).waitFor();
    await picture('notice');
    expect(await findDefects(page)).toEqual([]);
    await page.getByRole('link', { name: 'This wasn’t me' }).click();
    await page.getByText('End any session you don’t recognize, or all other sessions.').waitFor();
    await picture('not-me');
    for (const [name, path] of [
      ['Recovery kit', 'recovery'],
      ['Two-factor authentication', 'two-factor'],
    ] as const)
      expect(
        await page.getByRole('main').getByRole('listitem').getByRole('link', { name }).getAttribute('href'),
      ).toBe(`/app/security/${path}`);
    expect(await findDefects(page)).toEqual([]);
    await page
      .getByRole('button', { name: /^End session: / })
      .first()
      .click();
    await page.getByText('Session ended').waitFor();
    await page.getByRole('link', { name: 'Change password' }).click();
    await page.waitForURL('**/app/security/password');
    await other.context.close();
  });
});
