// Key replacement: the password creates new keys, another tab continues with them, new mail arrives
// and opens, old mail is rewrapped and opens on a second device, a contact is notified and accepts,
// and the old keys are deleted when nothing needs them (docs/crypto.md, Retired keys).
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Product } from '@keyfold/testing/product';
import { runSql } from '@keyfold/testing/product-sql';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { changeAnswer } from './support/answers.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { awaitMail, openMail, password, rowOf, signIn, signUp, startDraft } from './support/people.ts';
import { startProduct } from './support/story.ts';

const alice = 'alice@keyfold.test';
const bob = 'bob@keyfold.test';
const inboxPath = '/app/inbox/recieved/0';
const keysPath = '/app/security/keys';

describe.skipIf(chromiumPath === null)('key replacement (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let ann: Person;
  let ben: Person;
  let device: Person;

  const go = (page: Page, path: string) => page.goto(`${product.baseUrl}${path}`);
  const send = async (page: Page, to: string, subject: string) => {
    await startDraft(page, to, 'sealed');
    await page.getByRole('textbox', { name: 'Subject' }).fill(subject);
    await page.getByRole('textbox', { name: 'Message' }).fill(`${subject} in full.`);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor({ state: 'detached' });
  };
  const isOpen = (page: Page, subject: string) =>
    page.getByRole('article').getByText(`${subject} in full.`).first().waitFor();
  const fingerprint = async (page: Page) => {
    await go(page, keysPath);
    return page.locator('code').first().textContent();
  };

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    [ann, ben] = [await openPerson(browser), await openPerson(browser)];
    await Promise.all([
      signUp(ann.page, product.baseUrl, 'Alice Almeida', 'alice'),
      join(ben, product.baseUrl, 'Bob Brandt', 'bob'),
    ]);
    await send(ben.page, alice, 'Old plan');
    await openMail(ann.page, 'Old plan');
    await isOpen(ann.page, 'Old plan');
    await go(ann.page, inboxPath);
    await send(ann.page, bob, 'Old answer');
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('a wrong password creates no keys, and the dialog explains what creating them does', async () => {
    const { page } = ann;
    await go(page, keysPath);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download public keys' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`keyfold-keys-${alice}.json`);
    const keys = JSON.parse(await readFile(await file.path(), 'utf8'));
    await expect.poll(() => page.getByRole('code').first().textContent()).toBe(keys.fingerprint);
    const bytes = [keys.dh_public, keys.mlkem_public].map(text => Buffer.from(text, 'base64'));
    expect(createHash('sha1').update(Buffer.concat(bytes)).digest('base64')).toBe(keys.fingerprint);
    await page.getByRole('button', { name: 'Create new keys' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create new keys?' });
    await dialog.getByText(/All other sessions end/).waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill('Wrong-Horse-9');
    await dialog.getByRole('button', { name: 'Create new keys' }).click();
    await dialog.getByText('Incorrect password').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  test('the password creates new keys, another tab picks them up, and old mail is rewrapped', async () => {
    const { page, context } = ann;
    const before = await fingerprint(page);
    const tab = await context.newPage();
    await go(tab, inboxPath);
    await rowOf(tab, 'Old plan').waitFor();
    const isLoadedAnew = tab.waitForEvent('load');
    await page.getByRole('button', { name: 'Create new keys' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create new keys?' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Create new keys' }).click();
    const old = page.getByRole('list', { name: 'Old keys' }).getByRole('listitem');
    await old.filter({ hasText: before ?? '' }).waitFor();
    await expect.poll(() => page.locator('code').first().textContent()).not.toBe(before);
    await isLoadedAnew;
    await old.getByText(/These keys are no longer needed/).waitFor();
    await old.getByText(/You can delete these keys after/).waitFor();
    await expect.poll(() => old.getByRole('button', { name: 'Delete keys' }).isDisabled()).toBe(true);
    await page.getByText(/Your recovery kit stopped working when you replaced your keys/).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await rowOf(tab, 'Your keys were replaced').waitFor();
    await rowOf(tab, 'Old plan').getByRole('link').first().click();
    await isOpen(tab, 'Old plan');
    await tab.close();
  });

  test('a contact cannot send until they accept the new key, and their message then opens', async () => {
    const { page } = ben;
    await go(page, inboxPath);
    await page.getByRole('button', { name: 'Compose' }).first().click();
    const people = page
      .getByRole('textbox', { name: 'To: add recipient' })
      .or(page.getByRole('combobox', { name: 'To: add recipient' }));
    await people.fill(alice);
    await people.press('Enter');
    await page.getByRole('textbox', { name: 'Subject' }).fill('New plan');
    await page.getByRole('textbox', { name: 'Message' }).fill('New plan in full.');
    const button = page.getByRole('button', { name: 'Send', exact: true });
    const review = page.getByRole('button', { name: 'Review key' });
    await review.waitFor();
    // Checked before the button is pressed, because the dialog covers the message.
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    await review.click();
    await page.getByRole('button', { name: 'Accept new key' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Accept new key' }).click();
    await page.locator('[aria-disabled="true"]').filter({ hasText: 'Send' }).waitFor({ state: 'detached' });
    await button.click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor({ state: 'detached' });
    await go(ann.page, inboxPath);
    await openMail(ann.page, 'New plan');
    await isOpen(ann.page, 'New plan');
  });

  test('a second device opens old and new mail, and lists open without the old keys', async () => {
    device = await openPerson(browser);
    const { page } = device;
    await signIn(page, product.baseUrl, alice);
    await openMail(page, 'Old plan');
    await isOpen(page, 'Old plan');
    await go(page, inboxPath);
    await openMail(page, 'New plan');
    await isOpen(page, 'New plan');
    // Simulates missing old keys: rows open with the rewrapped ones.
    await page.route('**/auth/check', route =>
      changeAnswer<{ data: { retired_keys: unknown[] } }>(route, ({ data }) => {
        data.retired_keys = [];
      }),
    );
    await go(page, inboxPath);
    await awaitMail(page, 'Old plan');
    await go(page, '/app/inbox/sent/0');
    await openMail(page, 'Old answer');
    await isOpen(page, 'Old answer');
    await page.unroute('**/auth/check');
  });

  test('a user’s former keys trigger no warning and can be deleted once nothing needs them', async () => {
    const { page } = ann;
    expect(await runSql(product, `update retired_keys set retired_at = now() - interval '2 hours'`)).toBe(
      'UPDATE 1',
    );
    await go(page, keysPath);
    await page.getByRole('button', { name: 'Delete keys' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete old keys?' });
    await dialog.getByText(/can no longer be confirmed/).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Delete keys' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Current keys' }).waitFor();
    await expect.poll(() => page.getByRole('list', { name: 'Old keys' }).count()).toBe(0);
    expect(await runSql(product, 'delete from retired_keys')).toBe('DELETE 0');
    await go(page, inboxPath);
    await openMail(page, 'Old plan');
    await isOpen(page, 'Old plan');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  test('the pages report no problem except conflicts between simultaneous record saves', () => {
    const isRace = (problem: string) => /status of 409 .*\/user\/records$/.test(problem);
    const all = [ann, ben, device].flatMap(({ problems }) => problems);
    expect(all.filter(problem => !isRace(problem))).toEqual([]);
  });
});
