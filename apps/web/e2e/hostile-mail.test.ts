// A hostile message on its real path: received over SMTP, sealed, opened, sanitized, framed. It
// must not run scripts, fetch, send, navigate or paint outside its frame; remote images load only
// on request. docs/acceptance.md 37, 38.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { openPerson, type Person } from './support/browser.ts';
import { corpusMails, corpusNames, hasCorpora, noCorpora } from './support/html-corpus.ts';
import { sendFromOutside } from './support/outside.ts';
import { openMail } from './support/people.ts';
import { letReach, startProduct } from './support/story.ts';

const to = 'alice@keyfold.test';
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Returns everything that could call home, run, or break out, each with its own address. */
function hostile(http: string, https: string): string {
  let count = 0;
  const url = (kind: string) => `${count++ % 2 === 0 ? http : https}/${kind}`;
  return `<!doctype html><html><head>
<base href="${url('base')}/">
<meta http-equiv="refresh" content="0;url=${url('refresh')}">
<meta http-equiv="Content-Security-Policy" content="default-src *">
<link rel="stylesheet" href="${url('css')}"><link rel="preload" as="image" href="${url('preload')}">
<link rel="prefetch" href="${url('prefetch')}"><link rel="dns-prefetch" href="${https}"><link rel="icon" href="${url('icon')}">
<style>@import url("${url('import')}"); @font-face { font-family: evil; src: url("${url('font')}") }
body { font-family: evil; background: url("${url('bodybg')}") } p::before { content: url("${url('content')}") }
li { list-style-image: url(${url('list')}); cursor: url(${url('cursor')}), auto }</style>
<script>parent.document.title = 'owned'; fetch('${url('script')}')</script>
<script src="${url('scriptsrc')}"></script></head>
<body onload="parent.document.title='owned'" background="${url('bg')}">
<p id="mark">Hostile text that is read</p><ul><li>item</li></ul>
<img src="${url('img')}"><img srcset="${url('srcset')} 2x"><img src="x" onerror="parent.document.title='owned'">
<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='parent.document.title=1'/>">
<picture><source srcset="${url('source')}"><img src="${url('picture')}"></picture>
<video src="${url('video')}" poster="${url('poster')}" autoplay></video><audio src="${url('audio')}" autoplay></audio>
<table background="${url('table')}"><tr><td background="${url('td')}">cell</td></tr></table>
<div style="background-image:url('${url('inline')}')">inline</div>
<div style="position:fixed;inset:0;z-index:99999;background:red" id="cover">COVER</div>
<div style="position:absolute;left:-2000px;top:-2000px;width:9000px;height:400px;background:red">WIDE</div>
<svg><image href="${url('svgimage')}"/><use href="${url('svguse')}#a"/><script>parent.document.title='owned'</script>
<animate attributeName="href" values="javascript:alert(1)"/></svg>
<math><mtext><mglyph><style><img src=x onerror="parent.document.title='owned'"></style></mglyph></mtext></math>
<iframe src="${url('iframe')}"></iframe><iframe srcdoc="<script>top.document.title='owned'</script>"></iframe>
<object data="${url('object')}"></object><embed src="${url('embed')}">
<form action="${url('form')}" method="post"><input name="password" type="password" value="x" autofocus
 onfocus="parent.document.title='owned'"><button id="go">Send</button></form>
<a id="js" href="javascript:parent.document.title='owned'">js</a>
<a id="vb" href="&#x6A;avascript:parent.document.title='owned'">entity</a>
<a id="ping" href="https://safe.example/" ping="${url('ping')}">ping</a>
<details open ontoggle="parent.document.title='owned'"><summary>d</summary>x</details>
<marquee onstart="parent.document.title='owned'">m</marquee>
<noscript><p title="</noscript><img src=x onerror=parent.document.title='owned'>"></noscript>
<textarea><img title="</textarea><img src=x onerror=parent.document.title='owned'>"></textarea>
<template><script>parent.document.title='owned'</script></template>
<slot onslotchange="parent.document.title='owned'"></slot>
</body></html>`;
}

describe.skipIf(chromiumPath === null)('hostile mail (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  let page: Page;
  let canary: Server;
  let http = '';
  const https = 'https://canary.test';
  const calls: string[] = [];

  beforeAll(async () => {
    canary = createServer((request, response) => {
      calls.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'image/png', 'access-control-allow-origin': '*' }).end(pixel);
    });
    await new Promise<void>(resolve => canary.listen(0, '127.0.0.1', resolve));
    http = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
    ({ product, browser } = await startProduct());
    await letReach(product, (canary.address() as AddressInfo).port);
    person = await openPerson(browser);
    page = person.page;
    await person.context.route('**/user/records?*', route =>
      route.fulfill({ json: { success: true, data: [] } }),
    );
    // Captures requests to the encrypted canary without letting them leave the machine.
    await person.context.route(`${https}/**`, route => {
      calls.push(new URL(route.request().url()).pathname);
      return route.fulfill({ body: pixel, contentType: 'image/png' });
    });
    await join(person, product.baseUrl, 'Alice Almeida', 'alice');
    await sendFromOutside(
      product.smtpPort,
      { to, subject: 'Harmless invoice', html: hostile(http, https) },
      {
        to,
        subject: 'Endless tower',
        html: '<p>Top of the tower</p><div style="height:30000000px;min-height:30000000px">x</div><p>Bottom</p>',
      },
      {
        to,
        subject: 'Holiday pictures',
        html: `<p>Look:</p><img id="remote" width="40" height="30" src="${https}/beach.png" alt="Beach"><img width="1" height="1" src="${https}/open.gif">`,
      },
    );
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
    await new Promise(resolve => canary?.close(resolve));
  });

  const frame = () => page.frameLocator('iframe[title="Message body"]');

  for (const theme of ['light', 'dark'] as const) {
    test(`it can be read (${theme}) without running code or sending requests`, async () => {
      await page.emulateMedia({ colorScheme: theme });
      await openMail(page, 'Harmless invoice');
      await frame().getByText('Hostile text that is read').waitFor();
      await page.waitForTimeout(1_500);
      expect(calls).toEqual([]);
      expect(await page.title()).toMatch(/Keyfold$/);
      expect(new URL(page.url()).pathname).toBe('/app/inbox/recieved/0');
      expect(page.frames()).toHaveLength(2);
      await page.getByText(/remote images? blocked/).waitFor();
    });
  }

  test('it draws nothing over the page around it', async () => {
    const box = await page.locator('iframe[title="Message body"]').boundingBox();
    const sizes = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    expect(sizes[0]).toBe(sizes[1]);
    const pane = await page.getByRole('article').boundingBox();
    expect((box?.x ?? 0) >= (pane?.x ?? 0)).toBe(true);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((pane?.x ?? 0) + (pane?.width ?? 0));
    // The element under the pointer outside the frame belongs to the product.
    const hit = await page.evaluate(
      () => document.elementFromPoint(300, 20)?.closest('header, nav, search') !== null,
    );
    expect(hit).toBe(true);
    expect(box?.height ?? 0).toBeLessThan(5_000);
  });

  test('a body of millions of pixels scrolls inside a frame of limited height', async () => {
    await openMail(page, 'Endless tower');
    await frame().getByText('Top of the tower').waitFor();
    const tower = page.locator('iframe[title="Message body"]');
    await expect.poll(async () => (await tower.boundingBox())?.height).toBe(20_000);
    await frame().getByText('Bottom').scrollIntoViewIfNeeded();
    await expect
      .poll(() =>
        frame()
          .locator('html')
          .evaluate(html => html.scrollTop),
      )
      .toBeGreaterThan(1_000_000);
    await openMail(page, 'Harmless invoice');
    await frame().getByText('Hostile text that is read').waitFor();
  });

  test('its links, forms and handlers do nothing', async () => {
    const before = page.context().pages().length;
    for (const text of ['js', 'entity', 'Send', 'COVER']) {
      const target = frame().getByText(text, { exact: true }).first();
      if ((await target.count()) > 0)
        await target.click({ force: true, timeout: 2_000 }).catch(() => undefined);
    }
    await page.waitForTimeout(400);
    expect(await page.title()).toMatch(/Keyfold$/);
    expect(page.context().pages()).toHaveLength(before);
    const opened = page.context().waitForEvent('page');
    await frame().getByText('ping', { exact: true }).click({ force: true });
    const link = await opened;
    expect(link.url()).toContain('/link#url=https%3A%2F%2Fsafe.example%2F');
    await link.close();
    expect(calls).toEqual([]);
    const left = await page.evaluate(() => {
      const inner = document.querySelector('iframe')?.contentDocument;
      const handlers = [...(inner?.querySelectorAll('*') ?? [])].flatMap(element =>
        element.getAttributeNames().filter(name => name.startsWith('on')),
      );
      const active = [
        ...(inner?.querySelectorAll('script,iframe,object,embed,form,base,meta[http-equiv=refresh],link') ??
          []),
      ].map(element => element.tagName);
      return { handlers, active };
    });
    expect(left).toEqual({ handlers: [], active: [] });
  });

  test('replying and printing cause no request either', async () => {
    await page.getByRole('button', { name: 'Reply', exact: true }).last().click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.getByRole('button', { name: 'Save and close' }).click();
    await page.emulateMedia({ media: 'print' });
    await page.waitForTimeout(300);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'View source' }).click();
    await page
      .getByRole('dialog')
      .getByText(/Content-Transfer-Encoding: base64/i)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(calls).toEqual([]);
  });

  test('remote images load through the server on request and only for that message', async () => {
    // Requests that the browser sends to Keyfold's server instead of the sender's.
    const asked: string[] = [];
    await person.context.route('**/user/image', route => {
      asked.push((route.request().postDataJSON() as { url: string }).url);
      // As the server responds: bytes without a specific type.
      return route.fulfill({ body: pixel, contentType: 'application/octet-stream' });
    });
    await openMail(page, 'Holiday pictures');
    await frame().getByText('Look:').waitFor();
    await page.getByText('2 remote images blocked, 1 known tracker').waitFor();
    await page.getByRole('button', { name: 'Load once' }).click();
    await expect
      .poll(() =>
        frame()
          .locator('#remote')
          .evaluate(image => (image as HTMLImageElement).naturalWidth),
      )
      .toBe(1);
    expect(asked).toEqual([`${https}/beach.png`]);
    expect(await frame().locator('#remote').getAttribute('src')).toMatch(/^blob:/);
    await page.getByText('1 known tracker blocked').waitFor();
    await openMail(page, 'Harmless invoice');
    await frame().getByText('Hostile text that is read').waitFor();
    await page.getByText(/remote images blocked/).waitFor();
    await openMail(page, 'Holiday pictures');
    await page.getByText('2 remote images blocked').waitFor();
    expect(asked).toHaveLength(1);
    expect(calls).toEqual([]);
  });

  test('the page reports neither a policy violation nor an error', () => {
    expect(person.problems).toEqual([]);
  });

  // Runs after the console check: a few cases of foreign markup are logged before they are
  // discarded (Strict policy).
  describe.skipIf(!hasCorpora)(`corpora in the viewer (${hasCorpora ? 'present' : noCorpora})`, () => {
    test.each(corpusNames)(
      '%s: no code runs, no request is sent, and nothing leaves the frame',
      async name => {
        const mails = corpusMails(name, http, "parent.document.title='owned'");
        const subject = (index: number) => `${name.split('.')[0]} ${index}`;
        await sendFromOutside(
          product.smtpPort,
          ...mails.map((html, index) => ({ to, subject: subject(index), html })),
        );
        const look = () =>
          page.evaluate(() => {
            const style = getComputedStyle(document.body);
            return [style.color, style.backgroundColor, style.fontFamily, document.styleSheets.length];
          });
        const before = await look();
        for (const index of mails.keys()) {
          await openMail(page, subject(index));
          await frame().getByText('The start of the cases').waitFor();
          const left = await page.evaluate(() => {
            const inner = document.querySelector('iframe')?.contentDocument;
            const elements = [...(inner?.body.querySelectorAll('*') ?? [])];
            return {
              handlers: elements.flatMap(one => one.getAttributeNames().filter(word => /^on/i.test(word))),
              active: elements
                .map(one => one.localName)
                .filter(word => /^(?:script|iframe|object|embed|form|base|link|meta|svg|math)$/.test(word)),
              addresses: elements
                .flatMap(one => [one.getAttribute('src') ?? '', one.getAttribute('href') ?? ''])
                .filter(address => /^\s*(?:javascript|vbscript|data:text)/i.test(address)),
            };
          });
          expect(left, `${name} ${index}`).toEqual({ handlers: [], active: [], addresses: [] });
          expect(await page.title(), `${name} ${index}`).toMatch(/Keyfold$/);
          // The frame that measures images exists for a moment.
          await expect.poll(() => page.frames().length, { message: `${name} ${index}` }).toBe(2);
        }
        expect(await look()).toEqual(before);
        expect(page.context().pages()).toHaveLength(1);
        expect(calls).toEqual([]);
      },
    );
  });
});
