// The report about open pages when a test fails: what a user would see, and what the pages wait
// for.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from '../harness/open-browser.ts';
import { openPerson } from './browser.ts';
import { tellOpenPages } from './open-pages.ts';

const address = 'http://pages.test/';

describe.skipIf(chromiumPath === null)('the report about open pages (needs Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('lists pages with their fields, calls and problems until they are closed', async () => {
    const { context, page } = await openPerson(browser);
    await page.route(`${address}**`, route =>
      // A request that is never answered.
      route.request().url().endsWith('/slow')
        ? undefined
        : route.fulfill({
            contentType: 'text/html',
            body: '<label>Name <input></label><button disabled>Send</button><script>console.error("Oh")</script>',
          }),
    );
    await page.goto(`${address}form`);
    await page.getByRole('textbox').fill('Alice');
    const asked = page.waitForRequest('**/slow');
    await page.evaluate(() => void fetch('/slow', { method: 'POST' }));
    await asked;
    const told = async () => (await tellOpenPages()).filter(one => one.includes(address));
    const [first = '', ...others] = await told();
    expect(others).toEqual([]);
    for (const part of [`${address}form`, 'Alice', 'button "Send" [disabled]', 'POST /slow', 'console: Oh'])
      expect(first).toContain(part);
    await context.close();
    expect(await told()).toEqual([]);
  });
});
