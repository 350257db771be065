// Tests in a real layout engine which part of an HTML message is collapsed. The page contains only
// the function, without the product.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'keyfold-quotes-'));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      lib: {
        entry: join(import.meta.dirname, '../src/features/mail/frame/frame-quotes.ts'),
        formats: ['iife'],
        name: 'quotes',
        fileName: () => 'quotes.js',
      },
    },
  });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' });
  page = await browser.newPage();
  await page.addScriptTag({ content: await readFile(join(outDir, 'quotes.js'), 'utf8') });
  await rm(outDir, { recursive: true, force: true });
});
afterAll(async () => {
  await browser?.close();
});

/** Returns the text of a message, with the collapsed parts in braces. */
const fold = (html: string): Promise<string> =>
  page.evaluate(text => {
    document.body.innerHTML = `<div class="mail-body">${text}</div>`;
    const { quotes } = window as unknown as { quotes: { foldQuotes(root: Element, label: string): void } };
    quotes.foldQuotes(document.body, 'Quoted text');
    for (const folded of document.querySelectorAll('details.kf-quote')) {
      folded.querySelector('summary')?.remove();
      folded.prepend('{');
      folded.append('}');
    }
    return (document.body.textContent ?? '').replace(/\s+/g, ' ').trim();
  }, html);

function outlook(labels: string, date = 'Montag, 2. März 2026 10:00') {
  const [from, sent, to, subject] = labels.split('|');
  return `<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>${from}:</b> Ines &lt;ines@a.example&gt;<br><b>${sent}:</b> ${date}<br><b>${to}:</b> Mara<br><b>${subject}:</b> Lake</p></div>`;
}

test.each([
  [
    'Gmail',
    '<div class="gmail_quote"><div class="gmail_attr">On 2 Mar Ines wrote:</div><blockquote class="gmail_quote">Lake?</blockquote></div>',
  ],
  [
    'Apple Mail',
    '<br><blockquote type="cite"><div>On 2 Mar 2026, at 10:00, Ines &lt;i@a.example&gt; wrote:</div><br>Lake?</blockquote>',
  ],
  [
    'Thunderbird',
    '<div class="moz-cite-prefix">Am 02.03.26 um 10:00 schrieb Ines:<br></div><blockquote type="cite">Lake?</blockquote>',
  ],
  [
    'Yahoo',
    '<div class="yahoo_quoted"><div>On Monday, March 2, 2026, Ines &lt;i@a.example&gt; wrote:</div><div>Lake?</div></div>',
  ],
  [
    'Proton',
    '<div class="protonmail_quote">On Monday 2 March Ines &lt;i@a.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">Lake?</blockquote></div>',
  ],
  [
    'Outlook on the web',
    `<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Ines<br><b>Sent:</b> 2 March<br><b>Subject:</b> Lake</div><div>Lake?</div>`,
  ],
  ['Outlook (de)', `${outlook('Von|Gesendet|An|Betreff')}<p>Lake?</p>`],
  ['Outlook (ja)', `${outlook('差出人|送信日時|宛先|件名', '2026年3月2日')}<p>Lake?</p>`],
  ['Outlook (pl)', `<div>${outlook('Od|Wysłano|Do|Temat')}<p>Lake?</p></div>`],
  [
    'labels one by one',
    '<div>From: Ines &lt;i@a.example&gt;</div><div>Sent: 2 March 2026</div><div>To: Mara</div><div>Subject: Lake</div><div><br></div><div>Lake?</div>',
  ],
  ['a bare blockquote', 'Le 02/03/2026 à 10:00, Ines a écrit :<br><blockquote>Lake?</blockquote>'],
  [
    'a blockquote in a box',
    '<p>pon., 2 mar 2026 o 10:00 Ines &lt;i@a.example&gt; napisał(a):</p><div><blockquote>Lake?</blockquote></div>',
  ],
  ['a line between dashes', '<div>------------------ 原始邮件 ------------------</div><div>Lake?</div>'],
])('the quoted message is folded in the format of %s', async (_, html) => {
  expect(await fold(`<div>Yes.</div>${html}`)).toMatch(/^Yes\. ?\{[^{}]+Lake\? ?\}$/u);
});

test('replies inside a quotation box stay visible', async () => {
  for (const box of ['gmail_quote', 'protonmail_quote'])
    expect(
      await fold(
        `<div>Below.</div><div class="${box}">On 2 Mar 2026 Ines wrote:<br><blockquote type="cite">Lake?</blockquote><div>Gladly.</div><blockquote type="cite">When?</blockquote><div>In May.</div></div>`,
      ),
    ).not.toContain('{');
  expect(
    await fold(
      '<div class="gmail_quote"><div class="gmail_attr">On 2 Mar Ines wrote:</div><blockquote class="gmail_quote">Lake?<blockquote>Walk?</blockquote></blockquote>Gladly.<blockquote class="gmail_quote">Old</blockquote></div>',
    ),
  ).toBe('On 2 Mar Ines wrote:Lake?Walk?Gladly.{Old}');
  const lined = (words: string) => `<div style="border:none;border-left:solid blue 1.5pt">${words}</div>`;
  expect(
    await fold(
      `<p>Below.</p>${lined(`${outlook('From|Sent|To|Subject')}<p>Lake?</p>`)}<p>Yes.</p>${lined('When?')}<p>Now.</p>`,
    ),
  ).not.toContain('{');
});

test('a footer below a quotation does not prevent folding', async () => {
  const quote = '<div>On 2 Mar 2026 Ines wrote:</div><blockquote type="cite">Lake?</blockquote>';
  for (const footer of [
    '<p></p>-- <br>You received this message because you subscribed.<br>',
    '<div>_______________________________________________<br>lake mailing list<br>lake@lists.example</div>',
    '<hr><p>To leave: <a href="#">https://lists.example/leave</a></p>',
    '<div class="gmail_signature">Mara</div>',
  ])
    expect(await fold(`<div>Yes.</div>${quote}${footer}`), footer).toMatch(
      /^Yes\.\{On 2 Mar 2026 Ines wrote:Lake\?\}/,
    );
  expect(await fold(`<div>Yes.</div>${quote}<p>And bring the boat.</p>`)).not.toContain('{');
});

test('prose, forwards and messages that are only a quotation are not folded', async () => {
  for (const html of [
    '<p>I need a car.</p><p>From: Berlin<br>Date: 12 May<br>To: Paris</p><p>Please book it.</p>',
    '<p>See.</p><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Ines</div>Lake?</div>',
    '<div class="gmail_quote"><blockquote class="gmail_quote">Lake?</blockquote></div>',
    '<p>A proverb:</p><blockquote>Still waters run deep.</blockquote>',
  ])
    expect(await fold(html), html).not.toContain('{');
});
