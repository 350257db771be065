// Dialogs return focus (docs/interface.md#accessibility): every dialog that a button or a settings
// menu opens is opened by key and closed by Esc, and focus is then on the button again.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { useStory } from './support/story.ts';

/** Buttons that act immediately, leave the page, or end the session. */
const acts =
  /sign out|log out|download|copy|refresh|create code|start|export|import|upgrade|subscribe|test|check again|allow|enable|install|try again|reload/i;
/** Maximum time for a dialog to appear; some are separate chunks. */
const WINDOW_MS = 1_500;
/** Fewer dialogs would mean that the test no longer finds them. */
const LEAST_WINDOWS = 5;

describe.skipIf(chromiumPath === null)('the focus after a dialog closes (needs Chromium)', () => {
  const story = useStory();

  const windows = (page: Page) => page.locator('[role=dialog]:visible, [role=alertdialog]:visible');
  const opens = (page: Page) =>
    windows(page)
      .first()
      .waitFor({ timeout: WINDOW_MS })
      .then(
        () => true,
        () => false,
      );
  /** Closes the open dialog; returns a description of the focused element. */
  const closeAndLook = async (page: Page, opener: Locator): Promise<string> => {
    await page.keyboard.press('Escape');
    await windows(page).first().waitFor({ state: 'detached' });
    const element = await opener.elementHandle();
    const isBack = () => page.evaluate(wanted => document.activeElement === wanted, element);
    for (let tries = 0; tries < 10; tries += 1) {
      if (await isBack()) return 'back';
      await page.waitForTimeout(50);
    }
    return page.evaluate(() => document.activeElement?.outerHTML.slice(0, 80) ?? 'nothing');
  };

  test('returns to its opener on every settings and security page', { timeout: 240_000 }, async () => {
    const { page, product } = story;
    const lost: string[] = [];
    let found = 0;
    await page.goto(`${product.baseUrl}/app/config/account`);
    await page.getByRole('navigation').first().waitFor();
    const paths = await page
      .locator('a[href^="/app/config/"], a[href^="/app/security"]')
      .evaluateAll(links => [...new Set(links.map(link => link.getAttribute('href') ?? ''))]);
    expect(paths.length).toBeGreaterThan(8);
    for (const path of paths) {
      await page.goto(`${product.baseUrl}${path}`);
      await page.getByRole('heading').first().waitFor();
      await page.waitForLoadState('networkidle');
      const buttons = page.locator('main button:visible:not([aria-haspopup]):not([role]):enabled');
      const names = await buttons.evaluateAll(all =>
        all.map(one => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim()),
      );
      for (const [index, name] of names.entries()) {
        if (name === '' || acts.test(name)) continue;
        const button = buttons.nth(index);
        if ((await button.count()) === 0) break;
        await button.focus();
        await page.keyboard.press('Enter');
        if (!(await opens(page))) {
          await page.goto(`${product.baseUrl}${path}`);
          await page.getByRole('heading').first().waitFor();
          await page.waitForLoadState('networkidle');
          continue;
        }
        found += 1;
        const place = await closeAndLook(page, button);
        if (place !== 'back') lost.push(`${path} ${name}: ${place}`);
      }
    }
    process.stdout.write(`${found} windows on ${paths.length} pages\n`);
    expect(lost).toEqual([]);
    expect(found).toBeGreaterThanOrEqual(LEAST_WINDOWS);
  });

  test('returns to the menu button that opened it', async () => {
    const { page, product } = story;
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await page.getByRole('button', { name: 'Compose' }).first().click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    const composer = page.getByRole('dialog').first();
    for (const [opener, entry, title] of [
      ['Schedule sending', 'Pick date and time', 'Send later'],
      ['More options', 'Templates', 'Templates'],
    ] as const) {
      const button = composer.getByRole('button', { name: opener, exact: true });
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: entry }).focus();
      await page.keyboard.press('Enter');
      const opened = page.getByRole('dialog', { name: title });
      await opened.waitFor();
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
      await expect.poll(() => button.evaluate(one => one === document.activeElement)).toBe(true);
    }
  });
});
