// What the sanitizer keeps and counts: the formatting of a message, embedded images, links through
// the link page, remote images when the reader allows them.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { joinHtmlParts } from '../src/mime/html-parts.ts';
import { type Harness, hasChromium, startHarness } from './harness.ts';

const title = hasChromium ? 'the HTML of a mail' : 'the HTML of a mail (skipped: no Chromium was found)';

describe.runIf(hasChromium)(title, () => {
  let harness: Harness;
  let page: Page;

  beforeAll(async () => {
    harness = await startHarness();
    ({ page } = await harness.openPage('/strict'));
  });
  afterAll(async () => {
    await harness?.close();
  });

  const sanitize = (html: string, allowRemote = false) =>
    page.evaluate(([text, allow]) => window.sanitize(text, { allowRemote: allow }), [
      html,
      allowRemote,
    ] as const);

  test('keeps styles, tables and body colors', async () => {
    const { html } = await sanitize(
      '<html><head><style media="screen">p { color : red } /* c */ @media (max-width:600px){.a{width:100%!important}}</style></head>' +
        '<body bgcolor="#eeeeee" text="navy" style="margin:0"><table width="600" cellpadding="4" border="0"><tr><td align="center" ' +
        'style="font:bold 12px/1.4 \'Open Sans\',Arial;padding:4px 8px">Hi<br>there</td></tr></table><p class="a" dir="rtl">x</p></body></html>',
    );
    expect(html).toBe(
      '<style>@media screen{p{color:red}\n@media (max-width:600px){.a{width:100%!important}}}</style>' +
        '<div class="mail-body" style="background-color:#eeeeee;color:navy;margin:0">' +
        '<table width="600" cellpadding="4" border="0"><tbody><tr><td align="center" style="font:bold 12px/1.4 &quot;Open Sans&quot;,Arial;padding:4px 8px">' +
        'Hi<br>there</td></tr></tbody></table><p class="a" dir="rtl">x</p></div>',
    );
  });

  test('blocks remote pictures and counts each once, trackers separately', async () => {
    const result = await sanitize(
      '<img src="https://a.example/1.png" alt="one"><img src="https://a.example/1.png"><img src="//a.example/2.png">' +
        '<img src="https://x.list-manage.com/track/open.php?u=1"><img src="https://b.example/p" width="1" height="1">' +
        '<td background="https://a.example/3.png"></td><div style="background:url(https://a.example/4.png)">x</div>' +
        '<style>.q{background:url(https://a.example/5.png)}</style><img srcset="https://a.example/6.png 2x">' +
        '<table background="https://a.example/7.png"><tr><td>x</table>',
    );
    expect(result).toMatchObject({ blockedRemote: 8, trackers: 2 });
    expect(result.html).not.toMatch(/https?:/);
    expect(result.html).toContain('<img alt="one" data-blocked="remote">');
    expect(result.html).toContain('data-blocked="hidden"');
    expect(result.html).not.toContain('background');
  });

  test('with pictures allowed, loads only pictures, and through the caller', async () => {
    const result = await sanitize(
      '<img src="https://a.example/1.png"><img src="https://x.list-manage.com/track/open.php?u=1">' +
        '<p style="background:url(\'https://a.example/2.png\') no-repeat;cursor:url(https://a.example/3.cur),auto">x</p>' +
        '<style>@import "https://a.example/4.css";@font-face{font-family:x;src:url(https://a.example/5.woff)}</style>' +
        '<link rel="stylesheet" href="https://a.example/6.css"><img src="/app/logout"><img src="page.png">',
      true,
    );
    expect(result.seen).toEqual(
      expect.arrayContaining(['https://a.example/1.png', 'https://a.example/2.png']),
    );
    expect(result.html).toContain('<img src="https://a.example/1.png">');
    expect(result.html).toContain('background:url(&quot;https://a.example/2.png&quot;) no-repeat');
    expect(result.html).not.toMatch(/list-manage|\.cur|\.css|\.woff|logout|page\.png/);
    expect(result.trackers).toBe(1);
  });

  test('resolves pictures of the message by Content-ID', async () => {
    const { html } = await sanitize(
      '<img src="cid:known@x"><img src="CID:unknown@x"><img src="data:image/png;base64,AAAA"><img src="data:image/svg+xml;base64,AAAA">',
    );
    expect(html).toBe(
      '<div class="mail-body"><img src="blob:known"><img><img src="data:image/png;base64,AAAA"><img></div>',
    );
  });

  test('links go through the link page, and unsafe ones lose their target', async () => {
    const { html } = await sanitize(
      '<a href="https://a.example/?x=1&amp;y=2" target="_top" onclick="x()" ping="https://p.example">a</a><a href="mailto:b@c.de">b</a>' +
        '<a href="#part">c</a><a href=" java\tscript:alert(1)">d</a><a href="/app/logout">e</a><a href="data:text/html,x">f</a>' +
        '<map name="m"><area href="//g.example/" shape="rect" coords="0,0,9,9"></map><img usemap="#m">',
    );
    expect(html).toContain(
      '<a href="https://link.example/?https%3A%2F%2Fa.example%2F%3Fx%3D1%26y%3D2" target="_blank" rel="noreferrer noopener">a</a>',
    );
    expect(html).toContain(
      '<a href="https://link.example/?mailto%3Ab%40c.de" target="_blank" rel="noreferrer noopener">b</a>',
    );
    expect(html).toContain('<a href="#part">c</a><a>d</a><a>e</a><a>f</a>');
    expect(html).toContain('href="https://link.example/?https%3A%2F%2Fg.example%2F"');
    expect(html).toContain('usemap="#m"');
  });

  test('typed addresses become links through the link page', async () => {
    const { html } = await sanitize(
      '<p>See https://example.org/canoe?a=1&amp;b=2, <b>HTTP://b.example/x</b>.</p>' +
        '<a href="https://real.example/">https://shown.example/</a><pre>ftp://c.example javascript:x</pre>' +
        '<p title="https://t.example/">https://d.example/&lt;script&gt;</p>',
    );
    const link = (address: string, words: string) =>
      `<a href="https://link.example/?${encodeURIComponent(address)}" target="_blank" rel="noreferrer noopener">${words}</a>`;
    expect(html).toContain(
      `See ${link('https://example.org/canoe?a=1&b=2', 'https://example.org/canoe?a=1&amp;b=2')}, <b>`,
    );
    expect(html).toContain(`<b>${link('http://b.example/x', 'HTTP://b.example/x')}</b>.`);
    expect(html).toContain(link('https://real.example/', 'https://shown.example/'));
    expect(html).toContain('<pre>ftp://c.example javascript:x</pre>');
    expect(html).toContain(`${link('https://d.example/', 'https://d.example/')}&lt;script&gt;</p>`);
    expect(html.match(/<a /g)).toHaveLength(4);
  });

  test('each part of a message is a separate document', async () => {
    for (const open of [
      '<p title="open>',
      '<!-- ',
      '<style>p{display:none}',
      '<template>',
      '<table><tr><td><div><b>',
      '<textarea>',
      '<a href="https://a.example/?',
      '<style>p{display:none}</style>',
    ]) {
      const { html } = await sanitize(joinHtmlParts([`<p>First</p>${open}`, '<p>Second</p>']));
      expect(html, open).toMatch(/<div class="mail-body kf-part-\w+"><p>Second<\/p><\/div>$/);
      if (html.includes('<style'))
        expect(html).toMatch(/^<style>@scope \(\.kf-part-\w+\) \{p\{display:none\}\}<\/style>/);
    }
  });

  test('forms lose their controls and keep their text', async () => {
    const { html } = await sanitize(
      '<form action="https://evil.example"><p>Dear reader</p><input name="password"><button>Send</button></form>',
    );
    expect(html).toBe('<div class="mail-body"><p>Dear reader</p></div>');
  });

  test('fixed and sticky positioning is removed', async () => {
    const { html } = await sanitize(
      '<div style="position:fixed;top:0;color:red">x</div><div style="POSITION:\\66 ixed">y</div><style>.a{position:sticky;left:0}</style>',
    );
    expect(html).not.toMatch(/position/i);
    expect(html).toContain('color:red');
  });

  test('text that resembles the sanitizer’s own markup stays text', async () => {
    const { html } = await sanitize(
      '<p>a style="x" data-style-0="y" &lt;script&gt;</p><p title="a style=&quot;b&quot;">c</p>',
    );
    expect(html).toBe(
      '<div class="mail-body"><p>a style="x" data-style-0="y" &lt;script&gt;</p><p title="a style=&quot;b&quot;">c</p></div>',
    );
  });

  describe('sanitizing in slices', () => {
    const block =
      '<td style="color:red" onclick="x()"><script>x()</script><b>bold<img src="https://a.example/1.png" onerror="x()"></b>' +
      '<svg><style><img src=x onerror=x()></style></svg><form>kept<input></form><!-- c --></td>';
    const cleanBlock = '<td style="color:red"><b>bold<img data-blocked="remote"></b>kept</td>';
    const rows = 300;
    const nest = (row: string) =>
      `<center><table bgcolor="#fff" onload="x()"><tbody><tr><td>${'<div>'.repeat(30)}<table><tbody>${`<tr>${row}</tr>`.repeat(rows)}` +
      `</tbody></table>tail${'</div>'.repeat(30)}</td></tr></tbody></table></center>`;

    test('gives every element the same result and place as in one piece', async () => {
      const { html } = await sanitize(nest(block));
      const kept = nest(cleanBlock).replace(' onload="x()"', '');
      expect(html).toBe(`<div class="mail-body">${kept}</div>`);
      expect(await page.evaluate(text => window.sanitizeInSlices(text), nest(block))).toMatchObject({ html });
    });

    test('pauses often, with the policy closed, and ends when aborted', async () => {
      const { pauses } = await page.evaluate(text => window.sanitizeInSlices(text), nest(block));
      expect(pauses).toBeGreaterThan(rows / 20);
      const ended = await page.evaluate(text => window.sanitizeInSlices(text, 4), nest(block));
      expect(ended).toEqual({ html: 'Ended', pauses: 4 });
    });

    test('never splits a dropped element; its content is handled as before', async () => {
      const { html } = await sanitize(
        `<object>${'<p>lost</p>'.repeat(200)}</object><form>${'<p>x</p>'.repeat(200)}</form>`,
      );
      expect(html).toBe(`<div class="mail-body">${'<p>x</p>'.repeat(200)}</div>`);
    });
  });

  test('sanitizes a megabyte and endless nesting in seconds', async () => {
    for (const html of [
      '<p style="color:red">word <b>bold</b> <a href="https://a.example">link</a></p>'.repeat(12_000),
      '<div>'.repeat(50_000),
      `<style>${'.a{color:red}'.repeat(30_000)}</style>x`,
      '<a '.repeat(100_000),
      'https://a.example '.repeat(60_000),
      `<p style="${'('.repeat(100_000)}">x</p>`,
    ]) {
      const start = performance.now();
      await sanitize(html);
      expect(performance.now() - start).toBeLessThan(30_000);
    }
  });
});
