// Remote images: only images that the page shows are fetched, and their space is reserved from the
// start.
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

/** Conditions through which a sender could learn something about the window. */
const askers: readonly (readonly [name: string, condition: string])[] = [
  ['dark', '@media (prefers-color-scheme:dark)'],
  ['hover', '@media (hover:hover)'],
  ['no-hover', '@media (hover:none)'],
  ['fine', '@media (pointer:fine)'],
  ['coarse', '@media (any-pointer:coarse)'],
  ['sharp', '@media (min-resolution:2dppx)'],
  ['blunt', '@media not all and (min-resolution:2dppx)'],
  ['still', '@media (prefers-reduced-motion:reduce)'],
  ['contrast', '@media (prefers-contrast:more)'],
  ['upright', '@media (orientation:portrait)'],
  ['wide', '@media (min-width:900px)'],
  ['desk', '@media (min-width:601px)'],
  ['phone', '@media only screen and (max-width:37.5em)'],
  ['small-device', '@media (max-device-width:480px)'],
  ['tall', '@media (min-height:1000px)'],
  ['grid', '@supports (display:grid)'],
  ['no-grid', '@supports not (display:grid)'],
  ['boxed', '@container (min-width:500px)'],
];

const telling = `<style>${askers
  .map(([name, condition]) => `${condition}{.${name}{background-image:url(https://pics.test/${name}.png)}}`)
  .join('')}
@media (min-width:700px) and (hover:hover) { .hidden-on-desk { display: none } }
.list { list-style: url(https://pics.test/no-list.png) } .tiny { width: 1px; height: 1px }
.unmade::before { background: url(https://pics.test/unmade.png) }
.made::before { content: "x"; background: url(https://pics.test/made.png) }
</style><style media="(hover:none)">.sheet { background: url(https://pics.test/sheet.png) }</style><p class="sheet">x</p>
<div style="container-type:inline-size"><p class="boxed">Top</p></div>
${askers.map(([name]) => `<p class="${name}">x</p>`).join('')}
<div class="hidden-on-desk">${picture('not-on-desk')}</div>
<div style="width:calc(100vw - 300px);max-width:100px;overflow:hidden">${picture('room')}</div>
<img srcset="https://pics.test/set-1.png 1x, https://pics.test/set-2.png 2x" sizes="100vw">
<picture><source media="(hover)" srcset="https://pics.test/source.png">${picture('of-picture', 'loading="lazy"')}</picture>
<div style="overflow:hidden;float:left">${picture('wrapped')}</div><p class="unmade">x</p><p class="made">x</p>
<p class="list">no list</p><ul style="list-style-image:url(https://pics.test/list.png)"><li>list</li></ul>
${picture('tiny', 'class="tiny"')}<div style="position:absolute;left:-9999px">${picture('away')}</div>
<div style="width:1px;height:1px;overflow:hidden">${picture('pinhole')}</div>`;

/** Images without a size or out of view, each by a different method. */
const pixels: readonly string[] = [
  picture('p-attributes', 'width="1" height="1"'),
  picture('p-important', 'style="height:1px !important;width:1px !important"'),
  picture('p-points', 'style="width:.5pt;height:.5pt"'),
  picture('p-letters', 'style="width:.1em;height:.1em"'),
  `<div style="font-size:0">${picture('p-letterless', 'style="width:1em;height:1em"')}</div>`,
  picture('p-most', 'style="display:block;max-height:1px;max-width:1px"'),
  picture('p-class', 'class="pixel"'),
  `<div class="gone">${picture('p-in-none')}</div>`,
  `<div style="visibility:hidden">${picture('p-in-hidden')}</div>`,
  `<div style="opacity:.4"><div style="opacity:.1">${picture('p-faint')}</div></div>`,
  picture('p-away', 'style="position:absolute;left:-4000px"'),
  picture('p-far', 'style="position:absolute;left:9999px"'),
  picture('p-indent', 'style="position:absolute;top:-900px"'),
  picture('p-clip', 'style="position:absolute;clip:rect(0,0,0,0)"'),
  picture('p-path', 'style="clip-path:inset(50%)"'),
  picture('p-circle', 'style="clip-path:circle(0)"'),
  picture('p-scaled', 'style="transform:rotate(1deg) scale(.001)"'),
  `<div style="max-height:0;overflow:hidden">${picture('p-cut')}</div>`,
  `<div style="height:20px;overflow:hidden">${picture('p-pushed', 'style="display:block;margin-top:40px"')}</div>`,
  '<div style="background:url(https://pics.test/p-ground.png);width:1px;height:1px"></div>',
  '<div style="background:url(https://pics.test/p-shrunk.png) 0 0/1px 1px no-repeat">x</div>',
  '<table background="https://pics.test/p-table.png" class="pixel" cellspacing="0" cellpadding="0"><tr><td></td></tr></table>',
  '<picture><source srcset="https://pics.test/p-source.png"><img width="1" height="1" alt=""></picture>',
  '<img srcset="https://pics.test/p-set.png 1x" class="pixel" alt="">',
  '<svg width="1" height="1"><image href="https://pics.test/p-svg.png"/></svg>',
  '<video width="1" height="1" poster="https://pics.test/p-poster.png"></video>',
  '<input type="image" src="https://pics.test/p-input.png" style="width:1px;height:1px">',
];
const disguised = `<style>.pixel { width: 1px; height: 1px; display: block; overflow: hidden; padding: 0; border: 0 } .gone { display: none }
.nobody { background: url(https://pics.test/nobody.png) } @media print { p { background: url(https://pics.test/print.png) } }
@font-face { font-family: x; src: url(https://pics.test/font.png) } @import "https://pics.test/import.png";</style>
<p style="behavior:url(https://pics.test/behavior.png)">Hello</p>${picture('seen', 'width="200" height="50"')}
<p style="background:url(https://pics.test/ground.png)">Words</p>${pixels.join('\n')}<p>The end</p>`;

/** Never painted: hidden from everyone, or only for dark mode, in which no message is laid out. */
const unseen = ['dark', 'wide', 'no-list', 'tiny', 'away', 'pinhole', 'unmade', 'source', 'set-2'];

const unsized = `${picture('one')}${picture('two')}<p>${'Words. '.repeat(400)}</p><p id="read">Read here</p>
${'<p>More</p>'.repeat(60)}`;

const long = `<p>Begins</p>${picture('early', 'width="200" height="50"')}${'<p>Words of a long letter.</p>'.repeat(3_200)}
<p id="end">Ends</p>${picture('late', 'width="200" height="50" id="late"')}${picture('spy', 'width="1" height="1" style="width:1px;height:1px"')}`;

/** An image that matches its reserved space. */
const svgSize = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** An image with a different size. */
const tall = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
tall.writeUInt16LE(300, 6);
tall.writeUInt16LE(400, 8);

describe.skipIf(chromiumPath === null)('remote images (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  const frame = () => page.frameLocator('iframe[title="Message body"]');
  const topOf = (selector: string) =>
    frame()
      .locator(selector)
      .evaluate(one => one.getBoundingClientRect().top);

  /** Returns the names of the images that a page requests from now on. */
  const listen = async (on: Page): Promise<string[]> => {
    const asked: string[] = [];
    await on.route('**/user/image', route => {
      const { url } = route.request().postDataJSON() as { url: string };
      asked.push(/([\w-]+)\.png$/.exec(url)?.[1] ?? url);
      return route.fulfill({ body: svgSize, contentType: 'application/octet-stream' });
    });
    return asked;
  };
  const loadOnce = async (on: Page): Promise<void> => {
    await on.getByRole('button', { name: 'Load once' }).click();
    await expect.poll(() => on.getByText(/remote image|Loading images/).count()).toBe(0);
  };

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    const person = await openPerson(browser);
    page = person.page;
    await join(person, product.baseUrl, 'Alice Almeida', 'alice');
    await sendFromOutside(
      product.smtpPort,
      { to, subject: 'Pictures', html },
      { to, subject: 'Unsized', html: unsized },
      { to, subject: 'Disguised', html: disguised },
      { to, subject: 'Long', html: long },
    );
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  test('only images that the page shows are fetched, and nothing moves when they load', async () => {
    await openMail(page, 'Pictures');
    await frame().getByText('Top').waitFor();
    const room = await frame()
      .locator('#shown')
      .evaluate(one => [one.clientWidth, one.clientHeight]);
    expect(room).toEqual([300, 120]);
    const before = await topOf('#below');
    const asked = await listen(page);
    await loadOnce(page);
    await expect.poll(() => frame().locator('#shown').getAttribute('src')).toMatch(/^blob:/);
    expect(asked.toSorted()).toEqual(['before', 'shown', 'table', 'wide']);
    expect(Math.abs((await topOf('#below')) - before)).toBeLessThanOrEqual(1);
  });

  test('tracking pixels in any disguise are counted as trackers and never requested', async () => {
    await openMail(page, 'Disguised');
    await frame().getByText('Hello').waitFor();
    await page.getByText(`, ${pixels.length} known trackers`).waitFor();
    const asked = await listen(page);
    await page.getByRole('button', { name: 'Load once' }).click();
    await page.getByText(`${pixels.length} known trackers blocked`, { exact: true }).waitFor();
    expect(asked.toSorted()).toEqual(['ground', 'seen']);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('the text being read stays in place when unsized images load above it', async () => {
    await openMail(page, 'Unsized');
    await frame().locator('#read').waitFor();
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/user/image', async route => {
      asked.resolve();
      await gate.promise;
      await route.fulfill({ body: tall, contentType: 'application/octet-stream' });
    });
    await page.getByRole('button', { name: 'Load once' }).click();
    await asked.promise;
    await frame()
      .locator('#read')
      .evaluate(one => one.scrollIntoView({ block: 'center' }));
    const topInWindow = async () => (await frame().locator('#read').boundingBox())?.y ?? 0;
    const before = await topInWindow();
    gate.resolve();
    await expect.poll(() => topOf('#read').then(Math.round)).toBeGreaterThan(800);
    await expect
      .poll(() =>
        frame()
          .locator('img')
          .evaluateAll(all => all.map(one => (one as HTMLImageElement).naturalHeight)),
      )
      .toEqual([400, 400]);
    await expect.poll(() => page.getByText(/remote image|Loading images/).count()).toBe(0);
    await expect.poll(async () => Math.abs((await topInWindow()) - before)).toBeLessThanOrEqual(2);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('a long message loads its remaining images when it is shown in full', async () => {
    await openMail(page, 'Long');
    await frame().getByText('Begins').waitFor();
    const asked = await listen(page);
    await loadOnce(page);
    expect(asked).toEqual(['early']);
    await page.getByRole('button', { name: 'Show entire message' }).click();
    await expect.poll(() => frame().locator('#late').getAttribute('src')).toMatch(/^blob:/);
    await page.getByText('1 known tracker blocked', { exact: true }).waitFor();
    expect(asked).toEqual(['early', 'late']);
    expect(await page.getByRole('button', { name: 'Show entire message' }).count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('image requests reveal nothing about the window', async () => {
    const windows = [
      { viewport: { width: 1440, height: 900 }, colorScheme: 'light', deviceScaleFactor: 1 },
      {
        viewport: { width: 390, height: 844 },
        colorScheme: 'dark',
        deviceScaleFactor: 3,
        hasTouch: true,
        isMobile: true,
        reducedMotion: 'reduce',
      },
      { viewport: { width: 800, height: 1200 }, contrast: 'more', deviceScaleFactor: 2 },
    ] as const;
    const all: string[][] = [];
    for (const [index, options] of windows.entries()) {
      const person = await openPerson(browser, options);
      await join(person, product.baseUrl, 'Bob Baker', `bob${index}`);
      await sendFromOutside(product.smtpPort, {
        to: `bob${index}@keyfold.test`,
        subject: 'Telling',
        html: telling,
      });
      await openMail(person.page, 'Telling');
      const asked = await listen(person.page);
      await loadOnce(person.page);
      all.push(asked.toSorted());
      await person.context.close();
    }
    const named = [...telling.matchAll(/([\w-]+)\.png/g)].map(([, name]) => name as string);
    expect(all[0]).toEqual([...new Set(named)].filter(name => !unseen.includes(name)).toSorted());
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
  });
});
