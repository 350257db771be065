// Reading: files previewed and saved, quotations collapsed, mail in dark mode, wide mail on a
// phone, printing, unsubscribing from a list, links. docs/acceptance.md 36, 38, 39, 40, 41, 42, 66,
// 67, docs/interface.md#attachments.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { openMail } from './support/people.ts';
import { brokenPdf, pixelPng, twoPagePdf } from './support/sample-files.ts';
import { useStory } from './support/story.ts';

const to = 'alice@keyfold.test';
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const newsletter = `<table width="600" style="background:#f4efe6"><tr><td style="padding:20px;width:560px">
<h1 style="color:#8a2b2b">Six hundred pixels</h1><p style="color:#444444">Coloured words.</p>
<a id="odd" href="https://evil.example/login?utm_source=x">www.bank.example</a></td></tr></table>`;

describe.skipIf(chromiumPath === null)('the reader (needs Chromium)', () => {
  const story = useStory();
  let page: Page;

  beforeAll(async () => {
    ({ page } = story);
    // The unusual senders below would be filed as spam, and this test is about reading them.
    const status = await page.evaluate(async () => {
      const settings = {
        spam_filters: { enabled: false, sensitivity: 'medium', custom_rules: [] },
        whitelist: [],
        blacklist: [],
      };
      const answer = await fetch('/user/security/settings', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(settings),
      });
      return answer.status;
    });
    expect(status).toBe(200);
    await sendFromOutside(
      story.product.smtpPort,
      {
        to,
        subject: 'Files of all kinds',
        html: '<p>See the files.</p><img id="inside" src="cid:dot">',
        files: [
          { name: 'dot.png', type: 'image/png', bytes: pixelPng, contentId: 'dot' },
          { name: 'photo.png', type: 'image/png', bytes: pixelPng },
          { name: 'plan.pdf', type: 'application/pdf', bytes: twoPagePdf },
          { name: 'broken.pdf', type: 'application/pdf', bytes: brokenPdf },
          { name: 'notes.txt', type: 'text/plain', bytes: utf8(`Größe\n${'word '.repeat(20_000)}`) },
          { name: 'drawing.svg', type: 'image/svg+xml', bytes: utf8('<svg onload="document.title=1"/>') },
          { name: 'drawing.svg', type: 'application/zip', bytes: utf8('PK') },
        ],
      },
      { to, subject: 'Newsletter', html: newsletter },
      {
        to,
        subject: 'Re: Walk',
        html: '<p>Yes, gladly.</p><div>On Mon, 2 Mar 2026 at 10:00 Alice wrote:</div><blockquote type="cite"><p>Shall we walk?</p></blockquote>',
      },
      {
        to,
        subject: 'List mail',
        text: 'News.\n\nSee https://shop.example/a?id=7&utm_source=mail',
        from: { name: 'boss@keyfold.test', address: 'x@lists.example' },
        fields: [
          'List-Unsubscribe: <mailto:leave@lists.example?subject=leave>',
          'Reply-To: y@elsewhere.example',
        ],
      },
    );
  });

  const frame = () => page.frameLocator('iframe[title="Message body"]');
  const dialog = () => page.getByRole('dialog');

  test('inline images appear in the text and the other files in the attachment list', async () => {
    await openMail(page, 'Files of all kinds');
    await expect
      .poll(() =>
        frame()
          .locator('#inside')
          .evaluate(image => (image as HTMLImageElement).naturalWidth),
      )
      .toBe(8);
    const names = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');
    await expect.poll(() => names.count()).toBe(6);
    await page.getByText(/^6 attachments, /).waitFor();
  });

  test('image, PDF and text files can be previewed one after another with the keyboard', async () => {
    const card = page.getByRole('button', { name: 'Preview photo.png' });
    await card.focus();
    await page.keyboard.press('Enter');
    await dialog().getByRole('img', { name: 'photo.png' }).waitFor();
    await dialog().getByText('1 of 5').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog().getByText('Page 1 of 2').waitFor();
    // The page was rendered: not all of it is white.
    const first = dialog().getByRole('img', { name: 'Page 1' });
    await expect
      .poll(() =>
        first.evaluate(element => {
          const canvas = element as HTMLCanvasElement;
          if (canvas.width === 0) return 0;
          const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
            data: [],
          };
          return Array.from(data).filter((value, index) => index % 4 === 0 && value < 100).length;
        }),
      )
      .toBeGreaterThan(50);
    await page.keyboard.press('+');
    await dialog().getByText('125 %').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog().getByText('This PDF is damaged and can’t be shown.').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog().getByText('Größe').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog().getByText('<svg onload=').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await expect.poll(() => card.evaluate(element => element === document.activeElement)).toBe(true);
    await expect.poll(() => page.title()).toMatch(/Keyfold$/);
  });

  test('Save all saves every file in one archive that another program opens', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save all' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Files of all kinds.zip');
    const script =
      'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nprint("|".join(z.namelist()))';
    const names = execFileSync('python3', ['-c', script, await download.path()], { encoding: 'utf8' });
    expect(names.trim()).toBe('photo.png|plan.pdf|broken.pdf|notes.txt|drawing.svg|drawing (2).svg');
    const [one] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save plan.pdf' }).click(),
    ]);
    expect(readFileSync(await one.path())).toEqual(Buffer.from(twoPagePdf));
  });

  test('the quoted message is collapsed and expands without a script', async () => {
    await openMail(page, 'Re: Walk');
    await frame().getByText('Yes, gladly.').waitFor();
    // The text uses the program's font, which the policy allows only the page to fetch.
    await expect
      .poll(() =>
        frame()
          .locator('body')
          .evaluate(({ ownerDocument }) => [...ownerDocument.fonts].map(({ status }) => status)),
      )
      .toEqual(['loaded']);
    await expect.poll(() => frame().getByText('Shall we walk?').isVisible()).toBe(false);
    await frame().locator('summary').click();
    await frame().getByText('Shall we walk?').waitFor();
    await expect.poll(() => frame().getByText('Alice wrote:').isVisible()).toBe(true);
  });

  test('in dark mode, colored mail keeps its own colors until it is recolored', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await openMail(page, 'Newsletter');
    const words = frame().getByText('Coloured words.');
    await words.waitFor();
    const ground = () =>
      frame()
        .locator('table')
        .first()
        .evaluate(element => getComputedStyle(element).backgroundColor);
    await expect.poll(() => ground()).toBe('rgb(244, 239, 230)');
    await page.getByRole('button', { name: 'Use dark colors' }).click();
    await expect.poll(async () => Number(/\d+/.exec(await ground())?.[0])).toBeLessThan(80);
    const light = await words.evaluate(element => getComputedStyle(element).color);
    expect(Number(/\d+/.exec(light)?.[0])).toBeGreaterThan(110);
    await expect
      .poll(() =>
        frame()
          .locator('html')
          .evaluate(element => getComputedStyle(element).filter),
      )
      .toBe('none');
    // The choice applies to the sender, on this page and after a reload.
    await expect
      .poll(() =>
        page.evaluate(async () => {
          const answer = await fetch('/user/records?kind=setting');
          return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
        }),
      )
      .toContain('sender-choices');
    await page.reload();
    await page.getByRole('button', { name: 'Show original colors' }).waitFor();
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('mail wider than a phone is scaled to fit', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await frame().getByText('Coloured words.').waitFor();
    const fits = () =>
      frame()
        .locator('html')
        .evaluate(element => element.scrollWidth <= element.clientWidth + 4);
    await expect.poll(fits).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect
      .poll(() =>
        frame()
          .locator('body')
          .evaluate(body => body.style.zoom),
      )
      .toBe('');
  });

  test('a link whose text names another site shows a warning on the link page', async () => {
    const opened = page.context().waitForEvent('page');
    await frame().getByText('www.bank.example').focus();
    await page.keyboard.press('Enter');
    const link = await opened;
    await link.getByText(/The text says bank\.example/).waitFor();
    expect(new URLSearchParams(new URL(link.url()).hash.slice(1)).get('url')).toBe(
      'https://evil.example/login?utm_source=x',
    );
    await link.goto(
      `${story.product.baseUrl}/link?url=${encodeURIComponent('https://shop.example/a?id=7&utm_source=x')}`,
    );
    await link.getByRole('heading', { name: 'Without tracking' }).waitFor();
    await link.getByText('https://shop.example/a?id=7', { exact: true }).waitFor();
    await link.goto(`${story.product.baseUrl}/link`);
    await link.getByText('No link provided').waitFor();
    await link.close();
  });

  test('unsubscribing from a list sends a message, and suspicious senders are named', async () => {
    await openMail(page, 'List mail');
    await page
      .getByText('The name says boss@keyfold.test, but the message is from x@lists.example.')
      .waitFor();
    await page.getByText(/Your reply would go to y@elsewhere\.example/).waitFor();
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    const question = page.getByRole('alertdialog', { name: 'Unsubscribe?' });
    await question.getByText('This sends a message to leave@lists.example.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await question.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('Unsubscribe request sent to leave@lists.example.').waitFor();
    expect(await page.getByRole('button', { name: 'Save and close' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Sent' }).click();
    await page.getByRole('link', { name: /^leave@lists\.example, leave/ }).waitFor();
    await page.getByRole('link', { name: /^Inbox/ }).click();
  });

  test('a printout shows only people, date, subject and text on a white background', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await openMail(page, 'Newsletter');
    await frame().getByText('Coloured words.').waitFor();
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    const printed = page.frameLocator('iframe[data-print="messages"]');
    await expect
      .poll(() => printed.locator('dt').allTextContents())
      .toEqual(['From', 'To', 'Date', 'Subject']);
    await printed.getByText('Coloured words.').waitFor({ state: 'attached' });
    const looks = await printed.locator('html').evaluate(html => ({
      ground: getComputedStyle(html).backgroundColor,
      ink: getComputedStyle(html).color,
      link: getComputedStyle(html.querySelector('#odd') as Element, '::after').content,
    }));
    expect(looks).toEqual({
      ground: 'rgb(255, 255, 255)',
      ink: 'rgb(0, 0, 0)',
      link: expect.stringContaining('evil.example') as string,
    });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('the page reports no policy violation and no error', () => {
    // Message caused by the test tool, not the product: the listeners that Playwright puts into a
    // frame to aim its clicks may not run in this sandbox. Clicks sent without them, by plain CDP,
    // leave the console silent.
    const isSandbox = (problem: string) => problem.startsWith('console: Blocked script execution in');
    expect(story.person.problems.filter(problem => !isSandbox(problem))).toEqual([]);
  });
});
