// The mail screen with little screen space or few colors: at 400 % zoom (WCAG 1.4.10), in forced
// colors, with the skip link on an empty list, and without layout shift from the first layout on.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openFolder } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail, rowOf } from './support/people.ts';
import { useStory } from './support/story.ts';

const to = 'alice@keyfold.test';
const subjects = Array.from({ length: 6 }, (_, number) => `Low ${number}`);
/** 1280x1024 at 400 %. */
const zoomed = { width: 320, height: 256 };
const wide = { width: 1440, height: 900 };
/**
 * Maximum layout shift. Up to 0.1 counts as good; a mail list has no reason for more than a fifth
 * of that.
 */
const SHIFT_MAX = 0.02;

describe.skipIf(chromiumPath === null)('small screens and forced colors (needs Chromium)', () => {
  const story = useStory();
  let page: Page;

  const boxOf = async (part: Locator) => {
    const box = await part.boundingBox();
    if (box === null) throw new Error('Not shown');
    return box;
  };

  beforeAll(async () => {
    ({ page } = story);
    await sendFromOutside(
      story.product.smtpPort,
      ...subjects.map(subject => ({ to, subject, text: `${subject}: ${'words '.repeat(200)}` })),
    );
    await awaitMail(page, 'Low 5');
    // From here on the recovery kit reminder is shown, as it is to users.
    await page.addInitScript(() => sessionStorage.removeItem('kit_later'));
  });

  test('the recovery kit reminder is part of the first layout and causes no shift', async () => {
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver(list => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    for (const viewport of [wide, { width: 390, height: 844 }]) {
      await page.setViewportSize(viewport);
      await page.reload();
      await rowOf(page, 'Low 0').waitFor();
      await page.getByRole('link', { name: 'Create a recovery kit' }).waitFor();
      // Parts that load later, such as the prefetched composer, must not move anything either.
      await new Promise(resolve => setTimeout(resolve, 4_000));
      const shift = await page.evaluate(() =>
        (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, one) => sum + one, 0),
      );
      expect(shift).toBeLessThan(SHIFT_MAX);
    }
  });

  test('at 400 % zoom the list uses most of the screen, and a row can be reached and opened', async () => {
    await page.setViewportSize(zoomed);
    await openFolder(page, story.product.baseUrl, 'recieved');
    await rowOf(page, 'Low 5').waitFor();
    const list = await boxOf(page.locator('#list'));
    expect(list.height).toBeGreaterThanOrEqual(zoomed.height * 0.45);
    const whole = await rowOf(page, 'Low 5').boundingBox();
    expect(whole?.height).toBeLessThanOrEqual(list.height / 2);
    const runsOver = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await runsOver()).toBe(0);
    // By keyboard alone, to a row that is initially out of view.
    await page.locator('#list [data-row-focus][tabindex="0"]').focus();
    await page.keyboard.press('End');
    const last = rowOf(page, 'Low 0');
    await expect.poll(async () => (await boxOf(last)).y).toBeLessThan(zoomed.height);
    await expect
      .poll(async () => {
        const box = await boxOf(last);
        return box.y >= list.y - 1 && box.y + box.height <= zoomed.height;
      })
      .toBe(true);
    await page.keyboard.press('Enter');
    const article = page.getByRole('article');
    await article.getByText('Low 0: words').first().waitFor();
    expect((await boxOf(article)).height).toBeGreaterThanOrEqual(zoomed.height * 0.75);
    expect(await runsOver()).toBe(0);
    await article.getByRole('button', { name: 'Reply', exact: true }).last().scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await rowOf(page, 'Low 5').waitFor();
    // By pointer: nothing covers the first row.
    await rowOf(page, 'Low 5').getByRole('link').first().click();
    await article.getByText('Low 5: words').first().waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Sent' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('at 400 % zoom a message can be written and sent', async () => {
    await page.setViewportSize(zoomed);
    await openFolder(page, story.product.baseUrl, 'recieved');
    await page.getByRole('button', { name: 'Compose' }).click();
    const composer = page.getByRole('dialog');
    await composer.getByRole('combobox', { name: 'To' }).fill(to);
    await page.keyboard.press('Enter');
    await composer.getByRole('textbox', { name: 'Subject' }).fill('Written low');
    await composer.getByRole('textbox', { name: 'Message' }).click();
    await page.keyboard.type('A line.');
    await expect
      .poll(async () => {
        const box = await boxOf(composer.getByRole('textbox', { name: 'Message' }).getByText('A line.'));
        return box.y >= 0 && box.y + box.height <= zoomed.height;
      })
      .toBe(true);
    await composer.getByRole('button', { name: 'Send', exact: true }).click();
    await composer.waitFor({ state: 'detached' });
    await rowOf(page, 'Written low').waitFor();
  });

  test('the skip link leads to the list, to its empty state, or to the main content without a list', async () => {
    await page.setViewportSize(wide);
    const skipTo = async (name: string) => {
      const skip = page.getByRole('link', { name });
      await skip.focus();
      await page.keyboard.press('Enter');
      return page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);
    };
    await openFolder(page, story.product.baseUrl, 'snoozed');
    expect(await skipTo('Skip to message list')).toBe('list');
    await openFolder(page, story.product.baseUrl, 'recieved');
    expect(await skipTo('Skip to message list')).toBe('list');
    await page.goto(`${story.product.baseUrl}/app/config/appearance`);
    await page.getByRole('heading', { name: 'Appearance', level: 1 }).waitFor();
    expect(await skipTo('Skip to content')).toBe('list');
    // At this size the list is not shown beside an open message.
    await openFolder(page, story.product.baseUrl, 'recieved');
    await rowOf(page, 'Low 1').getByRole('link').first().click();
    await page.getByRole('article').waitFor();
    await page.setViewportSize({ width: 900, height: 800 });
    expect(await skipTo('Skip to message list')).toBe('MAIN');
    await page.setViewportSize(wide);
  });

  test('forced colors show selected, switched-on, chosen and filled states', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    try {
      /**
       * Returns the colors of two elements, which must differ from each other and from the page.
       */
      const colorsOf = (one: Locator, property: string) =>
        one.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
      await openFolder(page, story.product.baseUrl, 'recieved');
      await rowOf(page, 'Low 4')
        .getByRole('link')
        .first()
        .click({ modifiers: ['Control'] });
      await page.getByRole('heading', { name: '1 selected' }).waitFor();
      const rowOutline = (subject: string) =>
        colorsOf(rowOf(page, subject).locator('[data-row]'), 'outline-style');
      expect([await rowOutline('Low 4'), await rowOutline('Low 3')]).toEqual(['solid', 'none']);
      const meter = page.getByRole('meter').first();
      expect(await colorsOf(meter.locator('rect'), 'fill')).not.toBe(
        await colorsOf(meter.locator('svg'), 'background-color'),
      );
      // Elements that only the admin dashboard and long operations show. The CSS rules select by
      // role, so bare elements are enough.
      const parts = await page.evaluate(() => {
        const make = (name: string, attributes: Record<string, string>, ...inner: Element[]) => {
          const one = document.createElement(name);
          for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
          one.append(...inner);
          return one;
        };
        const tab = (selected: string) =>
          make('button', { role: 'tab', 'aria-selected': selected, class: 'border-b-2' });
        const [chosen, other] = [tab('true'), tab('false')];
        const filled = make('span', {});
        const track = make('span', {}, filled);
        const bar = make('div', { role: 'progressbar' }, track);
        document.body.append(chosen, other, bar);
        const found = {
          tabs: [chosen, other].map(one => getComputedStyle(one).borderBottomColor),
          bar: [filled, track].map(one => getComputedStyle(one).backgroundColor),
        };
        for (const one of [chosen, other, bar]) one.remove();
        return found;
      });
      expect(new Set(parts.tabs).size).toBe(2);
      expect(new Set(parts.bar).size).toBe(2);
      await page.keyboard.press('Escape');
      await rowOf(page, 'Low 4').getByRole('link').first().click();
      await page.getByRole('article').waitFor();
      expect([await rowOutline('Low 4'), await rowOutline('Low 3')]).toEqual(['solid', 'none']);

      await page.goto(`${story.product.baseUrl}/app/config/notifications`);
      const switches = page.getByRole('switch');
      await switches.first().waitFor();
      const on = page.getByRole('switch', { checked: true }).first();
      const off = page.getByRole('switch', { checked: false }).first();
      const grounds = [await colorsOf(on, 'background-color'), await colorsOf(off, 'background-color')];
      expect(new Set(grounds).size).toBe(2);
      for (const one of [on, off])
        expect(await colorsOf(one.locator('*').first(), 'background-color')).not.toBe(
          await colorsOf(one, 'background-color'),
        );
    } finally {
      await page.emulateMedia({ forcedColors: 'none' });
    }
  });
});
