// Files dropped next to each drop target, as a real browser drag. Without handling, the browser
// would open the file instead of the page.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CDPSession, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail, openMail } from './support/people.ts';
import { useStory } from './support/story.ts';

describe.skipIf(chromiumPath === null)('dropped files (needs Chromium)', () => {
  const story = useStory();
  let folder: string;
  let file: string;
  let devtools: CDPSession;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'drop-'));
    file = path.join(folder, 'plan.html');
    await writeFile(file, '<p>A file, not the app</p>');
    devtools = await story.page.context().newCDPSession(story.page);
    await sendFromOutside(story.product.smtpPort, {
      to: 'alice@keyfold.test',
      subject: 'A page',
      html: '<h1>Words in a frame</h1>',
    });
    await awaitMail(story.page, 'A page');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const dropOn = async (place: Locator) => {
    const box = await place.boundingBox();
    if (box === null) throw new Error('The place is not on the page');
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await devtools.send('Input.dispatchDragEvent', {
        type,
        x: box.x + box.width / 2,
        y: box.y + box.height / 2,
        data,
      });
    }
    await story.page.waitForTimeout(500);
  };

  test('do not navigate away from the app: over lists, fields, buttons and the text of a message', async () => {
    const { page } = story;
    await openMail(page, 'A page');
    const frame = page.locator('iframe[title="Message body"]');
    await frame.contentFrame().getByText('Words in a frame').waitFor();
    const address = page.url();
    const places = [
      page.getByRole('list', { name: 'Messages' }),
      page.getByRole('navigation').first(),
      page.getByRole('button', { name: 'Compose' }).first(),
      page
        .getByRole('searchbox')
        .or(page.getByPlaceholder(/Search/))
        .first(),
      frame,
    ];
    for (const place of places) {
      await dropOn(place);
      expect(page.url()).toBe(address);
      expect(page.context().pages()).toHaveLength(1);
    }
    await frame.contentFrame().getByText('Words in a frame').waitFor();
  });

  test('are still attached to a message being composed', async () => {
    const { page } = story;
    await page.getByRole('button', { name: 'Compose' }).first().click();
    await dropOn(page.getByRole('textbox', { name: 'Message' }));
    await page.getByRole('button', { name: 'Remove plan.html' }).waitFor();
  });
});
