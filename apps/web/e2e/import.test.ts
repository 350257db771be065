// Imports mail from files: an mbox and a Maildir in a ZIP are imported, paused, interrupted by a
// reload and resumed. Unreadable items are in the report, and importing the same files again adds
// nothing (docs/acceptance.md 64).
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeCertificate } from '@keyfold/testing/certificate';
import { type ImapServer, startImapServer } from '@keyfold/testing/imap';
import { runSql } from '@keyfold/testing/product-sql';
import { writePst } from '@keyfold/testing/pst-file';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { findDefects } from './support/axe.ts';
import { openFolder } from './support/mailbox.ts';
import { maildirZip } from './support/maildir.ts';
import { openMail, rowOf } from './support/people.ts';
import { letReach, useStory } from './support/story.ts';

const separator = 'From gus@outside.test Tue Mar  5 10:20:30 2019';
const MAILS = 260;

const outgoing = (number: number, extra = '', text = `Words of letter ${number}\r\n`): string =>
  `From: Gus Green <gus@outside.test>\r\nTo: alice@keyfold.test\r\nSubject: Old letter ${number}\r\n` +
  `Date: Tue, 05 Mar 2019 10:${String(number % 60).padStart(2, '0')}:00 +0000\r\n` +
  `Message-ID: <old-${number}@outside.test>\r\n${extra}\r\n${text}`;

/** Returns a message with a file that goes into a container of its own. */
const withFile = (number: number): string =>
  outgoing(
    number,
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n',
    `--b\r\nContent-Type: text/plain\r\n\r\nWith a file\r\n--b\r\nContent-Type: application/pdf; name="plan.pdf"\r\n` +
      `Content-Disposition: attachment; filename="plan.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n` +
      `${(
        Buffer.alloc(60_000, number)
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).join('\r\n')}\r\n--b--\r\n`,
  );

const mbox = (): Buffer =>
  Buffer.from(
    [
      ...Array.from({ length: MAILS }, (_, at) => (at === 3 ? withFile(at) : outgoing(at))),
      // A message that a program left behind in the file, and a different text under the Message-ID
      // of the last message.
      `X-Mozilla-Status: 0009\r\n${outgoing(999)}`,
      outgoing(MAILS - 1, '', 'Other words\r\n'),
      'Nothing: of a mail\nonly: words\n',
    ]
      .map(text => `${separator}\n${text}\n`)
      .join(''),
  );

describe.skipIf(chromiumPath === null)('import (needs Chromium)', () => {
  let provider: ImapServer;
  const env: Record<string, string> = {};
  beforeAll(async () => {
    const keys = await makeCertificate(['127.0.0.1']);
    const authority = path.join(os.tmpdir(), `kf-authority-${process.pid}.pem`);
    writeFileSync(authority, keys.cert);
    provider = await startImapServer(keys);
    env.NODE_EXTRA_CA_CERTS = authority;
    env.KEYFOLD_IMAP_PORTS = `993,143,${provider.port}`;
    env.KEYFOLD_ALLOW_PRIVATE_IMAP = 'true';
  });
  afterAll(() => provider.close());
  const story = useStory(env);
  beforeAll(() => letReach(story.product, provider.port));
  const files = [
    { name: 'archive.mbox', mimeType: 'application/mbox', buffer: mbox() },
    { name: 'maildir.zip', mimeType: 'application/zip', buffer: maildirZip() },
  ];

  const go = (page: Page) => page.goto(`${story.product.baseUrl}/app/config/import`);
  const card = (page: Page) => page.getByRole('region', { name: 'Import', exact: true });
  const choose = async (page: Page) => {
    await page.getByLabel('Choose files').setInputFiles(files);
    await page.getByRole('button', { name: 'Start import' }).waitFor();
  };
  const number = (page: Page, name: string) =>
    card(page).getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd');

  test('an import can be paused, interrupted by a reload and resumed with the same files', async () => {
    const { page } = story;
    await go(page);
    const outlook = Buffer.from(writePst({ folders: [] }));
    await page.getByLabel('Choose files').setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Just words') },
      { name: 'cut.pst', mimeType: 'x/y', buffer: outlook.subarray(0, 600) },
      { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('Name,Email\nAnn,ann@x.test\n') },
    ]);
    const refused = (name: string) => page.getByRole('alert').filter({ hasText: name });
    await refused('notes.txt').getByText('This isn’t a mail file that Keyfold can read').waitFor();
    await refused('cut.pst')
      .getByText(/^The file is (damaged|incomplete)$/)
      .waitFor();
    await refused('people.csv').getByText('This file contains contacts').waitFor();
    await refused('people.csv').getByRole('link', { name: 'Go to Contacts' }).waitFor();
    await choose(page);
    await page.getByRole('checkbox', { name: 'Projects' }).waitFor();
    expect(await findDefects(page)).toEqual([]);

    // The second batch waits until the run is paused.
    let batches = 0;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.context().route('**/user/seal_import', async route => {
      batches += 1;
      if (batches === 2) await held;
      await route.continue();
    });
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.getByRole('button', { name: 'Start import' }).press('Enter');
    await expect.poll(() => number(page, 'Imported').textContent()).toBe('100');
    // The button is gone, and focus is on the run.
    await expect.poll(() => page.evaluate(() => document.activeElement === document.body)).toBe(false);
    await expect.poll(() => focused()).toMatch(/^archive\.mbox and 1 more file/);
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    await card(page)
      .getByText(/^Paused/)
      .waitFor();
    await expect.poll(() => focused()).toBe('Resume');
    release();
    await expect.poll(() => number(page, 'Imported').textContent()).toBe('200');

    await page.reload();
    const entry = page.getByRole('listitem').filter({ hasText: 'archive.mbox and 1 more file' });
    await entry.getByText(/stopped at 200/).waitFor();
    const again = entry.getByLabel('Choose the same files again');
    await again.setInputFiles(files.slice(0, 1));
    await page.getByRole('alert').getByText('These aren’t the files this import started with').waitFor();
    await again.setInputFiles(files);
    await card(page)
      .getByText(/^Finished/)
      .waitFor();
    await expect.poll(() => number(page, 'Imported').textContent()).toBe(String(MAILS + 4));
    await expect.poll(() => number(page, 'Already in mailbox').textContent()).toBe('0');
    await page.context().unroute('**/user/seal_import');

    await page.getByRole('button', { name: 'See the 3 skipped messages' }).click();
    const report = page.getByRole('dialog', { name: 'Skipped messages' });
    await report.getByText('archive: Damaged').waitFor();
    await report.getByText('archive: Deleted at the source').waitFor();
    await report
      .getByText('archive: A different message with the same Message-ID was already imported')
      .waitFor();
    expect(await findDefects(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await report.getByRole('button', { name: 'Save skipped messages' }).click();
    expect((await download).suggestedFilename()).toBe('skipped.zip');
    await report.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Done' }).click();
  });

  test('importing the same files again reports all messages as already here', async () => {
    const { page } = story;
    await choose(page);
    await page.getByRole('button', { name: 'Start import' }).click();
    await card(page)
      .getByText(/^Finished/)
      .waitFor();
    await expect.poll(() => number(page, 'Already in mailbox').textContent()).toBe(String(MAILS + 4));
    await expect.poll(() => number(page, 'Imported').textContent()).toBe('0');
  });

  test('picked files reopen with one click after a reload and are forgotten with the import', async () => {
    const { page } = story;
    // The picker is the browser's own dialog. It returns handles, in this test of a file in the
    // browser's own file system.
    const mail = 'From: pick@outside.test\r\nSubject: Picked\r\nMessage-ID: <p@x.test>\r\n\r\nWords\r\n';
    await page.addInitScript(text => {
      const pick = async () => {
        const root = await navigator.storage.getDirectory();
        const handle = await root.getFileHandle('picked.eml', { create: true });
        if ((await handle.getFile()).size === 0) {
          const writing = await handle.createWritable();
          await writing.write(text);
          await writing.close();
        }
        return [handle];
      };
      Object.assign(window, { showOpenFilePicker: pick });
    }, mail);
    await go(page);
    await page.getByRole('button', { name: 'Choose files' }).click();
    const start = page.getByRole('button', { name: 'Start import' });
    await start.waitFor();
    // Stored records of files: names and locations, which cannot be sealed.
    const handles = (planted?: string) =>
      page.evaluate(async id => {
        const known = await indexedDB.databases();
        if (!known.some(({ name }) => name === 'import-files')) return 0;
        const ask = <T>(request: IDBRequest<T>) =>
          new Promise<T>((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
          });
        const database = await ask(indexedDB.open('import-files'));
        const store = database.transaction('handles', 'readwrite').objectStore('handles');
        if (id !== undefined) await ask(store.put({ id, handles: [] }));
        const count = await ask(store.count());
        database.close();
        return count;
      }, planted);
    await page.evaluate(async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      Object.assign(window, { endOther: resolve });
      await new Promise<void>(taken => {
        void navigator.locks.request('import', () => {
          taken();
          return promise;
        });
      });
    });
    await start.click();
    await page.getByRole('alert').getByText('An import is running in another tab').waitFor();
    expect(await handles()).toBe(0);
    await page.evaluate(() => (window as unknown as { endOther: () => void }).endOther());
    const refused = { status: 503, json: { success: false, message: 'Not now', code: 'unavailable' } };
    await page.context().route('**/user/seal_import', route => route.fulfill(refused));
    await start.click();
    await page.getByText('The server isn’t responding. The import will continue automatically.').waitFor();
    await page.reload();
    await page.context().unroute('**/user/seal_import');
    for (const problem of story.person.problems.splice(0)) expect(problem).toContain('/user/seal_import');
    const entry = page.getByRole('listitem').filter({ hasText: 'picked.eml' });
    await entry.getByText(/Your browser may ask for permission to read the files again/).waitFor();
    // Left behind by an import of which no other record exists.
    expect(await handles('nobody')).toBe(2);
    await entry.getByRole('button', { name: 'Resume' }).click();
    await card(page)
      .getByText(/^Finished/)
      .waitFor();
    await expect.poll(() => number(page, 'Imported').textContent()).toBe('1');
    await expect.poll(() => handles()).toBe(0);
  });

  test('a full mailbox pauses the import, which resumes when storage is available', async () => {
    const { page, product } = story;
    await runSql(product, 'create table counted as select user_id, used_bytes from mailboxes');
    await runSql(product, `update mailboxes set used_bytes = ${5 * 1024 ** 3 - 1_000}`);
    await go(page);
    const messages = [2000, 2001, 2002].map(
      at => `${separator}\n${outgoing(at, '', 'Many words\r\n'.repeat(300))}\n`,
    );
    await page.getByLabel('Choose files').setInputFiles({
      name: 'room.mbox',
      mimeType: 'application/mbox',
      buffer: Buffer.from(messages.join('')),
    });
    await page
      .getByText(/^Your storage may not be large enough\. You may need up to .+ KB more\.$/)
      .waitFor();
    await page.getByRole('button', { name: 'Start import' }).click();
    await page
      .getByRole('alert')
      .getByText(/^Your storage is full\. You need .+ KB more\.$/)
      .waitFor();
    await expect.poll(() => number(page, 'Imported').textContent()).toBe('0');
    await runSql(
      product,
      'update mailboxes m set used_bytes = c.used_bytes from counted c where c.user_id = m.user_id',
    );
    await page.getByRole('button', { name: 'Resume' }).click();
    await card(page)
      .getByText(/^Finished/)
      .waitFor();
    await expect.poll(() => number(page, 'Imported').textContent()).toBe('3');
  });

  test('the server imports a PST after the user confirms that the server will see the mail', async () => {
    const { page } = story;
    await go(page);
    await page.getByRole('button', { name: 'Import PST on the server' }).click();
    const offer = page.getByRole('region', { name: 'Import PST on the server' });
    const drop = offer.getByRole('button', { name: 'Choose file' });
    await expect.poll(() => drop.isDisabled()).toBe(true);
    await offer.getByRole('checkbox', { name: 'I know the server will see this mail' }).click();
    await expect.poll(() => drop.isEnabled()).toBe(true);
    expect(await findDefects(page)).toEqual([]);
    const send = (name: string, buffer: Buffer) =>
      offer.getByLabel('Choose file').last().setInputFiles({ name, mimeType: 'x/y', buffer });
    const text = (id: number, value: string) => ({ id, type: 'text' as const, value });
    const properties = [
      text(0x001a, 'IPM.Note'),
      text(0x0037, 'Out of Outlook'),
      { id: 0x0039, type: 'time' as const, value: new Date() },
      text(0x1000, 'Hello'),
    ];
    const pst = writePst({ folders: [{ name: 'Inbox', mails: [{ properties }] }] });
    await page.route('**/user/import/pst', route => route.abort(), { times: 1 });
    await send('old.pst', Buffer.from(pst));
    await offer.getByRole('alert').getByText('Failed to start PST import').waitFor();
    // The browser itself logs the aborted request.
    for (const problem of story.person.problems.splice(0)) expect(problem).toContain('/user/import/pst');
    await send('old.pst', Buffer.from(pst));
    const run = page.getByRole('region', { name: 'Server import' });
    await run.getByText('Finished').waitFor();
    await page.reload();
    await run.getByText('Finished').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await run.getByRole('button', { name: 'Done' }).click();
    await openFolder(page, story.product.baseUrl, 'all');
    await page.getByText('Out of Outlook').first().waitFor();
  });

  test('the server imports mail from another provider with chosen folders and editable drafts', async () => {
    const { page, product } = story;
    const messages = (from: number) =>
      [0, 1].map(at => ({ uid: at + 1, raw: outgoing(5_000 + from + at), flags: [] as string[] }));
    provider.mailboxes = [
      { name: 'INBOX', mails: messages(0) },
      {
        name: 'Entw&APw-rfe',
        attributes: ['\\Drafts'],
        mails: [{ uid: 9, raw: outgoing(5_010), flags: ['\\Draft'] }],
      },
      { name: 'Junk', attributes: ['\\Junk'], mails: messages(20) },
      { name: 'Travel/Rome', mails: messages(1) },
    ];
    await go(page);
    await page.getByRole('button', { name: 'Import another mailbox' }).click();
    const offer = page.getByRole('region', { name: 'Import another mailbox' });
    const host = offer.getByLabel('IMAP server');
    await offer.getByLabel('Address or username at the provider').fill('ann@gmail.com');
    await expect.poll(() => host.inputValue()).toBe('imap.gmail.com');
    await offer.getByText('Gmail requires an app password').waitFor();
    await offer.getByLabel('Address or username at the provider').fill('ann@hotmail.com');
    await offer.getByText('Microsoft doesn’t let other apps sign in with a password').waitFor();
    await offer.getByLabel('Address or username at the provider').fill(provider.user);
    await expect.poll(() => host.inputValue()).toBe('imap.old.test');
    await host.fill('127.0.0.1');
    await offer.getByLabel('Port').fill(String(provider.port));
    await offer.getByLabel('Password', { exact: true }).fill('Mistyped');
    const show = offer.getByRole('button', { name: 'Show folders' });
    await expect.poll(() => show.isDisabled()).toBe(true);
    await offer
      .getByRole('checkbox', { name: 'I know the server will see this mail and the password' })
      .click();
    await show.click();
    await offer.getByText('rejected this username or password').waitFor();
    // The error appears at the field, which has focus, and disappears when the user types.
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('type'));
    await expect.poll(focused).toBe('password');
    expect(await findDefects(page)).toEqual([]);
    // The browser itself logs the rejected request.
    for (const problem of story.person.problems.splice(0)) expect(problem).toContain('422');
    await offer.getByLabel('Password', { exact: true }).fill(provider.password);
    await offer.getByText('rejected this username or password').waitFor({ state: 'detached' });
    // An invalid mail server or port is reported before any request is made; a pasted address is
    // accepted.
    await host.fill('not a host');
    await offer.getByLabel('Port').fill('abc');
    await show.click();
    await offer.getByText('Enter a server name such as').waitFor();
    await offer.getByText('Enter a port between 1 and 65535').waitFor();
    await expect.poll(() => host.evaluate(one => one === document.activeElement)).toBe(true);
    expect(await findDefects(page)).toEqual([]);
    await host.fill('imap.nowhere.invalid');
    await offer.getByLabel('Port').fill('25');
    await show.click();
    await offer.getByText('Connections to this port aren’t allowed').waitFor();
    await offer.getByLabel('Port').fill(String(provider.port));
    await show.click();
    await offer.getByText('There is no mail server with this name').waitFor();
    for (const problem of story.person.problems.splice(0)) expect(problem).toContain('422');
    await host.fill(`https://127.0.0.1:${provider.port}/mail`);
    await show.click();
    await offer.getByRole('checkbox', { name: 'Travel / Rome' }).waitFor();
    await offer.getByText('5 messages').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await offer.getByRole('button', { name: 'Start import' }).click();
    const run = page.getByRole('region', { name: 'Server import' });
    await run.getByText('Finished: 5 of 5 messages').waitFor();
    const told = (name: string) =>
      run.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd').textContent();
    await expect.poll(() => told('Imported')).toBe('4');
    await expect.poll(() => told('Skipped')).toBe('1');
    await run.getByRole('button', { name: 'Done' }).click();
    await openFolder(page, product.baseUrl, 'Travel/Rome');
    await openMail(page, 'Old letter 5002');
    await page.getByRole('article').getByText('Words of letter 5002').waitFor();
    await openFolder(page, product.baseUrl, 'drafts');
    await rowOf(page, 'Old letter 5010').getByRole('link').first().click();
    const words = page.getByRole('textbox', { name: 'Message' });
    await words.getByText('Words of letter 5010').waitFor();
    await words.click();
    await page.keyboard.type('More. ');
    await page.getByText(/Draft saved/).waitFor();
    await page.getByRole('button', { name: 'Save and close' }).click();
    await words.waitFor({ state: 'detached' });
    await rowOf(page, 'Old letter 5010').getByRole('link').first().click();
    await words.getByText(/More\./).waitFor();
    await page.getByRole('button', { name: 'Save and close' }).click();
    await words.waitFor({ state: 'detached' });
  });

  test('imported mail is in its original folders, opens, and has its file', async () => {
    const { page, product, person } = story;
    await openFolder(page, product.baseUrl, 'Projects');
    await openMail(page, 'Old letter 1003');
    await page.getByRole('article').getByText('Words of letter 1003').waitFor();
    await openFolder(page, product.baseUrl, 'sent');
    await page.getByText('Old letter 1004').first().waitFor();
    await openFolder(page, product.baseUrl, 'starred');
    await page.getByText('Old letter 1001').first().waitFor();
    await openFolder(page, product.baseUrl, 'archived');
    await page.getByText('Old letter 59').first().waitFor();
    const statuses = await page.evaluate(async () => {
      const { data } = await (await fetch('/user/query?attachment=true')).json();
      const ids = data.flatMap((mail: { attachments: { id: string }[] }) => mail.attachments);
      return Promise.all(
        ids.map(async ({ id }: { id: string }) => (await fetch(`/user/attachment/${id}`)).status),
      );
    });
    expect(statuses).toEqual([200]);
    expect(person.problems).toEqual([]);
  });
});
