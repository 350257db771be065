// Remote pictures: only those that the page shows are fetched, and their room is held from the start.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { openPerson } from './support/browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { openMail } from './support/people.ts';
import { startProduct } from './support/story.ts';

const to = 'alice@keyfold.test';
const picture = (name: string, more = '') =>
  `<img src="https://pics.test/${name}.png" alt="${name}" ${more}>`;

const html = `<style>
@media (max-width: 300px) { .narrow { background-image: url(https://pics.test/narrow.png) } .only-narrow { display: inline !important } }
@media (min-width: 301px) { .wide { background-image: url(https://pics.test/wide.png); height: 20px } }
.only-narrow { display: none }
.mark::before { content: url(https://pics.test/before.png) }
.never::before { content: url(https://pics.test/never.png) }
.empty { background-image: url(https://pics.test/empty.png) }
</style>
<p>Top</p>${picture('shown', 'width="300" height="120" id="shown"')}<p id="below">After</p>
<div style="display:none">${picture('in-none')}<div style="background:url(https://pics.test/bg-none.png)">x</div></div>
<div style="visibility:hidden">${picture('in-hidden')}</div><div style="opacity:0">${picture('in-clear')}</div>
<div style="max-height:0;overflow:hidden">${picture('cut-off')}</div>
<div class="only-narrow">${picture('for-narrow')}</div><div class="narrow wide">wide</div>
<p class="mark">marked</p><p class="never" style="display:none">x</p><div class="empty"></div>
<table background="https://pics.test/table.png"><tr><td>cell</td></tr></table>`;

/** As large as its room says. */
const svgSize = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(chromiumPath === null)('remote pictures (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  const asked: string[] = [];
  const frame = () => page.frameLocator('iframe[title="Message body"]');
  const topOf = (selector: string) =>
    frame()
      .locator(selector)
      .evaluate(one => one.getBoundingClientRect().top);

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    const person = await openPerson(browser);
    page = person.page;
    await join(person, product.baseUrl, 'Alice Almeida', 'alice');
    await page.route('**/user/image', route => {
      asked.push((route.request().postDataJSON() as { url: string }).url);
      return route.fulfill({ body: svgSize, contentType: 'application/octet-stream' });
    });
    await sendFromOutside(product.smtpPort, { to, subject: 'Pictures', html });
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('only what the page shows is fetched, and nothing moves when it comes', async () => {
    await openMail(page, 'Pictures');
    await frame().getByText('Top').waitFor();
    const room = await frame()
      .locator('#shown')
      .evaluate(one => [one.clientWidth, one.clientHeight]);
    expect(room).toEqual([300, 120]);
    const before = await topOf('#below');
    await page.getByRole('button', { name: 'Load once' }).click();
    await expect.poll(() => frame().locator('#shown').getAttribute('src')).toMatch(/^blob:/);
    await expect.poll(() => page.getByText(/remote image|Loading images/).count()).toBe(0);
    expect(asked.map(url => /([\w-]+)\.png$/.exec(url)?.[1]).toSorted()).toEqual([
      'before',
      'shown',
      'table',
      'wide',
    ]);
    expect(Math.abs((await topOf('#below')) - before)).toBeLessThanOrEqual(1);
  });
});
