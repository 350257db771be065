// Account management by its owner (docs/spec-map.md 7, 8; docs/acceptance.md 5): the recovery kit
// at the end of sign-up, a new name, a new password, active sessions, recovery with 24 words, and
// account deletion.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openPerson, type Person } from './support/browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { readPdfTexts } from './support/pdf-text.ts';
import { awaitMail, openMail, password, rowOf } from './support/people.ts';
import { startProduct } from './support/story.ts';

const to = 'alice@keyfold.test';
const second = 'Second-Horse-8';
const third = 'Third-Horse-7';
const reminder = 'If you lose your password and have no recovery kit, you lose your mail.';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function readWords(page: Page): Promise<string[]> {
  const list = page.getByRole('list', { name: 'Recovery words' });
  await list.waitFor({ timeout: 30_000 });
  const lines = await list.getByRole('listitem').allInnerTexts();
  return lines.map(line => line.replace(/\d/g, '').trim());
}

/** Answers the question for one word, with a wrong answer first. */
async function confirmKit(page: Page, words: readonly string[]): Promise<void> {
  const question = page.getByRole('textbox', { name: /^Word \d+ of your kit$/ });
  const place = Number(
    /\d+/.exec((await question.getAttribute('aria-label')) ?? (await labelOf(question)))?.[0],
  );
  await question.fill('zebra1');
  await button(page, 'I’ve saved my kit').click();
  await page.getByText(`That’s not word ${place} of your kit`).waitFor();
  await question.fill(words[place - 1] ?? '');
  await button(page, 'I’ve saved my kit').click();
}

const labelOf = (question: ReturnType<Page['getByRole']>): Promise<string> =>
  question.evaluate(element => (element as HTMLInputElement).labels?.[0]?.textContent ?? '');

async function signInWith(page: Page, secret: string): Promise<void> {
  await field(page, 'Address').fill(to);
  await field(page, 'Password').fill(secret);
  await button(page, 'Sign in').click();
}

describe.skipIf(chromiumPath === null)('the user’s own account (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  let page: Page;

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    person = await openPerson(browser);
    ({ page } = person);
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  const go = (path: string) => page.goto(product.baseUrl + path);

  test('sign-up ends with a printable kit of 24 words, and "Not now" leaves a reminder', async () => {
    // This test needs the reminder that openPerson suppresses.
    await person.context.addInitScript(() => sessionStorage.removeItem('kit_later'));
    await go('/app/signup');
    await field(page, 'Name').fill('Alice Almeida');
    await field(page, 'Address').fill('alice');
    await field(page, 'Password').fill(password);
    await button(page, 'Continue').click();
    const words = await readWords(page);
    expect(words).toHaveLength(24);
    await page.evaluate(() => {
      Object.assign(globalThis, { print: () => Object.assign(globalThis, { wasPrinted: true }) });
    });
    await button(page, 'Print or save as PDF').click();
    expect(await page.evaluate(() => 'wasPrinted' in globalThis)).toBe(true);
    const [paper = '', ...more] = await readPdfTexts(await page.pdf());
    expect(more).toEqual([]);
    expect(paper).toContain('Keyfold recovery kit for alice@keyfold.test');
    expect(paper.match(/\b[a-z]{3,8}\b/g)?.join(' ')).toContain(words.join(' '));
    expect(paper).not.toMatch(/Not now|Copy|I’ve saved my kit|Print or save/);
    await button(page, 'Not now').click();
    await page.waitForURL('**/app/inbox/recieved/0');
    await page.getByText(reminder).waitFor();
    await sendFromOutside(product.smtpPort, { to, subject: 'Kept letter', text: 'Words that stay.' });
    await awaitMail(page, 'Kept letter');
  });

  test('recovery words put off at sign-up still open the account', async () => {
    const other = await openPerson(browser);
    const there = other.page;
    await there.route('**/user/recovery', route => route.abort(), { times: 1 });
    await there.goto(`${product.baseUrl}/app/signup`);
    await field(there, 'Name').fill('Lena Later');
    await field(there, 'Address').fill('lena');
    await field(there, 'Password').fill(password);
    await button(there, 'Continue').click();
    await there.getByText(/^Couldn’t save the recovery kit, so its words aren’t shown/).waitFor();
    await button(there, 'Try again').click();
    const words = await readWords(there);
    await button(there, 'Not now').click();
    await there.waitForURL('**/app/inbox/recieved/0');
    await other.context.close();
    const lost = await openPerson(browser);
    await lost.page.goto(`${product.baseUrl}/app/recover`);
    await field(lost.page, 'Address').fill('lena@keyfold.test');
    await field(lost.page, '24 recovery words').fill(words.join(' '));
    await field(lost.page, 'New password').fill(third);
    await button(lost.page, 'Set new password').click();
    await lost.page.waitForURL('**/app/inbox/recieved/0', { timeout: 30_000 });
    await rowOf(lost.page, 'Your recovery kit was used').waitFor();
    await lost.context.close();
  });

  test('a recovery kit needs the password and becomes active after one of its words is typed', async () => {
    await page.getByRole('link', { name: 'Create a recovery kit' }).click();
    await page.waitForURL('**/app/security/recovery');
    await expect.poll(() => page.getByText(reminder).count()).toBe(0);
    await field(page, 'Password').fill('Wrong-Horse-1');
    await button(page, 'Create a recovery kit').click();
    await page.getByText('Incorrect password').waitFor();
    await field(page, 'Password').fill(password);
    await button(page, 'Create a recovery kit').click();
    const words = await readWords(page);
    expect(new Set(words.map(word => /^[a-z]{3,8}$/.test(word)))).toEqual(new Set([true]));
    await confirmKit(page, words);
    await page.getByText(/^You have a recovery kit, created/).waitFor();
    Object.assign(kit, { words });
    await go('/app/inbox/recieved/0');
    await rowOf(page, 'Kept letter').waitFor();
    await expect.poll(() => page.getByText(reminder).count()).toBe(0);
  });

  const kit: { words: string[] } = { words: [] };

  test('a changed name is saved, and a failure shows an error', async () => {
    await go('/app/config/account');
    await page.route('**/user/change_name', route => route.abort(), { times: 2 });
    await field(page, 'Name').fill('Alice Amber');
    await field(page, 'Name').press('Enter');
    await page.getByText(/^Failed to change name/).waitFor();
    await field(page, 'Name').fill('Alice Ambrosia');
    await field(page, 'Name').press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.getByText('Search index (not counted)').waitFor();
    await page.reload();
    await expect.poll(() => field(page, 'Name').inputValue()).toBe('Alice Ambrosia');
  });

  test('a new password keeps the keys, ends other sessions and sends a notice', async () => {
    const other = await openPerson(browser);
    await other.page.goto(`${product.baseUrl}/app/signin`);
    await signInWith(other.page, password);
    await rowOf(other.page, 'New sign-in to your account').waitFor();

    await go('/app/security/sessions');
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
    await expect.poll(() => sessions.count()).toBe(2);
    await page.getByText('This device').first().waitFor();

    await go('/app/security/password');
    await field(page, 'Current password').fill('Wrong-Horse-1');
    await field(page, 'New password').fill(second);
    await button(page, 'Change password').click();
    await page.getByText('Incorrect password').waitFor();
    await field(page, 'Current password').fill(password);
    // The response is lost in transit; the client then queries the server's state.
    await page.route(
      '**/user/change_password',
      async route => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await button(page, 'Change password').click();
    await page.getByText('Password changed. All other sessions have ended.').waitFor();
    await other.page.reload();
    await other.page.waitForURL('**/app/signin');
    await signInWith(other.page, password);
    await other.page.getByText('Incorrect address or password').waitFor();
    await signInWith(other.page, second);
    await openMail(other.page, 'Kept letter');
    await other.page.getByText('Words that stay.').waitFor();

    await go('/app/security/sessions');
    await expect.poll(() => sessions.count()).toBe(2);
    await button(page, 'End all other sessions').click();
    await page.getByText('All other sessions have ended', { exact: true }).waitFor();
    await expect.poll(() => sessions.count()).toBe(1);
    await page.getByText('Failed: incorrect password').first().waitFor();
    await other.context.close();
    await go('/app/inbox/recieved/0');
    await rowOf(page, 'Your password was changed').getByRole('link').first().click();
    await page.getByText(/If this was you, you don’t need to do anything/).waitFor();
  });

  test('the 24 words and a new password open the same mail on another device', async () => {
    const other = await openPerson(browser);
    const there = other.page;
    await there.goto(`${product.baseUrl}/app/signin`);
    await field(there, 'Address').fill(to);
    await there.getByRole('link', { name: 'Use your recovery kit' }).click();
    await there.waitForURL('**/app/recover');
    await expect.poll(() => field(there, 'Address').inputValue()).toBe(to);
    await field(there, '24 recovery words').fill([...kit.words].reverse().join(' '));
    await field(there, 'New password').fill(third);
    await button(there, 'Set new password').click();
    await there.getByRole('alert').waitFor();
    const numbered = kit.words.map((word, at) => `${at + 1}. ${word}`).join('\n');
    await field(there, '24 recovery words').fill(numbered);
    await there.getByText('24 of 24 words', { exact: true }).waitFor();
    await field(there, 'Address').fill('alice');
    await button(there, 'Set new password').click();
    await there.getByText('Enter your full address, including the part after @').waitFor();
    await field(there, 'Address').fill(to);
    await button(there, 'Set new password').click();
    await there.waitForURL('**/app/inbox/recieved/0', { timeout: 30_000 });
    await rowOf(there, 'Your recovery kit was used').waitFor();
    await openMail(there, 'Kept letter');
    await there.getByText('Words that stay.').waitFor();
    await page.reload();
    await page.waitForURL('**/app/signin');
    person = other;
    page = there;
  });

  test('deleting the account asks for address and password and clears all local data', async () => {
    await page.goto(`${product.baseUrl}/app/config/account`);
    await button(page, 'Delete account').click();
    const dialog = page.getByRole('dialog', { name: 'Delete account' });
    const confirm = dialog.getByRole('button', { name: 'Delete permanently' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox', { name: `Type ${to} to confirm` }).fill(to);
    await dialog.getByRole('textbox', { name: 'Password' }).fill('Wrong-Horse-1');
    await confirm.click();
    await dialog.getByText('Incorrect password').waitFor();
    await page.route('**/user/delete_account', route => route.abort(), { times: 1 });
    await dialog.getByRole('textbox', { name: 'Password' }).fill(third);
    await confirm.click();
    await dialog.getByText('Failed to delete account').waitFor();
    // The flow ends with a page load.
    const fresh = page.waitForEvent('load');
    await confirm.click();
    await fresh;
    await page.waitForURL('**/app/signin');
    await expect
      .poll(() => page.evaluate(() => ['vault', 'user'].map(key => localStorage.getItem(key))))
      .toEqual([null, null]);
    await signInWith(page, third);
    await page.getByText('Incorrect address or password').waitFor();
  });
});
