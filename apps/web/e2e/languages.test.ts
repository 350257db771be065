// The screens in other languages and at other sizes (docs/interface.md#languages;
// docs/acceptance.md 10, 70, 71, 72, 73, 74): German for its length, Arabic for its direction, 200
// % and 400 % zoom, reduced motion, forced colors. Set KEYFOLD_PICTURES to a folder to save the
// screenshots.
import type { Product } from '@keyfold/testing/product';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { join } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import { openPerson, type Person } from './support/browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail } from './support/people.ts';
import { startProduct } from './support/story.ts';

const inbox = '/app/inbox/recieved/0';
const pictures = process.env.KEYFOLD_PICTURES;
const longSubject =
  'The quarterly figures of the harbour, and what they mean for the plans of next spring and summer';

const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 } };
const phone: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

/**
 * Returns elements whose content overflows, buttons with truncated text, and the page itself when
 * it scrolls sideways.
 */
const findOverflow = (page: Page) =>
  page.evaluate(() => {
    const isCut = (element: Element) => element.scrollWidth > element.clientWidth + 1;
    const isShown = (element: Element) => element.getBoundingClientRect().width > 1;
    const cut = [...document.querySelectorAll('button, [role="button"], label, h1')]
      .filter(element => isShown(element) && isCut(element) && !element.matches('.truncate, [role="tab"]'))
      .map(element => `cut: ${element.textContent?.slice(0, 60)} ${element.className.slice(0, 60)}`);
    const sideways = [document.documentElement, ...document.querySelectorAll('#root *')]
      .filter(element => isCut(element) && isShown(element))
      .filter(element => element.matches('html') || /auto|scroll/.test(getComputedStyle(element).overflowX))
      .map(element => `sideways: ${element.tagName} ${element.className.slice(0, 80)}`);
    return [...cut, ...sideways];
  });

const firstRow = (page: Page) => page.locator('#list li[data-index] [data-row-focus]').first();

const screens: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  list: async page => void (await firstRow(page).waitFor()),
  reader: async page => {
    await firstRow(page).click();
    await page.getByRole('article').locator('section[data-message]').first().waitFor();
  },
  palette: async page => {
    await firstRow(page).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
  },
  sheet: async page => {
    await firstRow(page).focus();
    await page.keyboard.press('?');
    await page.getByRole('term').first().waitFor();
  },
  composer: async page => {
    await firstRow(page).focus();
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByRole('textbox').first().waitFor();
  },
};

describe.skipIf(chromiumPath === null)('other languages and screen sizes (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let state: Awaited<ReturnType<Person['context']['storageState']>>;

  beforeAll(async () => {
    ({ product, browser } = await startProduct());
    const person = await openPerson(browser);
    const { page, context } = person;
    await join(person, product.baseUrl, 'Alice Almeida', 'alice');
    await sendFromOutside(
      product.smtpPort,
      ...[longSubject, 'Besprechung am Freitag', 'موعد الاجتماع'].map((subject, index) => ({
        to: 'alice@keyfold.test',
        subject,
        text: `A letter with some words, number ${index + 1}.`,
        from: {
          name: 'Ines Almeida-Brandstetter of the Harbour Office',
          address: `ines${index}@harbour.test`,
        },
        ...(index === 0
          ? { file: { name: 'figures.txt', type: 'text/plain', bytes: new Uint8Array([65]) } }
          : {}),
      })),
    );
    await awaitMail(page, 'موعد الاجتماع');
    state = await context.storageState();
    await context.close();
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  const enter = async (language: string, options: BrowserContextOptions): Promise<Person> => {
    const person = await openPerson(browser, { storageState: state, ...options });
    await person.page.addInitScript(tag => localStorage.setItem('language', tag), language);
    return person;
  };
  const look = async (page: Page, name: string) => {
    if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
  };

  for (const [language, direction] of [
    ['de', 'ltr'],
    ['ar', 'rtl'],
    ['ja', 'ltr'],
  ] as const) {
    test(`${language}: every screen is translated and has no defects at both widths`, async () => {
      for (const [width, options] of [
        ['desktop', desktop],
        ['phone', phone],
      ] as const) {
        const { page, problems, context } = await enter(language, options);
        const defects: string[] = [];
        for (const [name, reach] of Object.entries(screens)) {
          await page.goto(product.baseUrl + inbox);
          await firstRow(page).waitFor();
          await reach(page);
          const where = `${language} ${width} ${name}`;
          await look(page, where.replaceAll(' ', '-'));
          // Checks one width per language: axe takes seconds, and both widths are checked in
          // English.
          const isLooked = (width === 'desktop') === (language === 'de');
          const found = isLooked ? await findDefects(page) : [];
          defects.push(...[...found, ...(await findOverflow(page))].map(one => `${where}: ${one}`));
        }
        expect(
          await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]),
        ).toEqual([language, direction]);
        expect(defects).toEqual([]);
        expect(problems).toEqual([]);
        await context.close();
      }
    });
  }

  test('the sign-in form uses the browser’s language from the first paint', async () => {
    for (const [locale, words] of [
      ['fr-CH', 'Se connecter'],
      ['es-MX', 'Iniciar sesión'],
      ['ja-JP', 'ログイン'],
      ['pt-PT', 'Entrar'],
      ['zh-CN', '登录'],
      ['sv-SE', 'Sign in'],
    ] as const) {
      const { page, context } = await openPerson(browser, { locale });
      await page.goto(`${product.baseUrl}/app/signin`);
      await page.getByRole('heading', { name: words }).waitFor();
      await context.close();
    }
  });

  test('in right-to-left layout an English subject starts visible, and the divider keys are mirrored', async () => {
    const { page, context } = await enter('ar', desktop);
    await page.goto(product.baseUrl + inbox);
    await firstRow(page).waitFor();
    const subject = page.getByText(longSubject).first();
    const [shape, row] = [await subject.boundingBox(), await page.locator('#list li').last().boundingBox()];
    expect(shape).not.toBeNull();
    const start = await subject.evaluate(element => {
      const range = document.createRange();
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
      if (text === null) return { left: -1 };
      range.setStart(text, 0);
      range.setEnd(text, 1);
      return { left: range.getBoundingClientRect().left };
    });
    expect(start.left).toBeGreaterThanOrEqual((row?.x ?? 0) - 1);
    const divider = page.getByRole('separator').last();
    await divider.focus();
    await page.keyboard.press('Home');
    const narrow = Number(await divider.getAttribute('aria-valuenow'));
    await page.keyboard.press('ArrowLeft');
    expect(Number(await divider.getAttribute('aria-valuenow'))).toBeGreaterThan(narrow);
    await context.close();
  });

  test('a row has one accessible sentence and its position in the whole list', async () => {
    const { page, context } = await enter('en', desktop);
    await page.goto(product.baseUrl + inbox);
    await firstRow(page).waitFor();
    const row = page.locator('#list li').filter({ hasText: longSubject });
    await expect
      .poll(() => row.getByRole('link').first().textContent())
      .toMatch(/^Unread\. Ines .*, The quarterly figures.*, \d.*, 1 attachment/);
    await expect.poll(() => row.getAttribute('aria-setsize')).toBe('3');
    await expect.poll(() => row.getAttribute('aria-posinset')).toBe('3');
    await context.close();
  });

  test('at 640 and 320 pixels nothing overflows sideways, and mail stays readable', async () => {
    const { page, context } = await enter('de', desktop);
    for (const [width, height] of [
      [640, 450],
      [320, 225],
      [320, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(product.baseUrl + inbox);
      await firstRow(page).waitFor();
      await expect.poll(() => findOverflow(page), { message: `list at ${width}` }).toEqual([]);
      await look(page, `zoom-${width}-${height}-list`);
      await firstRow(page).click();
      const message = page.getByRole('article').locator('section[data-message]').first();
      await message.scrollIntoViewIfNeeded();
      await expect.poll(() => findOverflow(page), { message: `reader at ${width}` }).toEqual([]);
      await look(page, `zoom-${width}-${height}-reader`);
    }
    await context.close();
  });

  test('reduced motion stops all animation, and forced colors keep an edge on every control', async () => {
    const { page, context } = await enter('en', {
      ...desktop,
      reducedMotion: 'reduce',
      forcedColors: 'active',
    });
    await page.goto(product.baseUrl + inbox);
    await firstRow(page).waitFor();
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter(element => {
          const { animationDuration, animationName, transitionDuration } = getComputedStyle(element);
          const longest = Math.max(...transitionDuration.split(',').map(Number.parseFloat));
          return longest > 0.01 || (animationName !== 'none' && Number.parseFloat(animationDuration) > 0.01);
        }).length,
    );
    expect(moving).toBe(0);
    await firstRow(page).focus();
    await page.keyboard.press('ArrowDown');
    const outline = await page.evaluate(
      () => getComputedStyle(document.activeElement as Element).outlineStyle,
    );
    expect(outline).not.toBe('none');
    await look(page, 'forced-colours');
    await context.close();
  });
});
