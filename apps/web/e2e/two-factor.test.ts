// Two-factor authentication from the user's view (docs/spec-map.md 4.14;
// docs/interface.md#settings; docs/acceptance.md 8): an authenticator app and its recovery codes,
// then a security key, which Chromium emulates. Uses real passwords, because signing in is what it
// tests.
import type { Product } from '@keyfold/testing/product';
import { runSql } from '@keyfold/testing/product-sql';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { changeAnswer } from './support/answers.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { password, rowOf, signUp } from './support/people.ts';
import { pressUntil } from './support/retry-click.ts';
import { factorPath, keepCodes, plugKeyIn, readCodes } from './support/second-factor.ts';
import { startProduct } from './support/story.ts';
import { openAuthenticator } from './support/totp.ts';

const inbox = '**/app/inbox/recieved/0';

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

async function givePassword(page: Page, baseUrl: string, email: string, secret = password): Promise<void> {
  await page.goto(`${baseUrl}/app/signin`);
  await field(page, 'Address').fill(email);
  await field(page, 'Password').fill(secret);
  await button(page, 'Sign in').click();
}

let product: Product;
let browser: Browser;

describe.skipIf(chromiumPath === null)('two-factor authentication (needs Chromium)', () => {
  beforeAll(async () => {
    ({ product, browser } = await startProduct());
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  describe('an authenticator app', () => {
    const email = 'alice@keyfold.test';
    let person: Person;
    let page: Page;
    let app: ReturnType<typeof openAuthenticator>;
    let codes: string[] = [];

    test('is set up with a QR code or a text key, and takes effect after the first correct code', async () => {
      person = await openPerson(browser);
      ({ page } = person);
      await signUp(page, product.baseUrl, 'Alice Almeida', 'alice');
      await page.goto(`${product.baseUrl}/app/security`);
      await page.getByRole('link', { name: 'Set up: Two-factor authentication is off' }).click();
      await page.waitForURL(`**${factorPath}`);
      await page.getByText('Signing in requires only your password.').waitFor();
      expect(await findDefects(page)).toEqual([]);
      await button(page, 'Set up').click();
      const dialog = dialogOf(page, 'Set up an authenticator app');
      await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
      app = openAuthenticator(await dialog.locator('code').innerText());
      expect(await findDefects(page)).toEqual([]);
      await button(page, 'Continue').click();
      const code = field(page, 'Code from your authenticator app');
      await expect.poll(() => code.evaluate(input => input === document.activeElement)).toBe(true);
      await code.fill(app.wrong());
      await dialog.getByText('Incorrect or expired code').waitFor();
      await code.fill(await app.next());
      codes = await readCodes(page);
      expect(new Set(codes).size).toBe(10);
      expect(await findDefects(page)).toEqual([]);
      const saved = page.waitForEvent('download');
      await button(page, 'Save as file').click();
      expect((await saved).suggestedFilename()).toBe('keyfold-recovery-codes.txt');
      await keepCodes(page);
      await page.getByText('Two-factor authentication is on').waitFor();
      await page.getByText('10 of 10 codes left').waitFor();
    });

    test('is asked for after the password, and a wrong code is counted and keeps the field', async () => {
      const other = await openPerson(browser);
      const there = other.page;
      await givePassword(there, product.baseUrl, email);
      await there.getByRole('heading', { name: 'One more step' }).waitFor();
      expect(await findDefects(there)).toEqual([]);
      const code = field(there, 'Code from your authenticator app');
      await expect.poll(() => code.evaluate(one => one === document.activeElement)).toBe(true);
      let tries = 0;
      there.on('request', request => {
        if (request.url().endsWith('/auth/mfa')) tries += 1;
      });
      await code.fill(app.wrong());
      await there.getByText('Incorrect or expired code. 4 attempts left').waitFor();
      // The six digits were submitted when complete; pressing Enter out of habit costs no
      // additional attempt.
      await there.keyboard.press('Enter');
      await expect.poll(() => there.evaluate(() => localStorage.getItem('vault'))).toBeNull();
      await code.fill(await app.next());
      await there.waitForURL(inbox, { timeout: 30_000 });
      expect(tries).toBe(2);
      await rowOf(there, 'Two-factor authentication was turned on').waitFor();
      await there.reload();
      await rowOf(there, 'Two-factor authentication was turned on').waitFor();
      expect(other.problems).toEqual([]);
      await other.context.close();
    });

    test('can be replaced by a recovery code, once', async () => {
      const enter = async (): Promise<Person> => {
        const other = await openPerson(browser);
        await givePassword(other.page, product.baseUrl, email);
        await button(other.page, 'Use a recovery code').click();
        await field(other.page, 'Recovery code').fill(` ${(codes[0] ?? '').toLowerCase()} `);
        await button(other.page, 'Continue').click();
        return other;
      };
      const first = await enter();
      await first.page.waitForURL(inbox, { timeout: 30_000 });
      await rowOf(first.page, 'A recovery code was used').getByRole('link').first().click();
      await first.page.getByText(/It was used in place of your second factor/).waitFor();
      await first.context.close();
      const second = await enter();
      await second.page.getByText('Incorrect or expired code. 4 attempts left').waitFor();
      await button(second.page, 'Back to sign-in').click();
      await field(second.page, 'Password').waitFor();
      await second.context.close();
    });

    test('requires the password again after five wrong codes', async () => {
      const other = await openPerson(browser);
      const there = other.page;
      await givePassword(there, product.baseUrl, email);
      await button(there, 'Use a recovery code').click();
      for (const left of ['4 attempts left', '3 attempts left', '2 attempts left', '1 attempt left']) {
        await field(there, 'Recovery code').fill(codes[0] ?? '');
        await button(there, 'Continue').click();
        await there.getByText(left).waitFor();
      }
      await field(there, 'Recovery code').fill(codes[0] ?? '');
      await button(there, 'Continue').click();
      await there.getByText('Session expired. Please login again.').waitFor();
      await field(there, 'Password').waitFor();
      await other.context.close();
    });

    test('is required to change the password', async () => {
      await page.goto(`${product.baseUrl}/app/security/password`);
      await field(page, 'Current password').fill(password);
      await field(page, 'New password').fill('Second-Horse-8');
      await expect.poll(() => button(page, 'Change password').isDisabled()).toBe(true);
      await field(page, 'Two-factor code').fill(app.wrong());
      await button(page, 'Change password').click();
      await page.getByText('Incorrect or expired code').waitFor();
      await field(page, 'Two-factor code').fill(await app.next());
      await button(page, 'Change password').click();
      await page.getByText('Password changed. All other sessions have ended.').waitFor();
    });

    test('is turned off with a code, and the password is then enough', async () => {
      await page.goto(product.baseUrl + factorPath);
      await button(page, 'Create new codes').click();
      const renewing = dialogOf(page, 'Create new recovery codes');
      await field(page, 'Password').fill('Second-Horse-8');
      await field(page, 'Two-factor code').fill(codes[1] ?? '');
      await renewing.getByRole('button', { name: 'Create new codes' }).click();
      expect(await readCodes(page)).not.toContain(codes[2]);
      await keepCodes(page);
      await button(page, 'Turn off').click();
      const dialog = dialogOf(page, 'Turn off the authenticator app');
      expect(await findDefects(page)).toEqual([]);
      // Two app codes are valid at a time, and both were used. Resetting this saves the half minute
      // until the next one.
      await runSql(product, 'update second_factors set last_step = 0');
      app.forgetUsed();
      await field(page, 'Two-factor code').fill(await app.next());
      await dialog.getByRole('button', { name: 'Turn off' }).click();
      await page.getByText('Signing in requires only your password.').waitFor();
      const other = await openPerson(browser);
      await givePassword(other.page, product.baseUrl, email, 'Second-Horse-8');
      await other.page.waitForURL(inbox, { timeout: 30_000 });
      await rowOf(other.page, 'Two-factor authentication was turned off').waitFor();
      await other.context.close();
    });
  });

  describe('a security key', () => {
    const email = 'bob@keyfold.test';
    let person: Person;
    let page: Page;
    let devtools: CDPSession;
    let authenticatorId = '';
    let codes: string[] = [];

    test('is registered with a name and the password, and can be renamed', async () => {
      person = await openPerson(browser);
      ({ page } = person);
      devtools = await person.context.newCDPSession(page);
      authenticatorId = await plugKeyIn(devtools);
      await signUp(page, product.baseUrl, 'Bob Brandt', 'bob');
      await page.goto(product.baseUrl + factorPath);
      await page.getByText('No passkeys or security keys yet').waitFor();
      await button(page, 'Add key').click();
      const dialog = dialogOf(page, 'Add a passkey or security key');
      expect(await findDefects(page)).toEqual([]);
      await field(page, 'Key name').fill('Blue key');
      await field(page, 'Password').fill('Wrong-Horse-1');
      await button(page, 'Continue').click();
      await dialog.getByText('Incorrect password').waitFor();
      await field(page, 'Password').fill(password);
      await pressUntil(
        page,
        () => button(page, 'Continue').click(),
        () => readCodes(page),
      );
      codes = await readCodes(page);
      expect(codes).toHaveLength(10);
      await keepCodes(page);
      await button(page, 'Rename Blue key').click();
      await field(page, 'Key name').fill('Key on my ring');
      await button(page, 'Save').click();
      await page.getByText('Key on my ring').waitFor();
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      expect(credentials).toHaveLength(1);
    });

    test('that the server rejects is reported as the new key, not as a wrong second factor', async () => {
      const { credentials: own } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      // The same device again, which a browser would not offer.
      await page.route('**/user/passkeys/challenge', route =>
        changeAnswer<{ data: { excludeCredentials: unknown[] } }>(route, ({ data }) => {
          data.excludeCredentials = [];
        }),
      );
      await page.route('**/user/passkeys', route =>
        route.fulfill({
          status: 403,
          json: {
            success: false,
            code: 'passkey_wrong',
            message: 'This passkey or security key wasn’t accepted',
          },
        }),
      );
      await button(page, 'Add key').click();
      const dialog = dialogOf(page, 'Add a passkey or security key');
      await field(page, 'Key name').fill('Red key');
      await field(page, 'Password').fill(password);
      await field(page, 'Recovery code').fill(codes[0] ?? '');
      await button(page, 'Continue').click();
      await dialog.getByRole('alert').getByText('This passkey or security key wasn’t accepted').waitFor();
      await expect.poll(() => field(page, 'Recovery code').getAttribute('aria-invalid')).toBeNull();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.unrouteAll();
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
      for (const credential of own)
        await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
    });

    test('opens the account after the password, and a key that does not respond is reported', async () => {
      await button(page, `Account: ${email}`).click();
      // The flow ends with a page load.
      const fresh = page.waitForEvent('load');
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await fresh;
      await page.waitForURL('**/app/signin');
      await givePassword(page, product.baseUrl, email);
      await button(page, 'Use your key').waitFor();
      expect(await findDefects(page)).toEqual([]);
      // A key that was never registered does not respond.
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
      await button(page, 'Use your key').click();
      await page.getByText('No key was used. Try again and follow your browser’s instructions.').waitFor();
      const [own] = credentials;
      if (own === undefined) throw new Error('there was no key');
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: own });
      await button(page, 'Use your key').click();
      await page.waitForURL(inbox, { timeout: 30_000 });
      await rowOf(page, 'Two-factor authentication was turned on').waitFor();
    });

    test('is removed by confirming with it, and its page fits a phone in dark mode', async () => {
      const phone = await openPerson(browser, {
        viewport: { width: 390, height: 844 },
        colorScheme: 'dark',
        storageState: await person.context.storageState(),
      });
      await phone.page.goto(product.baseUrl + factorPath);
      await phone.page.getByText('Key on my ring').waitFor();
      expect(await findDefects(phone.page)).toEqual([]);
      expect(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await phone.context.close();

      await page.goto(product.baseUrl + factorPath);
      await button(page, 'Remove Key on my ring').click();
      const dialog = dialogOf(page, 'Remove Key on my ring');
      await button(page, 'Use a passkey or security key').click();
      await dialog.getByText('Key confirmed').waitFor();
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('Signing in requires only your password.').waitFor();
      expect(person.problems.filter(problem => !/status of 40[13]/.test(problem))).toEqual([]);
    });
  });
});
