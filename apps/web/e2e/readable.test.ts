// Mail is readable in dark mode whatever colors it sets: this test independently measures the
// contrast of every visible word against the background that the browser paints. Content that a
// message hides on purpose stays hidden.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { openPerson } from './support/browser.ts';
import { lowestContrast } from './support/contrast.ts';
import { sendFromOutside } from './support/outside.ts';
import { openMail } from './support/people.ts';
import { startProduct } from './support/story.ts';

const to = 'alice@keyfold.test';

/** More colors than are examined: the first ones are light, the rest are dark. */
const manyColors = Array.from({ length: 60 }, (_, index) =>
  index < 25 ? `rgb(255,255,${195 + index})` : `rgb(0,0,${index})`,
).join(',');

const mails: Readonly<Record<string, string>> = {
  'Only black': `<body><div style="color:rgb(0,0,0)">Outlook black</div></body>`,
  'White ground': `<body bgcolor="#FFFFFF"><table bgcolor="#FFFFFF"><tr><td>no color on white</td></tr></table></body>`,
  'Outlook blue': `<body style="color:#1F497D"><p style="color:#222222!important">gray <a href="https://a.example">link</a></p></body>`,
  'Own dark rules': `<style>@media (prefers-color-scheme: dark){ p{color:#111!important} .d{color:#fff;background:#fafafa!important} }</style>
<p>words</p><p class="d">more words</p>`,
  Mixture: `<style>.i{color:#000!important} .t{background:linear-gradient(#fff,#eee)} .p::before{content:"before ";color:#111}</style>
<body style="background:#f4efe6"><p>ground only</p><p class="i">important</p><font color="navy">font</font>
<table><tr bgcolor="#333333"><td>dark row</td><td bgcolor="white">light cell</td></tr></table>
<div style="background:rgba(255,255,255,.5);color:rgba(0,0,0,.4)">half</div><div class="t">gradient</div>
<div style="background:linear-gradient(#000,#fff)">both ends</div><p style="opacity:.3">faint</p><p class="p">pseudo</p>
<p style="color:oklch(0.3 0.1 250)">oklch</p>
<div style="height:8px;background:#000;color:#fff">hangs over its ground</div><br>
<div style="position:relative"><div style="position:absolute;inset:0;background:#fff"></div><p style="position:relative">over a placed box</p></div>
<div style="background:linear-gradient(to right,${manyColors})"><p>light</p><p style="color:#fff">white</p></div>
<p style="-webkit-text-fill-color:#000">filled</p><p style="filter:invert(1);color:#ccc">inverted</p></body>`,
};

const preheaders = `<body style="background:#ffffff;color:#333">
<div class="h" style="color:#fff">white on the page's white</div><div class="h" style="font-size:1px;color:#777">one pixel</div>
<span class="h" style="font-size:0">nothing</span><div style="background:#eee"><i class="h" style="color:#ededed">almost</i></div>
<div style="opacity:0">opacity zero</div><div style="max-height:0;overflow:hidden">no height</div><p>In plain sight</p></body>`;

describe.skipIf(chromiumPath === null)('readable mail (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  const frame = () => page.frameLocator('iframe[title="Message body"]');

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    const person = await openPerson(browser);
    page = person.page;
    await join(person, product.baseUrl, 'Alice Almeida', 'alice');
    await sendFromOutside(
      product.smtpPort,
      ...Object.entries(mails).map(([subject, html]) => ({ to, subject, html })),
      { to, subject: 'Preheaders', html: preheaders },
    );
    await page.emulateMedia({ colorScheme: 'dark' });
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  const measure = async (): Promise<readonly [number, string]> => {
    const body = frame().locator('body');
    const isShown = await body.evaluate(
      one => (one as HTMLElement).innerText.trim() !== '' && one.style.visibility === '',
    );
    if (!isShown) return [0, 'not shown'];
    // Passed as text: the frame runs no scripts, but its page may read it.
    return body.evaluate(lowestContrast, [21, 25, 34]);
  };
  const openDark = async (subject: string): Promise<void> => {
    await openMail(page, subject);
    await frame().locator('.mail-body').waitFor();
    const showDark = page.getByRole('button', { name: 'Use dark colors' });
    if (await showDark.isVisible()) await showDark.click();
  };

  for (const subject of Object.keys(mails))
    test(`every word of "${subject}" has enough contrast in dark mode`, async () => {
      await openDark(subject);
      await expect.poll(measure).toSatisfy(([low]) => low > 4.49);
    });

  test('black text takes the dark theme’s text color, not gray', async () => {
    await openDark('Only black');
    const color = () =>
      frame()
        .getByText('Outlook black')
        .evaluate(one => getComputedStyle(one).color);
    await expect.poll(color).toBe('rgb(232, 235, 241)');
  });

  test('text that a message hides on purpose stays hidden', async () => {
    await openDark('Preheaders');
    await frame().getByText('In plain sight').waitFor();
    const colors = () =>
      frame()
        .locator('.h')
        .evaluateAll(all => all.map(one => getComputedStyle(one).color));
    await expect.poll(colors).toEqual(Array.from({ length: 4 }, () => 'rgba(0, 0, 0, 0)'));
    for (const words of ['opacity zero', 'no height']) {
      const seen = await frame()
        .getByText(words)
        .evaluate(one => Number(getComputedStyle(one).opacity) * one.clientHeight);
      expect(seen).toBe(0);
    }
  });
});
