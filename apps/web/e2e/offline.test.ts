// Offline use: the program itself opens, previously opened mail on a device that stays signed in
// opens with the password, and everything resumes when the server is back. The stored data reveals
// nothing, and signing out removes it.

import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openPerson, type Person } from './support/browser.ts';
import { olga, sendFromOutside } from './support/outside.ts';
import { awaitMail, openMail, password, rowOf, signIn, signOut, signUp } from './support/people.ts';
import { startProduct } from './support/story.ts';

const address = 'otto@keyfold.test';
const subject = 'Harvest figures';
const words = 'The barley is in.';

/** Returns all content of the page's databases as one text. */
const readDatabases = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const all: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      for (const store of db.objectStoreNames)
        all.push(
          await new Promise(resolve => {
            const request = db.transaction(store).objectStore(store).getAll();
            request.onsuccess = () => resolve(request.result);
          }),
        );
      db.close();
    }
    return JSON.stringify(all);
  });

/**
 * Returns when the newest response in the offline database was stored, in milliseconds since 1970.
 */
const newestAnswer = async (page: Page): Promise<number> =>
  Math.max(0, ...[...(await readDatabases(page)).matchAll(/"at":(\d+)/g)].map(([, at]) => Number(at)));

/** Returns the hidden names of the offline entries. */
const namesIn = async (page: Page): Promise<string[]> =>
  [...(await readDatabases(page)).matchAll(/"name":"([^"]+)"/g)].map(([, name = '']) => name);

/** Resolves when the service worker has cached the whole program. */
const untilProgramKept = (page: Page) =>
  page.waitForFunction(async () => {
    await navigator.serviceWorker.ready;
    return (await caches.match('/index.html')) !== undefined;
  });

describe.skipIf(chromiumPath === null)('offline use (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    person = await openPerson(browser, { serviceWorkers: 'allow' });
    const { page } = person;
    await signUp(page, product.baseUrl, 'Otto', 'otto');
    await signOut(page);
    await sendFromOutside(product.smtpPort, { to: address, from: olga, subject, text: words });
    await signIn(page, product.baseUrl, address, { keep: true });
    await openMail(page, subject);
    await page.getByText(words).waitFor();
    await untilProgramKept(page);
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await rowOf(page, subject).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('data stored on the device reveals nothing about the mail', async () => {
    const kept = await readDatabases(person.page);
    expect(kept.length).toBeGreaterThan(2_000);
    for (const secret of [
      subject,
      'barley',
      'olga',
      address,
      '/user/',
      'recieved',
      btoa(subject).slice(0, 12),
    ])
      expect(kept).not.toContain(secret);
  });

  test('the app opens offline, and the password unlocks mail that was opened before', async () => {
    const { page } = person;
    await product.stop();
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor();
    const field = page.getByRole('textbox', { name: 'Password' });
    await field.fill('Wrong-Horse-9');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('This password doesn’t unlock the mail on this device').waitFor();
    await field.fill(password);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await rowOf(page, subject).getByRole('link').first().click();
    await page.getByText(words).waitFor();
    await page.getByText(/^Offline/).waitFor();
  });

  test('a change made offline survives a reload, is shown as waiting, and is applied later', async () => {
    const { context, page } = person;
    await context.setOffline(true);
    const pressedAt = Date.now();
    await rowOf(page, subject).getByRole('link').first().focus();
    await page.keyboard.press('s');
    await page.getByText(/Offline, \d changes? waiting/).waitFor();
    // While the server is unreachable, nothing else is stored.
    await expect.poll(() => newestAnswer(page), { timeout: 15_000 }).toBeGreaterThan(pressedAt);
    await page.reload();
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await rowOf(page, subject).waitFor();
    await page.getByText(/Offline, \d changes? waiting/).waitFor();
    await product.start();
    await context.setOffline(false);
    await page.goto(`${product.baseUrl}/app/inbox/starred/0`);
    await rowOf(page, subject).waitFor();
  });

  test('a message written offline waits, survives a reload, and is sent exactly once', async () => {
    const { context, page } = person;
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await rowOf(page, subject).waitFor();
    await context.setOffline(true);
    const write = async (to: string, about: string) => {
      await page.getByRole('button', { name: 'Compose' }).first().click();
      await page.getByRole('combobox', { name: 'To: add recipient' }).fill(to);
      await page.getByRole('combobox', { name: 'To: add recipient' }).press('Enter');
      await page.getByRole('textbox', { name: 'Subject' }).fill(about);
      await page.getByRole('textbox', { name: 'Message' }).click();
      await page.keyboard.type('Written in the tunnel.');
      await page.getByRole('button', { name: 'Send when online' }).click();
      await page.getByRole('button', { name: 'Waiting for connection', exact: true }).waitFor();
      await page.getByText('Saved on this device (offline)').waitFor();
      await page.getByRole('button', { name: 'Save and close' }).last().click();
      await page.getByRole('button', { name: `${about} Waiting for connection` }).waitFor();
    };
    await write(address, 'From the train');
    await write('nobody@outside.test', 'To a stranger');
    const kept = await readDatabases(page);
    for (const secret of ['From the train', 'tunnel', 'stranger']) expect(kept).not.toContain(secret);
    page.on('dialog', dialog => void dialog.accept());
    await page.reload();
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByRole('button', { name: 'From the train Waiting for connection' }).waitFor();
    await page.getByRole('button', { name: 'To a stranger Waiting for connection' }).waitFor();
    await context.setOffline(false);
    await awaitMail(page, 'From the train');
    await page.getByText('Not sent: To a stranger').waitFor();
    await page.getByText(/nobody@outside.test doesn’t support end-to-end encryption/).waitFor();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.goto(`${product.baseUrl}/app/inbox/sent/0`);
    await rowOf(page, 'From the train').waitFor();
    const rows = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await expect.poll(() => rows.filter({ hasText: 'From the train' }).count()).toBe(1);
  });

  test('the app resumes by itself when the server is back', async () => {
    const { page } = person;
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await sendFromOutside(product.smtpPort, {
      to: address,
      from: olga,
      subject: 'After all',
      text: 'Again.',
    });
    await awaitMail(page, 'After all');
  });

  test('cached data is deleted when another user stays signed in on the device', async () => {
    const { page } = person;
    const next = await openPerson(browser);
    await signUp(next.page, product.baseUrl, 'Nora', 'nora');
    const before = await namesIn(page);
    expect(before.length).toBeGreaterThan(0);
    // The session was ended elsewhere, without a sign-out on this device.
    await page.context().clearCookies();
    await signIn(page, product.baseUrl, 'nora@keyfold.test', { keep: true });
    await expect.poll(() => namesIn(page).then(names => names.length)).toBeGreaterThan(0);
    expect((await namesIn(page)).filter(name => before.includes(name))).toEqual([]);
  });

  test('signing out deletes cached data', async () => {
    const { page } = person;
    await signOut(page);
    await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('offline_account'))).toBeNull();
  });

  test('a device that does not stay signed in caches nothing', async () => {
    const { page } = person;
    await signIn(page, product.baseUrl, address);
    await openMail(page, subject);
    await page.getByText(words).waitFor();
    expect(await readDatabases(page)).not.toContain('sealed');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('offline_account'))).toBeNull();
  });

  test('a device without cached mail shows an offline notice and resumes by itself', async () => {
    const { context, page } = person;
    await context.setOffline(true);
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor();
    await page.getByText('Mail is available offline only on devices where').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'You’re offline' }).waitFor();
    await context.setOffline(false);
    await rowOf(page, subject).waitFor();
  });

  test('a language chosen online is read offline, and the texts of other languages are not stored', async () => {
    const { context, page } = person;
    const storedCatalogs = () =>
      page.evaluate(async () => {
        const found: string[] = [];
        for (const name of await caches.keys())
          for (const { url } of await (await caches.open(name)).keys())
            found.push(
              ...(/\/bundle\.(ar|de|es|fr|it|ja|nl|pl|pt-BR|zh-Hans)\.[\w-]+\.js$/.exec(url)?.slice(1) ?? []),
            );
        return found;
      });
    expect(await storedCatalogs()).toEqual([]);
    await page.goto(`${product.baseUrl}/app/config/account`);
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Konto', level: 1 }).waitFor();
    await expect.poll(storedCatalogs).toEqual(['de']);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Sie sind offline' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
    await context.setOffline(false);
    await page.getByRole('combobox', { name: 'Sprache' }).click();
    await page.getByRole('option', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  });

  test('a mailto link from another program opens a draft, and the settings offer to handle such links', async () => {
    const { page, problems } = person;
    const link = 'mailto:ines@outside.test?subject=Figures&body=Here';
    await page.goto('about:blank');
    await page.goto(`${product.baseUrl}/app/compose#mailto=${encodeURIComponent(link)}`);
    await page.getByRole('textbox', { name: 'Subject' }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('Figures');
    expect(page.url()).toBe(`${product.baseUrl}/app/inbox/recieved/0`);
    await page.goto(`${product.baseUrl}/app/config/device`);
    await page.getByRole('button', { name: 'Open with Keyfold' }).waitFor();
    await page.getByText('Sign in with “Keep me signed in on this device”').waitFor();
    expect(problems.filter(problem => !/Failed to load resource/.test(problem))).toEqual([]);
  });
});
