// The second factor as people meet it (docs/spec-map.md 4.14; docs/interface.md#settings; docs/acceptance.md 8): an authenticator
// app and its recovery codes, then a security key, which Chromium plays itself. Real passwords, since signing in is the story.
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

describe.skipIf(chromiumPath === null)('a second factor (needs Chromium)', () => {
  beforeAll(async () => {
    ({ product, browser } = await startProduct());
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  describe('by an authenticator app', () => {
    const email = 'alice@keyfold.test';
    let person: Person;
    let page: Page;
    let app: ReturnType<typeof openAuthenticator>;
    let codes: string[] = [];

    test('is set up with a picture or a text, and counts after the first right code', async () => {
      person = await openPerson(browser);
      ({ page } = person);
      await signUp(page, product.baseUrl, 'Alice Almeida', 'alice');
      await page.goto(`${product.baseUrl}/app/security`);
      await page.getByRole('link', { name: 'Set up: Two-factor sign-in is off' }).click();
      await page.waitForURL(`**${factorPath}`);
      await page.getByText('Your password alone opens your account.').waitFor();
      expect(await findDefects(page)).toEqual([]);
      await button(page, 'Set up').click();
      const dialog = dialogOf(page, 'Set up an authenticator app');
      await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
      app = openAuthenticator(await dialog.locator('code').innerText());
      expect(await findDefects(page)).toEqual([]);
      await button(page, 'Continue').click();
      const code = field(page, 'Code from your authenticator');
      await expect.poll(() => code.evaluate(input => input === document.activeElement)).toBe(true);
      await code.fill(app.wrong());
      await dialog.getByText('Code is wrong or old').waitFor();
      await code.fill(await app.next());
      codes = await readCodes(page);
      expect(new Set(codes).size).toBe(10);
      expect(await findDefects(page)).toEqual([]);
      const saved = page.waitForEvent('download');
      await button(page, 'Save as a file').click();
      expect((await saved).suggestedFilename()).toBe('keyfold-recovery-codes.txt');
      await keepCodes(page);
      await page.getByText('Two-factor sign-in is on').waitFor();
      await page.getByText('10 of 10 codes left').waitFor();
    });

    test('is asked for after the password; a wrong code is counted, and the field stays', async () => {
      const other = await openPerson(browser);
      const there = other.page;
      await givePassword(there, product.baseUrl, email);
      await there.getByRole('heading', { name: 'One more step' }).waitFor();
      expect(await findDefects(there)).toEqual([]);
      const code = field(there, 'Code from your authenticator');
      await expect.poll(() => code.evaluate(one => one === document.activeElement)).toBe(true);
      let tries = 0;
      there.on('request', request => {
        if (request.url().endsWith('/auth/mfa')) tries += 1;
      });
      await code.fill(app.wrong());
      await there.getByText('Code is wrong or old. 4 tries left').waitFor();
      // The six digits were sent when they were complete: Enter out of habit costs no other try.
      await there.keyboard.press('Enter');
      await expect.poll(() => there.evaluate(() => localStorage.getItem('vault'))).toBeNull();
      await code.fill(await app.next());
      await there.waitForURL(inbox, { timeout: 30_000 });
      expect(tries).toBe(2);
      await rowOf(there, 'Two-factor sign-in was turned on').waitFor();
      await there.reload();
      await rowOf(there, 'Two-factor sign-in was turned on').waitFor();
      expect(other.problems).toEqual([]);
      await other.context.close();
    });

    test('a recovery code takes its place, once', async () => {
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
      await first.page.getByText(/It took the place of your second factor/).waitFor();
      await first.context.close();
      const second = await enter();
      await second.page.getByText('Code is wrong or old. 4 tries left').waitFor();
      await button(second.page, 'Back to the password').click();
      await field(second.page, 'Password').waitFor();
      await second.context.close();
    });

    test('after five wrong codes one waits, and then gives the password again', async () => {
      const other = await openPerson(browser);
      const there = other.page;
      await givePassword(there, product.baseUrl, email);
      await button(there, 'Use a recovery code').click();
      for (const left of ['4 tries left', '3 tries left', '2 tries left', '1 try left']) {
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

    test('is asked for where the password is, and guards a changed one', async () => {
      await page.goto(`${product.baseUrl}/app/security/password`);
      await field(page, 'Current password').fill(password);
      await field(page, 'New password').fill('Second-Horse-8');
      await expect.poll(() => button(page, 'Change password').isDisabled()).toBe(true);
      await field(page, 'Code of your second factor').fill(app.wrong());
      await button(page, 'Change password').click();
      await page.getByText('Code is wrong or old').waitFor();
      await field(page, 'Code of your second factor').fill(await app.next());
      await button(page, 'Change password').click();
      await page.getByText('Password changed. All other sessions have ended.').waitFor();
    });

    test('is turned off with a code; then the password is enough', async () => {
      await page.goto(product.baseUrl + factorPath);
      await button(page, 'Make new codes').click();
      const renewing = dialogOf(page, 'Make new recovery codes');
      await field(page, 'Password').fill('Second-Horse-8');
      await field(page, 'Code of your second factor').fill(codes[1] ?? '');
      await renewing.getByRole('button', { name: 'Make new codes' }).click();
      expect(await readCodes(page)).not.toContain(codes[2]);
      await keepCodes(page);
      await button(page, 'Turn off').click();
      const dialog = dialogOf(page, 'Turn off the authenticator app');
      expect(await findDefects(page)).toEqual([]);
      // Two codes of the app are good at a time, and both were used: half a minute would pass before the next one.
      await runSql(product, 'update second_factors set last_step = 0');
      app.forgetUsed();
      await field(page, 'Code of your second factor').fill(await app.next());
      await dialog.getByRole('button', { name: 'Turn off' }).click();
      await page.getByText('Your password alone opens your account.').waitFor();
      const other = await openPerson(browser);
      await givePassword(other.page, product.baseUrl, email, 'Second-Horse-8');
      await other.page.waitForURL(inbox, { timeout: 30_000 });
      await rowOf(other.page, 'Two-factor sign-in was turned off').waitFor();
      await other.context.close();
    });
  });

  describe('by a security key', () => {
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
      await page.getByText('You have no passkey or security key here.').waitFor();
      await button(page, 'Add a key').click();
      const dialog = dialogOf(page, 'Add a passkey or security key');
      expect(await findDefects(page)).toEqual([]);
      await field(page, 'Name of the key').fill('Blue key');
      await field(page, 'Password').fill('Wrong-Horse-1');
      await button(page, 'Continue').click();
      await dialog.getByText('The password is wrong').waitFor();
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
      await field(page, 'Name of the key').fill('Key on my ring');
      await button(page, 'Save').click();
      await page.getByText('Key on my ring').waitFor();
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      expect(credentials).toHaveLength(1);
    });

    test('that the server does not take is told of as the new key, not as a wrong second factor', async () => {
      const { credentials: own } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      // The same device once more, which no browser would be asked for.
      await page.route('**/user/passkeys/challenge', route =>
        changeAnswer<{ data: { excludeCredentials: unknown[] } }>(route, ({ data }) => {
          data.excludeCredentials = [];
        }),
      );
      await page.route('**/user/passkeys', route =>
        route.fulfill({
          status: 403,
          json: { success: false, code: 'passkey_wrong', message: 'This key was not accepted' },
        }),
      );
      await button(page, 'Add a key').click();
      const dialog = dialogOf(page, 'Add a passkey or security key');
      await field(page, 'Name of the key').fill('Red key');
      await field(page, 'Password').fill(password);
      await field(page, 'Recovery code').fill(codes[0] ?? '');
      await button(page, 'Continue').click();
      await dialog.getByRole('alert').getByText('This key was not accepted').waitFor();
      await expect.poll(() => field(page, 'Recovery code').getAttribute('aria-invalid')).toBeNull();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.unrouteAll();
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
      for (const credential of own)
        await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
    });

    test('opens the account after the password, and says so when no key answers', async () => {
      await button(page, `Account: ${email}`).click();
      // It ends with a fresh page.
      const fresh = page.waitForEvent('load');
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await fresh;
      await page.waitForURL('**/app/signin');
      await givePassword(page, product.baseUrl, email);
      await button(page, 'Use your key').waitFor();
      expect(await findDefects(page)).toEqual([]);
      // A key that was never registered does not answer.
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
      await button(page, 'Use your key').click();
      await page.getByText('No key was used. Try again, and follow what your browser says.').waitFor();
      const [own] = credentials;
      if (own === undefined) throw new Error('there was no key');
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: own });
      await button(page, 'Use your key').click();
      await page.waitForURL(inbox, { timeout: 30_000 });
      await rowOf(page, 'Two-factor sign-in was turned on').waitFor();
    });

    test('is removed with its own answer, on a phone in the dark too', async () => {
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
      await dialog.getByText('Your key has answered').waitFor();
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('Your password alone opens your account.').waitFor();
      expect(person.problems.filter(problem => !/status of 40[13]/.test(problem))).toEqual([]);
    });
  });
});
