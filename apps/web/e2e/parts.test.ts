// The components in a real browser under the policy the product ships with: no policy violation, no
// console error, no axe defect, in both themes and at both widths. Then the behavior that only a
// browser can show.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from './harness/open-browser.ts';
import { type HarnessServer, serveHarness } from './harness/serve-harness.ts';
import { findDefects } from './support/axe.ts';

const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 }, locale: 'en-GB' };
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  locale: 'en-GB',
};

let server: HarnessServer;
let browser: Browser;

type Opened = { readonly page: Page; readonly problems: string[] };

async function openBlank(options: BrowserContextOptions): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(error.message));
  page.on('console', message => {
    // The browser requests /favicon.ico by itself.
    if (message.type() === 'error' && !message.location().url.endsWith('favicon.ico'))
      problems.push(message.text());
  });
  return { page, problems };
}

/** Shows a view; resolves when it is rendered with its fonts and lazy content and nothing moves. */
async function show({ page }: Opened, query: string): Promise<void> {
  await page.goto(`${server.url}?${query}`, { waitUntil: 'networkidle' });
  await page.waitForSelector('#root > *');
  await page.evaluate(async () => {
    await document.fonts.ready;
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });
}

async function open(query: string, options: BrowserContextOptions = desktop): Promise<Opened> {
  const opened = await openBlank(options);
  await show(opened, query);
  return opened;
}

describe.skipIf(chromiumPath === null)('the components in Chromium', () => {
  beforeAll(async () => {
    [server, browser] = await Promise.all([serveHarness(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  // Views that screens.test.ts reaches in the product are checked there.
  const views = [
    'failed&select&read',
    'compose&cc',
    'state=loading',
    'state=error',
    'view=signin&code',
    'view=keys',
  ];
  const looks = [
    ['light', desktop],
    ['dark', phone],
  ] as const;
  const eyes = new Map<string, Opened>();
  for (const view of views) {
    test(`"${view}" has no defects in both themes and at both widths`, async () => {
      for (const [theme, options] of looks) {
        // One browser window serves all views of a theme and width, because opening a window takes
        // longer than a view.
        const eye = eyes.get(theme) ?? (await openBlank(options));
        eyes.set(theme, eye);
        const { page, problems } = eye;
        problems.length = 0;
        await show(eye, `${view}&theme=${theme}`);
        const where = `${view} ${theme} ${options.viewport?.width}`;
        const defects = await findDefects(page);
        expect({ where, problems, defects }).toEqual({ where, problems: [], defects: [] });
        const sideways = await page.evaluate(() =>
          [...document.querySelectorAll('html, #root *')]
            .filter(element => element.scrollWidth > element.clientWidth + 1)
            .filter(element => element.matches('html') || getComputedStyle(element).overflowX === 'auto')
            .map(element => element.className),
        );
        expect(sideways, `${where} scrolls sideways`).toEqual([]);
      }
    });
  }

  test('a long list keeps under 40 rows in the page and j moves the focus', async () => {
    const { page } = await open('');
    for (let step = 0; step < 30; step++) await page.keyboard.press('j');
    const focused = (name: string) =>
      page.evaluate(which => document.activeElement?.closest('li')?.getAttribute(which), name);
    await expect.poll(() => focused('data-index')).toBe('30');
    await expect.poll(() => page.locator('li[data-index]').count()).toBeLessThan(40);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused('aria-posinset')).toBe('32');
    await page.context().close();
  });

  test('a message body keeps its inline styles, and its links lead to the link page', async () => {
    const { page, problems } = await open('letter&read');
    const frame = page.frames().find(inner => inner.url().includes('message-frame.html'));
    expect(await frame?.locator('h1').evaluate(element => getComputedStyle(element).color)).toBe(
      'rgb(138, 43, 43)',
    );
    const plain = await open('read');
    const opened = plain.page.context().waitForEvent('page');
    await plain.page.frameLocator('iframe').getByRole('link', { name: 'today' }).click();
    expect((await opened).url()).toContain('/link#url=https%3A%2F%2Fhotel.example%2Frooms%3Fid%3D1');
    expect([...problems, ...plain.problems]).toEqual([]);
    await page.context().close();
    await plain.page.context().close();
  });

  test('a plain toast disappears after three seconds, stays while hovered, and can be dismissed', async () => {
    const opened = await openBlank(desktop);
    const { page } = opened;
    await page.clock.install();
    await show(opened, 'danger');
    const toast = page.getByText('Failed to connect to the server', { exact: true });
    await toast.hover();
    await page.clock.runFor(3_500);
    await expect.poll(() => toast.isVisible()).toBe(true);
    await page.mouse.move(10, 10);
    await page.clock.runFor(3_000);
    await toast.waitFor({ state: 'detached' });
    await page.context().close();
    const second = await open('danger');
    await second.page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => second.page.getByRole('button', { name: 'Dismiss' }).count()).toBe(0);
    await second.page.context().close();
  });

  test('the list width can be changed with the keyboard and survives a reload', async () => {
    const { page } = await open('');
    const handle = page.getByRole('separator', { name: 'List width' });
    await handle.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => handle.getAttribute('aria-valuenow')).toBe('320');
    await page.keyboard.press('ArrowRight');
    await page.reload();
    await page.waitForSelector('[role=separator]');
    await expect.poll(() => handle.getAttribute('aria-valuenow')).toBe('336');
    await page.context().close();
  });

  test('typed recipients become chips, and Backspace removes the last one', async () => {
    const { page } = await open('compose');
    const input = page.getByRole('combobox', { name: 'To: add recipient' });
    await input.click();
    await page.keyboard.type('new@x.example,');
    await page.getByText('new@x.example').first().waitFor();
    await page.keyboard.type('nadia');
    await page.getByRole('option', { name: /Nadia Rahman/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Nadia Rahman' }).waitFor();
    await page.keyboard.press('Backspace');
    await expect.poll(() => page.getByRole('button', { name: 'Remove Nadia Rahman' }).count()).toBe(0);
    await page.keyboard.type('nonsense');
    await page.keyboard.press('Tab');
    await page.getByText('Not an address').first().waitFor({ state: 'attached' });
    await page.context().close();
  });

  test('the compose window keeps its bars in view with many recipients and files', async () => {
    for (const options of [desktop, phone]) {
      const { page } = await open('compose&cc&many', options);
      for (const name of ['Save and close', /^Send/, 'Discard draft'])
        await expect.poll(() => page.getByRole('button', { name }).first().isVisible()).toBe(true);
      const discard = await page.getByRole('button', { name: 'Discard draft' }).boundingBox();
      expect((discard?.y ?? 0) + (discard?.height ?? 0)).toBeLessThanOrEqual(options.viewport?.height ?? 0);
      await page.getByRole('textbox', { name: 'Message' }).scrollIntoViewIfNeeded();
      await expect
        .poll(async () => (await page.getByRole('textbox', { name: 'Message' }).boundingBox())?.height)
        .toBeGreaterThan(80);
      await page.context().close();
    }
  });

  test('a chip and its menu move the focus to the field, to the next chip or back to the chip', async () => {
    const { page } = await open('compose');
    const people = page.getByRole('list', { name: 'To', exact: true });
    const chip = (name: string) => people.getByRole('button', { name: new RegExp(`^${name}`) });
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        return element instanceof HTMLInputElement
          ? element.value.slice(element.selectionStart ?? 0, element.selectionEnd ?? 0)
          : element?.textContent;
      });
    const choose = async (name: string, entry: string) => {
      await chip(name).press('Enter');
      await page.getByRole('menuitem', { name: entry }).press('Enter');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await chip('Tomasz Wilk').press('Enter');
    await page.getByRole('menuitem', { name: 'Copy address' }).press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await expect.poll(focused).toMatch(/^Tomasz Wilk/);
    await choose('Tomasz Wilk', 'Remove');
    await expect.poll(focused).toMatch(/^Karl Office/);
    await page.keyboard.press('Delete');
    await expect.poll(focused).toMatch(/^Ines Almeida/);
    await choose('Ines Almeida', 'Edit');
    await expect.poll(focused).toBe('Ines Almeida <ines@harborlight.example>');
    // Typed text replaces the selection.
    await page.keyboard.type('new@x.example,');
    await page.getByRole('button', { name: 'Remove new@x.example' }).click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('To: add recipient');
    await page.context().close();
  });

  test('a menu opens by click or key, closes on Esc, and returns the focus', async () => {
    const { page, problems } = await open('');
    const filter = page.getByRole('button', { name: 'Filter' });
    await filter.click();
    await page.getByRole('menuitemcheckbox', { name: 'Unread' }).waitFor();
    // A click anywhere else, including its own button, only closes it.
    await filter.click({ force: true });
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await filter.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    const chosen = page.getByRole('button', { name: /^Filter: / });
    await chosen.waitFor();
    await page.waitForFunction(() =>
      document.activeElement?.getAttribute('aria-label')?.startsWith('Filter'),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.waitForFunction(() =>
      document.activeElement?.getAttribute('aria-label')?.startsWith('Filter'),
    );
    expect(problems).toEqual([]);
    await page.context().close();
  });

  test('a tooltip names the hovered control and closes on Esc', async () => {
    const { page } = await open('');
    await page.getByRole('button', { name: 'Refresh' }).hover();
    const tip = page.getByRole('tooltip');
    await tip.waitFor();
    await expect.poll(() => tip.textContent()).toBe('Refresh');
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('the theme is dark from the start on a dark system and follows system changes live', async () => {
    const { page } = await open('', { ...desktop, colorScheme: 'dark' });
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
    await page.context().close();
  });
});
