// The lifetime of a session in the browser (docs/spec-map.md 2, 4): the ways to sign in and the
// page shown afterward; what survives a reload, a browser restart and thirty days; and that nothing
// remains after the end. A copied disk reveals nothing.
import { decodeBase64 } from '@keyfold/crypto/message';
import { deriveVaultKey, unlockVault } from '@keyfold/crypto/vault';
import type { Product } from '@keyfold/testing/product';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openPerson, type Person } from './support/browser.ts';
import { formsOf } from './support/disk.ts';
import { sendFromOutside } from './support/outside.ts';
import { openMail, password, rowOf, signIn, signUp, startDraft } from './support/people.ts';
import { headingsSeen, watchHeadings } from './support/seen.ts';
import { startProduct } from './support/story.ts';

const alice = 'alice@keyfold.test';
const inbox = '/app/inbox/recieved/0';
const subject = 'For Alice only';
const DAY_MS = 24 * 60 * 60 * 1000;

/** Every key of docs/spec-map.md 3, and those of the mail client itself. */
const sessionKeys = [
  'restore_key',
  'vault',
  'user',
  'auth_backup',
  'keep_signed_in',
  'unreadCount',
  'pushToken',
  'notificationPreferences',
  'biometric_credentials',
  'biometric_enabled',
];

async function fillSignin(page: Page, address: string, secret: string) {
  await page.getByRole('textbox', { name: 'Address' }).fill(address);
  await page.getByRole('textbox', { name: 'Password' }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.skipIf(chromiumPath === null)('a session (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  const contexts: BrowserContext[] = [];

  const newPerson = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<Person> => {
    const one = await openPerson(browser, options);
    contexts.push(one.context);
    return one;
  };

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    const [first, second] = [await newPerson(), await newPerson()];
    await signUp(first.page, product.baseUrl, 'Alice Almeida', 'alice');
    await signUp(second.page, product.baseUrl, 'Bob Brandt', 'bob');
    await sendFromOutside(product.smtpPort, { to: alice, subject, text: 'Only for Alice.' });
    person = await newPerson();
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('a protected page shows a spinner during the check, then the sign-in form, then the requested page', async () => {
    const { page } = person;
    const spinnerSeen = Promise.withResolvers<void>();
    await page.route('**/auth/check', async route => {
      await spinnerSeen.promise;
      await route.continue();
    });
    await page.goto(`${product.baseUrl}/app/config`);
    await page.getByText('Signing in…').waitFor();
    spinnerSeen.resolve();
    await page.waitForURL('**/app/signin');
    await page.unroute('**/auth/check');
    await fillSignin(page, alice, password);
    await page.waitForURL('**/app/config/account');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  });

  test('program chunks are requested again after their connection breaks', async () => {
    const { page } = await newPerson();
    const broken: string[] = [];
    const parts = ['index', 'SigninPage', 'key-worker', 'login-keys'];
    for (const part of parts)
      await page.route(
        new RegExp(`/bundle\\.${part}\\.`),
        async route => {
          broken.push(part);
          await route.abort('connectionreset');
        },
        { times: 1 },
      );
    await page.goto(`${product.baseUrl}/app/signin`);
    await fillSignin(page, alice, password);
    await rowOf(page, subject).waitFor();
    expect(broken).toEqual(parts);
    // The texts of another language are blocked too.
    await page.evaluate(() => localStorage.setItem('language', 'de'));
    await page.route(/\/bundle\.de\./, route => route.abort('connectionreset'), { times: 1 });
    await page.reload();
    await page.getByRole('button', { name: 'Aktualisieren' }).waitFor();
  });

  test.each([
    ['/', inbox],
    ['/xyz', inbox],
    ['/app', inbox],
    ['/app/inbox', inbox],
    ['/app/inbox/received', inbox],
    ['/app/inbox/received/2', inbox],
    ['/app/inbox/sent', '/app/inbox/sent/0'],
    ['/app/nonsense/deep', inbox],
    ['/#/inbox', inbox],
    ['/app/signin', inbox],
    ['/app/signup', inbox],
  ])('signed in, %s leads to %s and shows nothing else on the way', async (from, to) => {
    const { page } = await openIn(person);
    await watchHeadings(page);
    await page.goto(`${product.baseUrl}${from}`);
    await page.waitForURL(url => url.pathname === to);
    await page.getByRole('list', { name: 'Messages' }).or(page.getByText('Nothing sent yet')).waitFor();
    expect((await headingsSeen(page)).filter(text => !/^(?:Inbox|Sent|All mail)$/.test(text))).toEqual([]);
    await page.close();
  });

  test('a missing program chunk is reported without mentioning a new version and offers a reload', async () => {
    const { page } = await openIn(person);
    await page.goto(`${product.baseUrl}${inbox}`);
    await rowOf(page, subject).waitFor();
    await page.route(/\/bundle\.AppearancePage\./, route => route.fulfill({ status: 404, body: '' }));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('appearance');
    await page.getByRole('option', { name: /Appearance/ }).click();
    await page.getByRole('heading', { name: 'Couldn’t load part of Keyfold' }).waitFor();
    await page.getByText('Loading chunk appearance failed. (missing)').waitFor();
    await page.getByText('The server doesn’t have a program file').waitFor();
    expect(await page.getByText(/new version/i).count()).toBe(0);
    await page.unroute(/\/bundle\.AppearancePage\./);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    await page.close();
  });

  test('a page whose scripts are blocked explains what it needs', async () => {
    const note = 'Keyfold has not loaded. It needs the scripts of this site';
    const blocked = await newPerson();
    await blocked.page.route(/\/bundle\.index\./, route => route.abort('blockedbyclient'));
    await blocked.page.goto(`${product.baseUrl}/app/signin`);
    await blocked.page.getByText(note).waitFor({ timeout: 8_000 });
    // The code that would report a failure is blocked here too.
    const bare = await newPerson({ locale: 'de-DE' });
    await bare.page.route(/\.js$/, route => route.abort('blockedbyclient'));
    await bare.page.goto(`${product.baseUrl}/app/signin`);
    expect(await bare.page.getByText(note).isVisible()).toBe(false);
    await bare.page.getByText(note).waitFor({ timeout: 20_000 });
    const german = await newPerson({ locale: 'de-DE' });
    await german.page.route(/\/bundle\.index\./, route => route.abort('blockedbyclient'));
    await german.page.goto(`${product.baseUrl}/app/signin`);
    await german.page.getByText('Keyfold ist nicht geladen.').waitFor();
    expect(await german.page.getByText(note).isVisible()).toBe(false);
    const without = await newPerson({ javaScriptEnabled: false });
    await without.page.goto(`${product.baseUrl}/app/signin`);
    const plain = without.page.locator('noscript');
    expect([await plain.isVisible(), await plain.textContent()]).toEqual([
      true,
      expect.stringContaining('so it needs JavaScript'),
    ]);
    expect(await without.page.getByText(note).isVisible()).toBe(false);
  });

  test('a link to a missing message says so and leads to the inbox', async () => {
    const { page } = await openIn(person);
    await page.goto(`${product.baseUrl}/#/email/5f0c8f5e-0000-4000-8000-000000000000`);
    await page.getByText('This message is no longer here').waitFor();
    await page.waitForURL(url => url.pathname === inbox);
    await page.close();
  });

  test('signed out, unknown paths show only the sign-in form', async () => {
    const stranger = await newPerson();
    await watchHeadings(stranger.page);
    for (const path of ['/', '/xyz', '/app/inbox/sent/3']) {
      await stranger.page.goto(`${product.baseUrl}${path}`);
      await stranger.page.waitForURL('**/app/signin');
      await stranger.page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await headingsSeen(stranger.page)).toEqual(['Sign in']);
    }
    expect(stranger.problems).toEqual([]);
  });

  test('a wrong password and an unknown address show the same error and ask for the password again', async () => {
    const { page } = await newPerson();
    await page.goto(`${product.baseUrl}/app/signin`);
    const field = page.getByRole('textbox', { name: 'Password' });
    for (const address of [alice, 'nobody@keyfold.test', 'who@elsewhere.test']) {
      await fillSignin(page, address, 'Wrong-Horse-1');
      await page.getByText('Incorrect address or password').waitFor();
      await expect.poll(() => field.evaluate(element => element === document.activeElement)).toBe(true);
      await field.press('x');
      await expect.poll(() => field.inputValue()).toBe('x');
      await page.reload();
    }
  });

  test('password managers find the form and its fields and see that it was submitted', async () => {
    const { page } = await newPerson();
    /**
     * Returns the fields a password manager uses: those of the form with the password field, each
     * with a label or hidden.
     */
    const fields = () =>
      page.locator('form:has(input[type=password])').evaluate(form => ({
        canBeSent: form.querySelector('button[type=submit]') !== null,
        fields: [...form.querySelectorAll('input')]
          .filter(({ type, autocomplete }) => type !== 'checkbox' && autocomplete !== 'off')
          .map(({ id, type, name, autocomplete, value, hidden, labels }) => ({
            is: `${type} ${name} ${autocomplete}`,
            value,
            isNamed: hidden || (id !== '' && labels?.length === 1),
          })),
      }));
    await page.goto(`${product.baseUrl}/app/signup`);
    await page.getByRole('textbox', { name: 'Address' }).fill('nora');
    await expect.poll(fields).toEqual({
      canBeSent: true,
      fields: [
        { is: 'text name name', value: '', isNamed: true },
        { is: 'email email username', value: 'nora@keyfold.test', isNamed: true },
        { is: 'password password new-password', value: '', isNamed: true },
      ],
    });
    await page.goto(`${product.baseUrl}/app/signin`);
    await page.getByRole('textbox', { name: 'Address' }).waitFor();
    await expect
      .poll(() => fields())
      .toEqual({
        canBeSent: true,
        fields: [
          { is: 'email username username', value: '', isNamed: true },
          { is: 'password password current-password', value: '', isNamed: true },
        ],
      });
    // Password managers fill all fields at once and without key presses.
    await page.evaluate(
      values => {
        for (const [name, value] of Object.entries(values)) {
          const field = document.querySelector<HTMLInputElement>(`input[name="${name}"]`);
          const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
          if (field !== null) write?.call(field, value);
          field?.dispatchEvent(new Event('input', { bubbles: true }));
        }
        document.querySelector('form')?.requestSubmit();
      },
      { username: alice, password },
    );
    await page.waitForURL(`**${inbox}`);
    await expect.poll(() => page.locator('input[type=password]').count()).toBe(0);
  });

  test('a reload keeps the session and shows no form', async () => {
    const { page } = person;
    await watchHeadings(page);
    await page.goto(`${product.baseUrl}${inbox}`);
    await page.reload();
    await rowOf(page, subject).waitFor();
    expect(await headingsSeen(page)).toEqual(['Inbox']);
  });

  test('a session that is not kept ends with the browser', async () => {
    const { page } = await newPerson({ storageState: await withoutSession(person.context) });
    await page.goto(product.baseUrl);
    await page.waitForURL('**/app/signin');
  });

  describe('a kept session', () => {
    let kept: Person;
    beforeAll(async () => {
      kept = await newPerson();
      await signIn(kept.page, product.baseUrl, alice, { keep: true });
      await rowOf(kept.page, subject).waitFor();
    });

    test('resumes at the next browser start without the sign-in form', async () => {
      const next = await newPerson({ storageState: await withoutSession(kept.context) });
      await watchHeadings(next.page);
      await next.page.goto(product.baseUrl);
      await openMail(next.page, subject);
      await next.page.getByText('Only for Alice.').first().waitFor();
      expect(await headingsSeen(next.page)).toEqual(['Inbox']);
      // Only the browser's current cookie is valid, because a cookie is replaced when it is used.
      kept = next;
    });

    test('retries the check once after half a second when both check and restore fail', async () => {
      const next = await newPerson({ storageState: await kept.context.storageState() });
      const asked: { what: string; at: number }[] = [];
      let checks = 0;
      const fail = { status: 503, json: { success: false, message: 'Later', code: 'unavailable' } };
      await next.page.route(/\/auth\/(?:check|restore)$/, route => {
        const what = new URL(route.request().url()).pathname;
        asked.push({ what, at: Date.now() });
        if (what === '/auth/check') checks += 1;
        const isLast = asked.some(one => one.what === '/auth/restore') && what === '/auth/check';
        return isLast ? route.continue() : route.fulfill(fail);
      });
      await next.page.goto(product.baseUrl);
      await rowOf(next.page, subject).waitFor();
      expect(asked.map(one => one.what).slice(-2)).toEqual(['/auth/restore', '/auth/check']);
      expect((asked.at(-1)?.at ?? 0) - (asked.at(-2)?.at ?? 0)).toBeGreaterThanOrEqual(490);
      expect(checks).toBeLessThanOrEqual(3);
    });

    test('expires after thirty days, and its stored data is deleted', async () => {
      const state = await withoutSession(kept.context);
      for (const entry of state.origins[0]?.localStorage ?? []) {
        if (entry.name !== 'auth_backup') continue;
        entry.value = JSON.stringify({ ...JSON.parse(entry.value), timestamp: Date.now() - 31 * DAY_MS });
      }
      const { page } = await newPerson({ storageState: state });
      const restores: string[] = [];
      page.on('request', request => {
        if (request.url().endsWith('/auth/restore')) restores.push(request.url());
      });
      await page.goto(product.baseUrl);
      await page.waitForURL('**/app/signin');
      expect(
        await page.evaluate(() => ['auth_backup', 'keep_signed_in'].map(name => localStorage.getItem(name))),
      ).toEqual([null, null]);
      expect(restores).toEqual([]);
    });

    test('cannot be opened from a disk copied without cookies, which contains no readable private key', async () => {
      const state = await kept.context.storageState({ indexedDB: true });
      const { page } = await newPerson({ storageState: { ...state, cookies: [] } });
      await page.goto(product.baseUrl);
      await page.waitForURL('**/app/signin');

      const answer = await kept.context.request.get(`${product.baseUrl}/auth/check`);
      const { data } = (await answer.json()) as { data: { main_key: Parameters<typeof unlockVault>[1] } };
      const identity = await unlockVault(await deriveVaultKey(password, alice), data.main_key);
      const secrets = Object.entries(identity).filter(([name]) => /private|sent_key/.test(name));
      expect(secrets.length).toBeGreaterThanOrEqual(3);
      const session = await kept.page.evaluate(() => JSON.stringify({ ...sessionStorage }));
      const disk = Buffer.from(`${JSON.stringify(state.origins)}${session}`);
      const decoded = [...disk.toString().matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)].map(([text]) =>
        Buffer.from(
          decodeBase64(text.slice(0, text.length - (text.replace(/=+$/, '').length % 4 === 1 ? 1 : 0))),
        ),
      );
      for (const [name, value] of secrets) {
        const bytes = Buffer.from(value as unknown as Uint8Array);
        const forms = [bytes, Buffer.from(bytes.toString('hex')), ...formsOf(bytes.toString('base64'))];
        for (const place of [disk, ...decoded])
          expect({ name, isFound: forms.some(form => place.includes(form)) }).toEqual({
            name,
            isFound: false,
          });
      }
      expect(disk.includes(subject)).toBe(false);
    });

    test('ends at sign-out with every stored key cleared, and Back shows nothing', async () => {
      const { page } = kept;
      await page.evaluate(names => {
        for (const name of names) if (localStorage.getItem(name) === null) localStorage.setItem(name, 'x');
      }, sessionKeys);
      await page.getByRole('button', { name: /^Account: / }).click();
      const fresh = page.waitForEvent('load');
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await fresh;
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(
        await page.evaluate(names => names.filter(name => localStorage.getItem(name) !== null), sessionKeys),
      ).toEqual([]);
      await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
      await page.goBack();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await expect.poll(() => page.getByText(subject).count()).toBe(0);
      // The browser remains known, so the next sign-in triggers no notice. That cookie grants no
      // access.
      const left = (await kept.context.cookies()).filter(({ value }) => value !== '');
      expect(left.map(({ name }) => name)).toEqual(['keyfold_browser']);
    });
  });

  const endSession = (of: Person) =>
    of.context.request.get(`${product.baseUrl}/auth/logout`, {
      headers: { 'sec-fetch-site': 'same-origin', origin: product.baseUrl },
    });

  test('a session that ends during writing asks for the password over the page, and writing continues', async () => {
    const { page } = person;
    await page.goto(`${product.baseUrl}${inbox}`);
    await openMail(page, subject);
    await startDraft(page, 'bob@keyfold.test', 'sealed');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Half a letter by Alice');
    await endSession(person);
    const { href } = new URL(page.url());
    await page.getByRole('button', { name: 'Refresh' }).click();
    const overlay = page.getByRole('dialog', { name: 'Session expired. Please login again.' });
    await overlay.getByText(alice).waitFor();
    await expect.poll(() => overlay.getByRole('textbox', { name: 'Address' }).count()).toBe(0);
    const secret = overlay.getByRole('textbox', { name: 'Password' });
    await secret.fill('Wrong-Horse-1');
    await overlay.getByRole('button', { name: 'Sign in' }).click();
    await overlay.getByText('Incorrect address or password').waitFor();
    await secret.fill(password);
    await secret.press('Enter');
    await overlay.waitFor({ state: 'detached' });
    expect(page.url()).toBe(href);
    const about = page.getByRole('textbox', { name: 'Subject' });
    await expect.poll(() => about.inputValue()).toBe('Half a letter by Alice');
    await about.press('End');
    await about.pressSequentially(' and a bit more');
    await page.getByText(/Draft saved/).waitFor();
    await page.goto(`${product.baseUrl}/app/inbox/drafts/0`);
    await rowOf(page, 'Half a letter by Alice and a bit more').waitFor();
  });

  test('after the server ends a session, the next user to sign in sees only their own mail', async () => {
    const { page } = person;
    await page.goto(`${product.baseUrl}${inbox}`);
    await openMail(page, subject);
    await startDraft(page, 'bob@keyfold.test', 'sealed');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Another letter by Alice');
    await endSession(person);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.waitForURL('**/app/signin');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await watchHeadings(page);
    await fillSignin(page, 'bob@keyfold.test', password);
    await rowOf(page, 'New sign-in to your account').waitFor();
    await expect.poll(() => page.getByText(subject).count()).toBe(0);
    await expect.poll(() => page.getByText('Another letter by Alice').count()).toBe(0);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('without an open draft, an ended session is reported and leads to the sign-in form', async () => {
    const { page } = person;
    const said = page.getByText('Session expired. Please login again.').waitFor();
    await endSession(person);
    await said;
    await page.waitForURL('**/app/signin');
  });

  test('a page returns to the sign-in form when another tab signs out', async () => {
    const one = await newPerson();
    await signIn(one.page, product.baseUrl, alice);
    await rowOf(one.page, subject).waitFor();
    const { page: other } = await openIn(one);
    await other.goto(product.baseUrl);
    await other.getByRole('button', { name: /^Account: / }).click();
    const fresh = other.waitForEvent('load');
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await fresh;
    await one.page.waitForURL('**/app/signin');
    await expect.poll(() => one.page.getByText(subject).count()).toBe(0);
    // A username alone is enough when the service has one domain.
    await signIn(other, product.baseUrl, 'bob');
    await rowOf(other, 'New sign-in to your account').waitFor();
    expect(one.problems).toEqual([]);
  });

  test('the page reports no problem', () => {
    expect(person.problems).toEqual([]);
  });
});

/** Another page of the same browser. */
const openIn = async ({ context }: Person): Promise<{ page: Page }> => ({ page: await context.newPage() });

/** Returns what a browser still has after a restart: persistent cookies and its storage. */
async function withoutSession(context: BrowserContext) {
  const state = await context.storageState();
  return { ...state, cookies: state.cookies.filter(cookie => cookie.expires > 0) };
}
