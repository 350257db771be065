// Two-factor prompts other than at sign-in (docs/adr/0023): over a page whose session has expired,
// for creating new keys and deleting old ones, for the recovery kit and account recovery, and
// before an account is permanently deleted.
import type { Product } from '@keyfold/testing/product';
import { runSql } from '@keyfold/testing/product-sql';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { openShell } from './support/native-shell.ts';
import { password, rowOf, signUp, startDraft } from './support/people.ts';
import { pressUntil } from './support/retry-click.ts';
import { keepCodes, plugKeyIn, readCodes, turnAppOn } from './support/second-factor.ts';
import { startProduct } from './support/story.ts';
import type { openAuthenticator } from './support/totp.ts';

const alice = 'alice@keyfold.test';
const second = 'Second-Horse-8';
const third = 'Third-Horse-7';
const inboxPath = '/app/inbox/recieved/0';
const keysPath = '/app/security/keys';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });
const factorField = (page: Page) => field(page, 'Two-factor code');

describe.skipIf(chromiumPath === null)('two-factor prompts (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  let page: Page;
  let app: ReturnType<typeof openAuthenticator>;
  /** Unused recovery codes. App codes change only every half minute; these work immediately. */
  let codes: string[] = [];
  let words: string[] = [];

  const go = (path: string) => page.goto(`${product.baseUrl}${path}`);
  const nextRecoveryCode = (): string => codes.pop() ?? '';

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    person = await openPerson(browser);
    ({ page } = person);
    await signUp(page, product.baseUrl, 'Alice Almeida', 'alice');
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('an open form asks for a code after two-factor authentication is turned on in another tab', async () => {
    await go('/app/security/password');
    await field(page, 'Current password').fill(password);
    await field(page, 'New password').fill(second);
    await expect.poll(() => factorField(page).count()).toBe(0);
    const tab = await person.context.newPage();
    const made = await turnAppOn(tab, product.baseUrl);
    app = made.app;
    codes = [...made.codes];
    await tab.close();
    await button(page, 'Change password').click();
    await factorField(page).fill(nextRecoveryCode());
    await button(page, 'Change password').click();
    await page.getByText('Password changed. All other sessions have ended.').waitFor();
  });

  test('a session that ends during writing asks for password and code over the page and keeps the draft', async () => {
    await go(inboxPath);
    await startDraft(page, alice, 'sealed');
    await field(page, 'Subject').fill('Half a letter');
    await person.context.request.get(`${product.baseUrl}/auth/logout`, {
      headers: { 'sec-fetch-site': 'same-origin', origin: product.baseUrl },
    });
    await button(page, 'Refresh').click();
    const overlay = dialogOf(page, 'Session expired. Please login again.');
    await overlay.getByRole('textbox', { name: 'Password' }).fill(second);
    await overlay.getByRole('button', { name: 'Sign in' }).click();
    const code = field(page, 'Code from your authenticator app');
    await code.fill(app.wrong());
    await overlay.getByText('Incorrect or expired code. 4 attempts left').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await overlay.getByRole('button', { name: 'Back to sign-in' }).click();
    const again = overlay.getByRole('textbox', { name: 'Password' });
    await again.fill(second);
    await again.press('Enter');
    await code.fill(await app.next());
    await overlay.waitFor({ state: 'detached' });
    await expect.poll(() => field(page, 'Subject').inputValue()).toBe('Half a letter');
    await field(page, 'Subject').press('End');
    await field(page, 'Subject').pressSequentially(' more');
    await page.getByText(/Draft saved/).waitFor();
  });

  test('creating new keys and deleting old ones both require a code', async () => {
    await go(keysPath);
    await button(page, 'Create new keys').click();
    const making = dialogOf(page, 'Create new keys?');
    const before = (await page.locator('code').first().textContent()) ?? '';
    await making.getByLabel('Password', { exact: true }).fill(second);
    await factorField(page).fill(app.wrong());
    await making.getByRole('button', { name: 'Create new keys' }).click();
    await making.getByText('Incorrect or expired code').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await factorField(page).fill(nextRecoveryCode());
    await making.getByRole('button', { name: 'Create new keys' }).click();
    const old = page.getByRole('list', { name: 'Old keys' }).getByRole('listitem');
    await old
      .filter({ hasText: before })
      .getByText(/These keys are no longer needed/)
      .waitFor();

    await runSql(product, `update retired_keys set retired_at = now() - interval '2 hours'`);
    await go(keysPath);
    await button(page, 'Delete keys').click();
    const ending = dialogOf(page, 'Delete old keys?');
    await ending.getByLabel('Password', { exact: true }).fill(second);
    await factorField(page).fill(app.wrong());
    await ending.getByRole('button', { name: 'Delete keys' }).click();
    await ending.getByText('Incorrect or expired code').waitFor();
    await factorField(page).fill(nextRecoveryCode());
    await ending.getByRole('button', { name: 'Delete keys' }).click();
    await ending.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Current keys' }).waitFor();
    await expect.poll(() => page.getByRole('list', { name: 'Old keys' }).count()).toBe(0);
  });

  test('a user who must wait after wrong codes can still sign in with a recovery code', async () => {
    await runSql(
      product,
      `update second_factors set wrong_codes = 30, wait_until = now() + interval '1 hour'`,
    );
    const other = await openPerson(browser);
    const there = other.page;
    await there.goto(`${product.baseUrl}/app/signin`);
    await field(there, 'Address').fill(alice);
    await field(there, 'Password').fill(second);
    await button(there, 'Sign in').click();
    const guess = () => field(there, 'Code from your authenticator app').fill(app.wrong());
    await pressUntil(there, guess, () =>
      there.getByText('Too many attempts. Try again in 60 minutes.').waitFor(),
    );
    await expect.poll(() => field(there, 'Code from your authenticator app').isDisabled()).toBe(true);
    await button(there, 'Use a recovery code').click();
    await field(there, 'Recovery code').fill(nextRecoveryCode());
    await button(there, 'Continue').click();
    await there.waitForURL(`**${inboxPath}`);
    await runSql(product, 'update second_factors set wrong_codes = 0, wait_until = null');
    await other.context.close();
  });

  test('saving a recovery kit requires a code', async () => {
    await go('/app/security/recovery');
    await field(page, 'Password').fill(second);
    await button(page, 'Create a recovery kit').click();
    const asking = dialogOf(page, 'Two-factor authentication required');
    await factorField(page).fill(nextRecoveryCode());
    await asking.getByRole('button', { name: 'Continue' }).click();
    const list = page.getByRole('list', { name: 'Recovery words' });
    await list.waitFor();
    words = (await list.getByRole('listitem').allInnerTexts()).map(line => line.replace(/\d/g, '').trim());
    const question = page.getByRole('textbox', { name: /^Word \d+ of your kit$/ });
    const label = await question.evaluate(one => (one as HTMLInputElement).labels?.[0]?.textContent ?? '');
    await question.fill(words[Number(/\d+/.exec(label)?.[0]) - 1] ?? '');
    await button(page, 'I’ve saved my kit').click();
    await page.getByText(/^You have a recovery kit, created/).waitFor();
  });

  const useKit = async (there: Page, secret: string): Promise<void> => {
    await there.goto(`${product.baseUrl}/app/recover`);
    await field(there, 'Address').fill(alice);
    await field(there, '24 recovery words').fill(words.join(' '));
    await field(there, 'New password').fill(secret);
    await button(there, 'Set new password').click();
    await there.getByRole('heading', { name: 'One more step' }).waitFor();
  };

  test('account recovery with the kit asks for a code, and wrong codes do not end it', async () => {
    const other = await openPerson(browser);
    const there = other.page;
    await useKit(there, third);
    expect(await findDefects(there)).toEqual([]);
    const guess = () => field(there, 'Code from your authenticator app').fill(app.wrong());
    await pressUntil(there, guess, () =>
      there.getByText('Incorrect or expired code', { exact: true }).waitFor(),
    );
    await button(there, 'Use a recovery code').click();
    for (let tries = 0; tries < 4; tries++) {
      await field(there, 'Recovery code').fill('AAAA-AAAA-AAAA-AAAA');
      await button(there, 'Continue').click();
      await there.getByText('Incorrect or expired code', { exact: true }).waitFor();
      await expect.poll(() => field(there, 'Recovery code').isEnabled()).toBe(true);
    }
    await field(there, 'Recovery code').fill(nextRecoveryCode());
    await button(there, 'Continue').click();
    await there.waitForURL(`**${inboxPath}`);
    await rowOf(there, 'Your recovery kit was used').waitFor();
    await other.context.close();
  });

  test('account recovery with the kit can turn two-factor authentication off, and the user is notified', async () => {
    const other = await openPerson(browser);
    await useKit(other.page, password);
    await button(other.page, 'Turn off and continue').click();
    await other.page.waitForURL(`**${inboxPath}`);
    await rowOf(other.page, 'Two-factor authentication was turned off').waitFor();
    await person.context.close();
    person = other;
    page = other.page;
  });

  /**
   * A phone's page has a different origin than the server: security keys do not work there, but
   * recovery codes do.
   */
  const askOnPhone = async (): Promise<void> => {
    const phone = await openShell(browser);
    const there = phone.page;
    const note = there.getByText(/^Passkeys and security keys work only in a browser, not in this app/);
    await there.goto(`${product.baseUrl}/app/signin`);
    await field(there, 'Address').fill(alice);
    await field(there, 'Password').fill(password);
    await button(there, 'Sign in').click();
    await note.waitFor();
    await field(there, 'Recovery code').fill(nextRecoveryCode());
    expect(await there.getByRole('button', { name: /key/ }).count()).toBe(0);
    await button(there, 'Continue').click();
    await there.waitForURL(`**${inboxPath}`);
    await there.goto(`${product.baseUrl}/app/security/two-factor`);
    await note.waitFor();
    expect(await button(there, 'Add key').isDisabled()).toBe(true);
    await phone.context.close();
  };

  test('an account is permanently deleted after confirmation with a security key', async () => {
    await plugKeyIn(await person.context.newCDPSession(page));
    await go('/app/security/two-factor');
    await button(page, 'Add key').click();
    await field(page, 'Key name').fill('Blue key');
    await field(page, 'Password').fill(password);
    await button(page, 'Continue').click();
    codes = await readCodes(page);
    await keepCodes(page);
    await askOnPhone();
    await go('/app/config/account');
    await button(page, 'Delete account').click();
    const dialog = dialogOf(page, 'Delete account');
    const confirm = dialog.getByRole('button', { name: 'Delete permanently' });
    await dialog.getByRole('textbox', { name: `Type ${alice} to confirm` }).fill(alice);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await button(page, 'Use a passkey or security key').click();
    await dialog.getByText('Key confirmed').waitFor();
    expect(await findDefects(page)).toEqual([]);
    // The flow ends with a page load.
    const fresh = page.waitForEvent('load');
    await confirm.click();
    await fresh;
    await page.waitForURL('**/app/signin');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('vault'))).toBeNull();
    expect(person.problems.filter(problem => !/status of 40[13]/.test(problem))).toEqual([]);
  });
});
