// The main paths of the client in Firefox, whose engine has its own workers, storage, editing and
// accessibility tree: sign-up and a sealed message, composing, search, import, and settings. All
// other browser tests run in Chromium.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseMessage } from '@keyfold/mail/mime/parse';
import type { Product } from '@keyfold/testing/product';
import { type SmtpSink, startSmtpSink } from '@keyfold/testing/smtp';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  awaitRow,
  closeFirefoxPages,
  firefoxPath,
  giveFiles,
  go,
  joinInFirefox,
  openFirefox,
  openFirefoxPerson,
  press,
  readIndexFiles,
  rowSubjects,
  see,
  seeGone,
  seeText,
  typeInto,
} from './support/firefox.ts';
import { sendFromOutside } from './support/outside.ts';
import { password } from './support/people.ts';
import { prepareProduct } from './support/story.ts';

const outside = 'olga@outside.test';
const FILE_BYTES = 2 * 1024 * 1024;
const IMPORTED = 40;

const oldLetter = (number: number): string =>
  `From: Gus Green <gus@outside.test>\r\nTo: ida@keyfold.test\r\nSubject: Old letter ${number}\r\n` +
  `Date: Tue, 05 Mar 2019 10:${String(number % 60).padStart(2, '0')}:00 +0000\r\n` +
  `Message-ID: <old-${number}@outside.test>\r\n\r\nWords of letter ${number}, fern${number}.\r\n`;

describe.skipIf(firefoxPath === null)('the main paths in Firefox (needs Firefox)', () => {
  let product: Product;
  let sink: SmtpSink;
  let browser: Browser;
  let dir = '';

  const fileIn = async (name: string, content: string | Uint8Array): Promise<string> => {
    const file = path.join(dir, name);
    await writeFile(file, content);
    return file;
  };
  const addRecipient = async (page: Page, address: string, fate: RegExp) => {
    const field = await see(page, 'combobox', 'To: add recipient');
    await field.type(address);
    await field.press('Enter');
    const chips = await see(page, 'list', 'To');
    await expect.poll(() => chips.evaluate(list => list.textContent)).toMatch(fate);
  };
  const setUndo = (page: Page, seconds: number) =>
    page.evaluate(value => localStorage.setItem('undo_send_seconds', String(value)), seconds);
  const controlAnd = async (page: Page, key: 'b' | 'c' | 'End' | 'k' | 'v') => {
    await page.keyboard.down('Control');
    await page.keyboard.press(key);
    await page.keyboard.up('Control');
  };

  beforeAll(async () => {
    sink = await startSmtpSink();
    dir = await mkdtemp(path.join(os.tmpdir(), 'kf-firefox-'));
    product = await prepareProduct({ SMTP_RELAY: `smtp://127.0.0.1:${sink.port}` });
    [, browser] = await Promise.all([product.start(), openFirefox(dir)]);
  });

  afterEach(({ task }) => closeFirefoxPages(browser, task.result?.state === 'fail'));

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    await sink?.close();
    if (dir !== '') await rm(dir, { recursive: true, force: true });
  });

  test('a user signs up and sends a sealed message, and its reader saves the file unchanged', async () => {
    const nora = await openFirefoxPerson(browser);
    const bob = await openFirefoxPerson(browser);
    await joinInFirefox(bob.page, product.baseUrl, 'Bob Brandt', 'bob');
    const { page } = nora;
    await page.bringToFront();
    await page.goto(`${product.baseUrl}/app/signup`);
    await typeInto(page, 'textbox', 'Name', 'Nora Nilsen');
    await typeInto(page, 'textbox', 'Address', 'nora');
    // Firefox gives password fields no role.
    await (await page.waitForSelector('input[type=password]', { visible: true }))?.type(password);
    await press(page, 'button', 'Continue');
    await press(page, 'button', 'Not now');
    await press(page, 'button', 'Compose');
    await addRecipient(page, 'bob@keyfold.test', /End-to-end encrypted/);
    await typeInto(page, 'textbox', 'Subject', 'Sealed plans');
    await typeInto(page, 'textbox', 'Message', 'Read these.');
    const bytes = randomBytes(FILE_BYTES);
    await giveFiles(page, 'Attach files', await fileIn('upload.bin', bytes));
    await see(page, 'button', 'Remove upload.bin');
    await press(page, 'button', 'Send');
    await seeGone(page, 'dialog', 'Sealed plans');

    await bob.page.bringToFront();
    await (await awaitRow(bob.page, 'Sealed plans')).click();
    await seeText(bob.page, 'Read these.');
    await seeText(bob.page, 'End-to-end encrypted');
    await rm(path.join(dir, 'upload.bin'));
    await press(bob.page, 'button', 'Save upload.bin');
    await expect
      .poll(() =>
        readFile(path.join(dir, 'upload.bin')).then(
          saved => saved.equals(bytes),
          () => false,
        ),
      )
      .toBe(true);
    await sendFromOutside(product.smtpPort, {
      to: 'bob@keyfold.test',
      subject: 'Greeting',
      html: '<p>Hello <b>Bob</b></p><img src="https://tracker.test/p.png"><script>document.title="owned"</script>',
    });
    await (await awaitRow(bob.page, 'Greeting')).click();
    const frame = await (await bob.page.waitForSelector('iframe[title="Message body"]'))?.contentFrame();
    await frame?.waitForSelector('::-p-text(Hello)', { visible: true });
    await seeText(bob.page, '1 remote image');
    expect(await bob.page.title()).not.toBe('owned');
    expect([...nora.problems, ...bob.problems]).toEqual([]);
  });

  test('a formatted message with a link, a pasted list and a file is unsent, changed and delivered', async () => {
    const { page, problems } = await openFirefoxPerson(browser);
    await joinInFirefox(page, product.baseUrl, 'Carla Costa', 'carla');
    await setUndo(page, 30);
    await press(page, 'button', 'Compose');
    await addRecipient(page, outside, /Not end-to-end encrypted/);
    await typeInto(page, 'textbox', 'Subject', 'Rich words');
    await (await see(page, 'textbox', 'Message')).click();
    await page.keyboard.type('Dear Olga, ');
    await controlAnd(page, 'b');
    await page.keyboard.type('bold');
    await controlAnd(page, 'b');
    await page.keyboard.type(' and the plan');
    await page.keyboard.down('Shift');
    for (let count = 0; count < 'plan'.length; count++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.up('Shift');
    await controlAnd(page, 'k');
    const address = await see(page, 'textbox', 'Link address');
    await address.type('plan.example/offsite');
    await address.press('Enter');
    await seeGone(page, 'textbox', 'Link address');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused).toBe('Message');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    // Firefox empties the data of invented paste events, so the list goes through the clipboard.
    await page.evaluate(() =>
      document.addEventListener(
        'copy',
        event => {
          event.clipboardData?.setData(
            'text/html',
            '<ul><li onclick="x()">first</li><li>second</li></ul><script>document.title="owned"</script>',
          );
          event.preventDefault();
          event.stopImmediatePropagation();
        },
        { once: true, capture: true },
      ),
    );
    await controlAnd(page, 'c');
    await controlAnd(page, 'v');
    await page.waitForSelector('[role=dialog] [contenteditable] li', { visible: true });
    await giveFiles(page, 'Attach files', await fileIn('plan.txt', 'the plan'));
    await see(page, 'button', 'Remove plan.txt');
    await press(page, 'button', 'Send, 1 not encrypted');
    await press(page, 'button', 'Undo');
    await see(page, 'button', 'Remove plan.txt');
    await see(page, 'button', `Remove ${outside}`);
    await (await see(page, 'textbox', 'Message')).click();
    await controlAnd(page, 'End');
    await page.keyboard.type(', third');
    expect(sink.messages).toEqual([]);
    await setUndo(page, 0);
    await press(page, 'button', 'Send, 1 not encrypted');
    await expect.poll(() => sink.messages.length).toBe(1);
    expect(sink.messages[0]).toMatchObject({ from: 'carla@keyfold.test', to: [outside] });
    const mail = await parseMessage(sink.messages[0]?.raw ?? Buffer.alloc(0));
    expect(mail.subject).toBe('Rich words');
    expect(mail.html).toMatch(
      /Dear Olga, <strong>bold<\/strong> and the <a href="https:\/\/plan\.example\/offsite">plan<\/a>/,
    );
    expect(mail.html).toMatch(/<ul><li[^>]*><p[^>]*>first<\/p><\/li><li[^>]*><p[^>]*>second, third/);
    expect(mail.html).not.toMatch(/script|onclick/);
    expect(mail.attachments.map(file => [file.filename, Buffer.from(file.content).toString()])).toEqual([
      ['plan.txt', 'the plan'],
    ]);
    expect(problems).toEqual([]);
  });

  test('search finds words of the text as they are typed, from an encrypted index', async () => {
    const { page, problems } = await openFirefoxPerson(browser);
    await joinInFirefox(page, product.baseUrl, 'Dora Dahl', 'dora');
    const to = 'dora@keyfold.test';
    await sendFromOutside(
      product.smtpPort,
      { to, subject: 'Amber letter', text: 'A quokka sat by the café. Green tea at noon.' },
      { to, subject: 'Beryl letter', text: '東京都で会いましょう。 Tea that is green.' },
      { to, subject: 'Coral letter', text: 'Nothing of note.' },
    );
    await awaitRow(page, 'Coral letter');
    const finds = async (query: string, expected: readonly string[]) => {
      await page.keyboard.press('Escape');
      await seeGone(page, 'heading', 'Search results');
      // In Firefox the key opens its own quick find unless the page takes it.
      await page.keyboard.press('/');
      await page.keyboard.type(query);
      await expect.poll(() => rowSubjects(page), { message: query }).toEqual(expected);
    };
    await finds('東京', ['Beryl letter']);
    await finds('green tea', ['Beryl letter', 'Amber letter']);
    await finds('"green tea"', ['Amber letter']);
    await finds('CAFE', ['Amber letter']);
    await finds('quok', ['Amber letter']);
    await (await awaitRow(page, 'Amber letter')).click();
    await page.waitForSelector('article ::-p-text(quokka)', { visible: true });
    await expect
      .poll(() => page.evaluate(() => [...(CSS.highlights.get('search-hit') ?? [])].map(String)))
      .toContain('quok');
    await expect.poll(async () => (await readIndexFiles(page)).length).toBeGreaterThan(0);
    for (const { text } of await readIndexFiles(page)) expect(text).not.toMatch(/quokka|KFI1/);
    expect(problems).toEqual([]);
  });

  test('an mbox and a single message are imported once, and search finds them', async () => {
    const { page, problems } = await openFirefoxPerson(browser);
    await joinInFirefox(page, product.baseUrl, 'Ida Iversen', 'ida');
    await go(page, `${product.baseUrl}/app/config/import`);
    const letters = Array.from({ length: IMPORTED }, (_, number) => oldLetter(number));
    const separated = letters.map(text => `From gus@outside.test Tue Mar  5 10:20:30 2019\n${text}\n`);
    const files = [
      await fileIn('archive.mbox', separated.join('')),
      await fileIn('single.eml', oldLetter(IMPORTED)),
    ] as const;
    const run = async () => {
      await giveFiles(page, 'Choose files', ...files);
      await press(page, 'button', 'Start import');
      await seeText(page, `Finished: ${IMPORTED + 1} messages`);
      return page.$$eval('dd', all => all.slice(0, 3).map(one => one.textContent));
    };
    // Imported, already here, skipped.
    expect(await run()).toEqual([String(IMPORTED + 1), '0', '0']);
    await press(page, 'button', 'Done');
    expect(await run()).toEqual(['0', String(IMPORTED + 1), '0']);
    await go(page, `${product.baseUrl}/app/inbox/recieved/0`);
    await see(page, 'button', 'Refresh');
    await typeInto(page, 'combobox', 'Search mail', `fern${IMPORTED}`);
    await expect.poll(() => rowSubjects(page)).toEqual([`Old letter ${IMPORTED}`]);
    expect(problems).toEqual([]);
  });

  test('theme, language and a signature survive a reload through the service worker', async () => {
    const { page, problems } = await openFirefoxPerson(browser, { hasServiceWorker: true });
    await joinInFirefox(page, product.baseUrl, 'Elsa Eder', 'elsa');
    const settings = (name: string) => go(page, `${product.baseUrl}/app/config/${name}`);
    await settings('appearance');
    await press(page, 'radio', 'Dark');
    await settings('signatures');
    await press(page, 'button', 'New signature');
    await typeInto(page, 'textbox', 'Name', 'Work');
    await (await see(page, 'textbox', 'Signature')).click();
    await page.keyboard.type('Elsa, at work');
    await press(page, 'button', 'Save');
    await seeGone(page, 'dialog', 'New signature');
    await settings('account');
    await press(page, 'combobox', 'Language');
    await press(page, 'option', 'Deutsch');
    await see(page, 'heading', 'Konto');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await settings('signatures');
    await see(page, 'heading', 'Signaturen');
    await seeText(page, 'Elsa, at work');
    const state = await page.evaluate(() => ({
      theme: document.documentElement.dataset.theme,
      language: document.documentElement.lang,
      isByWorker: navigator.serviceWorker.controller !== null,
    }));
    expect(state).toEqual({ theme: 'dark', language: 'de', isByWorker: true });
    await press(page, 'button', 'Schreiben');
    const signature = await page.waitForSelector('[role=dialog] .keyfold_signature', { visible: true });
    expect(await signature?.evaluate(one => one.textContent)).toContain('Elsa, at work');
    expect(problems).toEqual([]);
  });
});
