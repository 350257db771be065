// In-person verification: one user's camera scans the code on the other's screen. Chromium plays
// videos in place of a camera. Covers the texts for a missing permission, a missing camera and a
// wrong code, and checks that the camera turns off.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { videoOfCode } from './support/fake-camera.ts';
import { startProduct } from './support/story.ts';

const bob = 'bob@keyfold.test';
const contactsPath = '/app/config/contacts';

describe.skipIf(chromiumPath === null)('the camera (needs Chromium)', () => {
  let product: Product;
  let plainBrowser: Browser;
  let cameraBrowser: Browser;
  let folder: string;
  let ann: Person;
  let ben: Person;

  const videoFile = () => joinPath(folder, 'camera.y4m');
  const show = (text: string) => writeFile(videoFile(), videoOfCode(text));
  const row = (page: Page) =>
    page.getByRole('list', { name: 'Contacts' }).getByRole('listitem').filter({ hasText: '@' });
  const openVerify = async (page: Page, name: string) => {
    await page.getByRole('button', { name: new RegExp(`^(?:Verify|Safety number for) ${name}$`) }).click();
    const dialog = page.getByRole('dialog', { name: `Verify ${name}` });
    await dialog.getByRole('img', { name: 'QR code of the safety number' }).waitFor();
    return dialog;
  };
  /** Returns the state of each media track that the page was ever given. */
  const tracks = (page: Page) =>
    page.evaluate(() =>
      (globalThis as unknown as { given: MediaStream[] }).given.flatMap(stream =>
        stream.getTracks().map(({ kind, readyState }) => `${kind} ${readyState}`),
      ),
    );

  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), 'keyfold-camera-'));
    await show('https://shop.example/');
    ({ product, browser: plainBrowser } = await startProduct());
    cameraBrowser = await openBrowser({
      isWhole: true,
      more: ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${videoFile()}`],
    });
    ann = await openPerson(cameraBrowser);
    await ann.context.addInitScript(() => {
      const given: MediaStream[] = [];
      Object.assign(globalThis, { given });
      const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async wish => {
        const stream = await ask(wish);
        given.push(stream);
        return stream;
      };
    });
    ben = await openPerson(plainBrowser);
    await Promise.all([
      join(ann, product.baseUrl, 'Alice Almeida', 'alice'),
      join(ben, product.baseUrl, 'Bob Brandt', 'bob'),
    ]);
    for (const [{ page }, other] of [
      [ann, bob],
      [ben, 'alice@keyfold.test'],
    ] as const) {
      await page.goto(product.baseUrl + contactsPath);
      await page.getByRole('textbox', { name: 'Add a contact by address or share code' }).fill(other);
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await row(page).filter({ hasText: other }).getByText('Not verified').waitFor();
    }
  });

  afterAll(async () => {
    await Promise.all([plainBrowser?.close(), cameraBrowser?.close()]);
    await product?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test('without permission or a camera, the dialog shows the reason and an alternative', async () => {
    const his = await openVerify(ben.page, 'Alice Almeida');
    await ben.context.grantPermissions(['camera']);
    await his.getByRole('button', { name: 'Scan their code' }).click();
    await his.getByText('No camera found').waitFor();
    await his.getByRole('textbox', { name: 'Or enter their numbers' }).waitFor();
    const hers = await openVerify(ann.page, 'Bob Brandt');
    await hers.getByRole('button', { name: 'Scan their code' }).click();
    await hers.getByText('Camera access is blocked').waitFor();
    expect(await findDefects(ann.page)).toEqual([]);
  });

  test('an unrelated code is reported, and closing the dialog turns the camera off', async () => {
    const { page, context } = ann;
    await context.grantPermissions(['camera']);
    const dialog = page.getByRole('dialog', { name: 'Verify Bob Brandt' });
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('status').getByText('This QR code isn’t a safety number').waitFor();
    await expect.poll(() => tracks(page)).toEqual(['video live']);
    expect(await findDefects(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Not now' }).click();
    await expect.poll(() => tracks(page)).toEqual(['video ended']);
  });

  test('a wrong number marks the contact as mismatched, the right one verifies it, and the camera turns off', async () => {
    const { page } = ann;
    let dialog = await openVerify(page, 'Bob Brandt');
    const groups = await dialog
      .getByRole('list', { name: 'Safety number' })
      .getByRole('listitem')
      .allTextContents();
    await show(`KEYFOLD:${groups.toReversed().join('')}`);
    await dialog.getByRole('button', { name: 'Scan their code' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(page).filter({ hasText: bob }).getByText('Doesn’t match').waitFor();
    await expect.poll(() => tracks(page)).toEqual(['video ended', 'video ended']);
    await show(`KEYFOLD:${groups.join('')}`);
    await row(page).getByRole('button', { name: 'Review key for Bob Brandt' }).click();
    dialog = page.getByRole('dialog', { name: 'Verify Bob Brandt' });
    await dialog.getByRole('button', { name: 'Scan their code' }).click();
    await row(page)
      .filter({ hasText: bob })
      .getByText(/^Verified/)
      .waitFor();
    await expect.poll(() => tracks(page)).toEqual(['video ended', 'video ended', 'video ended']);
  });

  test('the pages report no problem', () => {
    expect([...ann.problems, ...ben.problems]).toEqual([]);
  });
});
