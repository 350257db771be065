// Export of a whole mailbox as one archive (docs/export.md): started, paused, resumed by another
// page, saved to a file and as a download, with byte-identical messages; export of a single tag or
// search; the error texts; and no leftovers after the session.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { clientOf } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { choose } from './support/choose.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail } from './support/people.ts';
import { useStory } from './support/story.ts';

const to = 'alice@keyfold.test';
const big = Uint8Array.from({ length: 200_000 }, (_, at) => (at * 31) % 251);

type Manifest = {
  counts: { mails: number; failed: number; contacts: number };
  scope: { kind: string; text?: string };
  mails: { size: number; sha256: string; file?: string }[];
};

/** Returns the manifest of an archive, whose files are not compressed. */
function manifestOf(zip: Buffer): Manifest {
  const at = zip.lastIndexOf('{"keyfold_export":');
  return JSON.parse(zip.subarray(at, zip.indexOf('\n]}\n', at) + 4).toString());
}
/**
 * Returns the hashes of the content after the export's header fields, for each message of an
 * archive.
 */
const hashesOf = (zip: Buffer): string[] =>
  [
    ...zip
      .toString('latin1')
      .matchAll(/X-Keyfold-Export: 1; size=(\d+);[\s\S]*?\r\nX-Mozilla-Status: \w+\r\n/g),
  ].map(found => {
    const end = found.index + found[0].length;
    return createHash('sha256')
      .update(zip.subarray(end, end + Number(found[1])))
      .digest('hex');
  });

describe.skipIf(chromiumPath === null)('the mail export (needs Chromium)', () => {
  const story = useStory();
  let page: Page;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const open = async () => {
    await page.goto(`${story.product.baseUrl}/app/config/account/export`);
    await page.getByRole('heading', { name: 'Export', level: 1 }).waitFor();
  };
  const removed = async () => {
    await button('Remove').click();
    await button('Start export').waitFor();
  };
  const saved = async () => {
    const download = page.waitForEvent('download');
    await button('Save file').click();
    const zip = await readFile(await (await download).path());
    await page.getByText(/^Saved \d/).waitFor();
    return zip;
  };

  beforeAll(async () => {
    ({ page } = story);
    // Without the file picker the archive arrives as a download; the picker itself is a system
    // dialog.
    await page.addInitScript(() => {
      Object.assign(window, { showSaveFilePicker: undefined });
    });
    await sendFromOutside(
      story.product.smtpPort,
      ...Array.from({ length: 60 }, (_, number) => ({ to, subject: `Letter ${number}`, text: 'Few words.' })),
      {
        to,
        subject: 'Harbour plan',
        text: 'The plan is attached.',
        file: { name: 'plan.bin', type: 'application/octet-stream', bytes: big },
      },
    );
    await awaitMail(page, 'Harbour plan');
    const client = clientOf(story.person, story.product.baseUrl);
    await client.tags.save({ tag: { name: 'Work', color: 'peach' } });
    const mails = await client.mail.query({ count: 2, view: 'summary' });
    await client.tags.tag_email({ email_id: mails.data.map(({ id }) => id), tags: ['Work'] });
  });

  test('an export of all mail survives a reload and returns every message byte for byte with its files', async () => {
    await page.goto(`${story.product.baseUrl}/app/config/account`);
    await page.getByRole('link', { name: 'Export mail' }).click();
    await page.getByText('The exported file isn’t encrypted').waitFor();
    expect(await findDefects(page)).toEqual([]);
    await page.context().route('**/user/emails', route => route.abort());
    await button('Start export').click();
    await page.getByText(/^The export stopped because the server couldn’t be reached/).waitFor();
    await page.context().unroute('**/user/emails');
    let letGo = () => {};
    const held = new Promise<void>(resolve => {
      letGo = resolve;
    });
    await page.context().route('**/user/emails', route => held.then(() => route.continue()));
    await button('Continue').click();
    await button('Pause').click();
    letGo();
    await page.getByText(/^50 of 6\d messages/).waitFor();
    await button('Continue').waitFor();
    await page.context().unrouteAll({ behavior: 'wait' });
    await open();
    await page.getByText(/^Paused\./).waitFor();
    await page.getByText(/^50 of 6\d messages/).waitFor();
    expect(await findDefects(page)).toEqual([]);
    await button('Continue').click();
    await page.getByText('The export is ready. Save the file to finish.').waitFor();
    await page.getByText(/^To start another export/).waitFor();
    const zip = await saved();
    const manifest = manifestOf(zip);
    expect(manifest.counts).toEqual({ mails: manifest.mails.length, failed: 0, contacts: 0 });
    expect(manifest.mails.length).toBeGreaterThanOrEqual(61);
    expect(hashesOf(zip)).toEqual(manifest.mails.map(({ sha256 }) => sha256));
    const words = zip.toString('latin1');
    expect(words).toContain('X-Keyfold-Tags: Work\r\n');
    // The file was in a container of its own.
    expect(words.replaceAll('\r\n', '')).toContain(Buffer.from(big).toString('base64'));
    expect(words).toContain(`Subject: =?utf-8?B?${btoa('Letter 59')}?=`);
    await removed();
  });

  test('a tag or search result can be exported alone, one file per message, to a chosen file', async () => {
    await choose(page.getByRole('combobox', { name: 'Messages to export' }), 'Messages with a tag');
    await choose(page.getByRole('combobox', { name: 'Format' }), 'EML (one file per message)');
    await page.evaluate(() =>
      Object.assign(window, {
        showSaveFilePicker: async () =>
          (await navigator.storage.getDirectory()).getFileHandle('chosen.zip', { create: true }),
      }),
    );
    await button('Start export').click();
    await page.getByRole('heading', { name: 'Tag: Work' }).waitFor();
    await button('Save file').click();
    await page.getByText('Saved 2 messages.').waitFor();
    const base64 = await page.evaluate(async () => {
      const file = await (await navigator.storage.getDirectory()).getFileHandle('chosen.zip');
      const bytes = new Uint8Array(await (await file.getFile()).arrayBuffer());
      return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
    });
    const zip = Buffer.from(base64, 'base64');
    const manifest = manifestOf(zip);
    expect(manifest.scope).toEqual({ kind: 'tag', text: 'Work' });
    expect(manifest.mails.map(({ file }) => file)[0]).toMatch(/^mail\/000001 \d{4}-\d\d-\d\d .+\.eml$/);
    expect(hashesOf(zip)).toEqual(manifest.mails.map(({ sha256 }) => sha256));
    await page.evaluate(() =>
      Object.assign(window, {
        showSaveFilePicker: () => Promise.reject(new DOMException('', 'NotAllowedError')),
      }),
    );
    await button('Save file').click();
    await page.getByText('Couldn’t save the export').waitFor();
    await removed();
    await choose(page.getByRole('combobox', { name: 'Messages to export' }), 'Messages matching a search');
    await expect.poll(() => button('Start export').isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Search' }).fill('subject:zebra');
    await button('Start export').click();
    await page.getByRole('alert').getByText('No mail matches').waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('tag:Work');
    await button('Start export').press('Enter');
    await page.getByRole('heading', { name: 'Search: tag:Work' }).waitFor();
    // The button that started it is gone, and focus is on the export.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toMatch(/^Search: tag:Work/);
    await page.getByText('2 of 2 messages').waitFor();
    await button('Remove').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep export' }).click();
    await button('Remove').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await button('Start export').waitFor();
  });

  test('the worker stops when its session ends, and signing out leaves nothing on the device', async () => {
    const exporting = () => page.workers().filter(one => one.url().includes('export-worker')).length;
    // The mail never arrives, so the export keeps running until it is ended.
    await page.context().route('**/user/emails', () => undefined);
    await choose(page.getByRole('combobox', { name: 'Messages to export' }), 'All mail');
    await button('Start export').click();
    await page.getByText('Decrypting and packing messages on this device…').waitFor();
    await expect.poll(exporting).toBe(1);
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.getByRole('navigation', { name: 'Mailbox' }).getByRole('link').first().click();
    await page.getByText('Session expired. Please login again.').waitFor();
    await expect.poll(exporting).toBe(0);
    await page.context().addCookies(cookies);
    await open();
    await page.getByText(/^Paused\./).waitFor();
    await button('Continue').click();
    await page.getByText('Decrypting and packing messages on this device…').waitFor();
    const fresh = page.waitForEvent('load');
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await fresh;
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const left = await page.evaluate(async () => {
      const names: string[] = [];
      const root = (await navigator.storage.getDirectory()) as unknown as {
        keys: () => AsyncIterable<string>;
      };
      for await (const name of root.keys()) names.push(name);
      return names;
    });
    expect(left).toEqual([]);
    await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('the page logs only the expected errors', () => {
    expect(story.person.problems.filter(problem => !problem.includes('ERR_FAILED'))).toEqual([]);
  });
});
