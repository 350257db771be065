// Without the server: the program itself opens, mail that was seen on a device that stays signed in opens with the
// password, and everything goes on when the server is back. What lies on the device tells nothing, and signing out
// removes it.

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

/** Everything that the databases of the page hold, as one text. */
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

/** When the newest answer of the offline database was kept, milliseconds since 1970. */
const newestAnswer = async (page: Page): Promise<number> =>
  Math.max(0, ...[...(await readDatabases(page)).matchAll(/"at":(\d+)/g)].map(([, at]) => Number(at)));

/** The hidden names of what is kept offline. */
const namesIn = async (page: Page): Promise<string[]> =>
  [...(await readDatabases(page)).matchAll(/"name":"([^"]+)"/g)].map(([, name = '']) => name);

/** Resolves when the service worker has the whole program. */
const untilProgramKept = (page: Page) =>
  page.waitForFunction(async () => {
    await navigator.serviceWorker.ready;
    return (await caches.match('/index.html')) !== undefined;
  });

describe.skipIf(chromiumPath === null)('without the server (needs Chromium)', () => {
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

  test('what lies on the device tells nothing of the mail', async () => {
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

  test('the program opens, and the password opens what was seen', async () => {
    const { page } = person;
    await product.stop();
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    const field = page.getByRole('textbox', { name: 'Password' });
    await field.fill('Wrong-Horse-9');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('The password does not open what is kept on this device').waitFor();
    await field.fill(password);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await rowOf(page, subject).getByRole('link').first().click();
    await page.getByText(words).waitFor();
    await page.getByText(/^Offline/).waitFor();
  });

  test('a change made meanwhile outlives a reload, shows, and is made later', async () => {
    const { context, page } = person;
    await context.setOffline(true);
    const pressedAt = Date.now();
    await rowOf(page, subject).getByRole('link').first().focus();
    await page.keyboard.press('s');
    await page.getByText(/Offline, \d changes? waiting/).waitFor();
    // Without a server nothing else is kept any more.
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

  test('a letter written meanwhile waits, outlives a reload, and goes by itself, once', async () => {
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
      await page.getByRole('button', { name: 'Waiting for the connection', exact: true }).waitFor();
      await page.getByText('Saved on this device (offline)').waitFor();
      await page.getByRole('button', { name: 'Save and close' }).last().click();
      await page.getByRole('button', { name: `${about} Waiting for the connection` }).waitFor();
    };
    await write(address, 'From the train');
    await write('nobody@outside.test', 'To a stranger');
    const kept = await readDatabases(page);
    for (const secret of ['From the train', 'tunnel', 'stranger']) expect(kept).not.toContain(secret);
    page.on('dialog', dialog => void dialog.accept());
    await page.reload();
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByRole('button', { name: 'From the train Waiting for the connection' }).waitFor();
    await page.getByRole('button', { name: 'To a stranger Waiting for the connection' }).waitFor();
    await context.setOffline(false);
    await awaitMail(page, 'From the train');
    await page.getByText('Not sent: To a stranger').waitFor();
    await page.getByText(/nobody@outside.test gets no end-to-end encryption/).waitFor();
    await page.getByRole('button', { name: 'Discard draft' }).click();
    await page.goto(`${product.baseUrl}/app/inbox/sent/0`);
    await rowOf(page, 'From the train').waitFor();
    const rows = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await expect.poll(() => rows.filter({ hasText: 'From the train' }).count()).toBe(1);
  });

  test('it goes on by itself when the server is back', async () => {
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

  test('what was kept goes when the next person stays signed in on the device', async () => {
    const { page } = person;
    const next = await openPerson(browser);
    await signUp(next.page, product.baseUrl, 'Nora', 'nora');
    const before = await namesIn(page);
    expect(before.length).toBeGreaterThan(0);
    // The session was ended elsewhere: nobody signed out here.
    await page.context().clearCookies();
    await signIn(page, product.baseUrl, 'nora@keyfold.test', { keep: true });
    await expect.poll(() => namesIn(page).then(names => names.length)).toBeGreaterThan(0);
    expect((await namesIn(page)).filter(name => before.includes(name))).toEqual([]);
  });

  test('signing out removes what was kept', async () => {
    const { page } = person;
    await signOut(page);
    await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('offline_account'))).toBeNull();
  });

  test('a device that does not stay signed in keeps nothing', async () => {
    const { page } = person;
    await signIn(page, product.baseUrl, address);
    await openMail(page, subject);
    await page.getByText(words).waitFor();
    expect(await readDatabases(page)).not.toContain('sealed');
    await expect.poll(() => page.evaluate(() => localStorage.getItem('offline_account'))).toBeNull();
  });

  test('without a network it says calmly that nothing opens here, and goes on by itself', async () => {
    const { context, page } = person;
    await context.setOffline(true);
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    await page.getByText('Mail opens without a connection only on devices where').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    await context.setOffline(false);
    await rowOf(page, subject).waitFor();
  });

  test('a mail link of another program opens a letter, and the settings offer to take such links', async () => {
    const { page, problems } = person;
    const link = 'mailto:ines@outside.test?subject=Figures&body=Here';
    await page.goto('about:blank');
    await page.goto(`${product.baseUrl}/app/compose#mailto=${encodeURIComponent(link)}`);
    await page.getByRole('textbox', { name: 'Subject' }).waitFor();
    await expect.poll(() => page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('Figures');
    expect(page.url()).toBe(`${product.baseUrl}/app/inbox/recieved/0`);
    await page.goto(`${product.baseUrl}/app/config/device`);
    await page.getByRole('button', { name: 'Open mail links with Keyfold' }).waitFor();
    await page.getByText('Sign in with “Keep me signed in on this device”').waitFor();
    expect(problems.filter(problem => !/Failed to load resource/.test(problem))).toEqual([]);
  });
});
