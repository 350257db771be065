// Notifications of the browser (Spec §3, notification preferences; ux, Settings): allowed by a press, of mail that comes
// while nobody looks, by the sender's name and never with a word of the letter, by what was chosen and not in quiet hours.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { findDefects } from './support/axe.ts';
import type { Person } from './support/browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { startStory } from './support/story.ts';

const to = 'alice@keyfold.test';

type Shown = { title: string; body: string; tag: string };
type Stage = { shown: Shown[]; hides: boolean; press: ((at: number) => void) | null };

describe.skipIf(chromiumPath === null)('notifications (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  let page: Page;

  beforeAll(async () => {
    ({ product, browser, person, page } = await startStory());
    // A screen without a system behind it shows nothing: the page's notifications are written down, its looks are set.
    await person.context.addInitScript(() => {
      const stage: Stage = { shown: [], hides: false, press: null };
      const made: EventTarget[] = [];
      class Written extends EventTarget {
        static permission = sessionStorage.getItem('allowed') ?? 'default';
        static async requestPermission() {
          Written.permission = 'granted';
          sessionStorage.setItem('allowed', 'granted');
          return Written.permission;
        }
        constructor(title: string, { body, tag }: { body: string; tag: string }) {
          super();
          stage.shown.push({ title, body, tag });
          made.push(this);
        }
        close() {}
      }
      stage.press = at => made[at]?.dispatchEvent(new Event('click'));
      Object.assign(window, { Notification: Written, stage });
      Object.defineProperty(Document.prototype, 'visibilityState', {
        get: () => (stage.hides ? 'hidden' : 'visible'),
      });
    });
    await page.goto(`${product.baseUrl}/app/config/notifications`);
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  const shown = () =>
    page.evaluate(() =>
      (window as unknown as { stage: Stage }).stage.shown.map(one => `${one.title}: ${one.body}`),
    );
  const hide = (hides: boolean) =>
    page.evaluate(isHidden => {
      (window as unknown as { stage: Stage }).stage.hides = isHidden;
      document.dispatchEvent(new Event('visibilitychange'));
    }, hides);
  const option = (name: string) => page.getByRole('switch', { name });
  const arrive = (subject: string, name: string, reader = to) =>
    sendFromOutside(product.smtpPort, {
      to: reader,
      subject,
      text: 'Secret words.',
      from: { name, address: `${name.toLowerCase()}@kitchen.test` },
    });

  test('nothing can be chosen before the browser allows it, and a test shows one', async () => {
    await expect.poll(() => option('New mail').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Allow notifications' }).click();
    for (const name of ['New mail', 'Mentions', 'Security']) {
      await expect.poll(() => option(name).isDisabled()).toBe(false);
      await expect.poll(() => option(name).isChecked()).toBe(true);
    }
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect.poll(shown).toEqual(['Keyfold: This is how a notification looks.']);
    expect(await findDefects(page)).toEqual([]);
  });

  test('the page is found by what stands on it', async () => {
    await page.goto(`${product.baseUrl}/app/config/account`);
    const search = page.getByRole('searchbox', { name: 'Search settings' });
    await search.fill('nothing like it');
    await page.getByText('No page has this').waitFor();
    await search.fill('quiet');
    const pages = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    await expect.poll(() => pages.allTextContents()).toEqual(['Notifications']);
    await search.press('Enter');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    expect(await findDefects(page)).toEqual([]);
  });

  test('mail that comes while nobody looks is told of by its sender alone, and a press opens it', async () => {
    await page.goto(`${product.baseUrl}/app/inbox/recieved/0`);
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    await hide(true);
    await arrive('A canary subject', 'Zoe');
    await expect.poll(shown).toEqual(['Zoe: New message']);
    await hide(false);
    await page.evaluate(() => (window as unknown as { stage: Stage }).stage.press?.(0));
    await page.getByText('Secret words.').last().waitFor();
  });

  test('mail that comes before one’s eyes is not told of', async () => {
    await page.bringToFront();
    await arrive('Seen at once', 'Yan');
    await page.getByText('Seen at once').first().waitFor();
    await expect.poll(() => shown()).toHaveLength(1);
  });

  test('quiet hours show nothing, and choices are kept', async () => {
    await page.goto(`${product.baseUrl}/app/config/notifications`);
    await option('Quiet hours').click();
    await page.getByLabel('Quiet from').fill('00:00');
    await page.getByLabel('Quiet until').fill('23:59');
    await option('Mentions').click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findDefects(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => page.getByLabel('Quiet until').inputValue()).toBe('23:59');
    await expect.poll(() => option('Mentions').isChecked()).toBe(false);
    await hide(true);
    const asked = page.waitForResponse(response => response.url().includes('/user/check_new'));
    await arrive('In the night', 'Xaver');
    await asked;
    await expect.poll(() => shown()).toEqual([]);
    await hide(false);
    expect(person.problems).toEqual([]);
  });
});
