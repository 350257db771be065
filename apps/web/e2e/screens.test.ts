// Every screen of the product as axe sees it, in both themes and at both widths, and a tour through all of them during
// which no page says a word to the console and nothing breaks the policy. ux 3, 10, 68 and 83.
import { AxeBuilder } from '@axe-core/playwright';
import { createProduct, type Product } from '@keyfold/testing/product';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser } from './harness/open-browser.ts';
import { openPerson, type Person } from './support/browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { addRecipient, awaitMail, rowOf, signUp, startLetter } from './support/people.ts';

const to = 'alice@keyfold.test';
const inbox = '/app/inbox/recieved/0';
const link = `/link?url=${encodeURIComponent('https://shop.example/a?b=1')}`;

const widths: Record<string, BrowserContextOptions> = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

type Screen = {
  readonly at: string;
  readonly isOut?: boolean;
  readonly reach?: (page: Page) => Promise<void>;
};

const open = (subject: string) => async (page: Page) => {
  await rowOf(page, subject).getByRole('link').first().click();
  await page.getByRole('article').locator('section[data-message]').first().waitFor();
};

const screens: Readonly<Record<string, Screen>> = {
  signin: { at: '/app/signin', isOut: true },
  'signin refused': {
    at: '/app/signin',
    isOut: true,
    reach: async page => {
      await page.getByRole('textbox', { name: 'Address' }).fill(to);
      await page.getByRole('textbox', { name: 'Password' }).fill('Wrong-Horse-1');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Wrong address or password').waitFor();
    },
  },
  signup: {
    at: '/app/signup',
    isOut: true,
    reach: async page => {
      await page.getByRole('textbox', { name: 'Password' }).fill('short');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Password is too short, minimal length is 8').waitFor();
      await page.getByText('You are not a robot', { exact: true }).waitFor();
    },
  },
  link: { at: link, isOut: true },
  'link without address': { at: '/link', isOut: true },
  'inbox list': { at: inbox, reach: page => rowOf(page, 'Text letter').waitFor() },
  'inbox selection': {
    at: inbox,
    reach: async page => {
      await rowOf(page, 'Text letter')
        .getByRole('link')
        .first()
        .click({ modifiers: ['Control'] });
      await page.getByRole('heading', { name: '1 selected' }).waitFor();
    },
  },
  'empty folder': {
    at: '/app/inbox/archived/0',
    reach: page => page.getByText('The archive is empty').waitFor(),
  },
  'nothing found': { at: `${inbox}?q=nobody`, reach: page => page.getByText('No mail matches').waitFor() },
  'reader, text': { at: inbox, reach: open('Text letter') },
  'reader, HTML': {
    at: inbox,
    reach: async page => {
      await open('HTML letter')(page);
      await page.frameLocator('iframe[title="Message body"]').getByText('Styled words').waitFor();
    },
  },
  composer: {
    at: inbox,
    reach: async page => {
      await startLetter(page, to, 'sealed');
      await addRecipient(page, 'olga@outside.test', 'plain');
      await page.getByRole('textbox', { name: 'Subject' }).fill('For the look of it');
    },
  },
  account: {
    at: '/app/config/account',
    reach: page => page.getByRole('heading', { name: 'Account' }).waitFor(),
  },
};

describe.skipIf(chromiumPath === null)('every screen (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let alice: Person;

  beforeAll(async () => {
    product = await createProduct();
    [, browser] = await Promise.all([product.start(), openBrowser()]);
    alice = await openPerson(browser);
    await signUp(alice.page, product.baseUrl, 'Alice Almeida', 'alice');
    await sendFromOutside(
      product.smtpPort,
      {
        to,
        subject: 'Text letter',
        text: 'Plain words with https://shop.example/a?b=1 inside.\n\n> quoted words',
        file: { name: 'notes.txt', type: 'text/plain', bytes: new TextEncoder().encode('notes') },
      },
      {
        to,
        subject: 'HTML letter',
        html: '<h1 style="color:#8a2b2b">Styled words</h1><p>and <a href="https://a.example">a link</a></p><img src="https://a.example/i.png" alt="Shop">',
      },
    );
    await awaitMail(alice.page, 'HTML letter');
  });

  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  for (const [width, size] of Object.entries(widths)) {
    for (const theme of ['light', 'dark'] as const) {
      test(`is clean on a ${width} in the ${theme} theme`, async () => {
        const storageState = await alice.context.storageState();
        const found: Record<string, unknown> = {};
        for (const isOut of [true, false]) {
          const person = await openPerson(browser, {
            ...size,
            colorScheme: theme,
            reducedMotion: 'reduce',
            ...(isOut ? {} : { storageState }),
          });
          for (const [name, screen] of Object.entries(screens)) {
            if ((screen.isOut ?? false) !== isOut) continue;
            const { page } = person;
            await page.goto(product.baseUrl + screen.at);
            await page.locator('h1, main h2').first().waitFor();
            await screen.reach?.(page);
            expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
            const report = await new AxeBuilder({ page })
              .setLegacyMode(true)
              .options({ iframes: false })
              .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
              .analyze();
            const defects = report.violations.map(
              ({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 160)).join(' | ')}`,
            );
            const isTooWide = await page.evaluate(
              () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
            );
            if (defects.length > 0 || isTooWide) found[name] = { defects, isTooWide };
          }
          if (person.problems.length > 0) found[isOut ? 'signed out' : 'signed in'] = person.problems;
          await person.context.close();
        }
        expect(found).toEqual({});
      });
    }
  }

  test('at 320 pixels nothing scrolls sideways', async () => {
    const { context, page } = await openPerson(browser, {
      viewport: { width: 320, height: 640 },
      storageState: await alice.context.storageState(),
    });
    const tooWide: string[] = [];
    for (const [name, { at, reach, isOut = false }] of Object.entries(screens)) {
      if (isOut && at !== link) continue;
      await page.goto(product.baseUrl + at);
      await page.locator('h1, main h2').first().waitFor();
      await reach?.(page);
      const isTooWide = await page.evaluate(() =>
        [...document.querySelectorAll('html, [id=root] *')].some(
          element =>
            element.scrollWidth > element.clientWidth + 1 &&
            (element.matches('html') || getComputedStyle(element).overflowX === 'auto'),
        ),
      );
      if (isTooWide) tooWide.push(name);
    }
    await context.close();
    expect(tooWide).toEqual([]);
  });

  test('the keyboard goes from the skip link through navigation, search and list to the mail', async () => {
    const { page } = alice;
    await page.goto(product.baseUrl + inbox);
    await rowOf(page, 'Text letter').waitFor();
    const stops: string[] = [];
    for (let count = 0; count < 30; count++) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return 'nowhere';
        const isSeen = element.getBoundingClientRect().width > 0;
        // A field in a frame is marked by the frame, the handle of the list by its line.
        const isMarked =
          element.getAttribute('role') === 'separator' ||
          [element, element.parentElement].some(
            one => one !== null && getComputedStyle(one).outlineStyle !== 'none',
          );
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? '';
        return `${isSeen && isMarked ? '' : 'unseen '}${element.closest('[id=list]') ? 'row: ' : ''}${name}`;
      });
      stops.push(stop);
      if (stop.endsWith('Width of the list')) break;
    }
    expect(stops[0]).toBe('Skip to message list');
    const order = [
      'Skip to message list',
      'Inbox',
      'Search mail',
      'Refresh',
      'row: ',
      'row: Select',
      'row: Star',
    ].map(name => stops.findIndex(stop => stop.startsWith(name) || stop === name));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(order).not.toContain(-1);
    // One row is a stop: its link, its box, its star.
    expect(stops.filter(stop => stop.startsWith('row: '))).toHaveLength(3);
    expect(stops.at(-1)).toBe('Width of the list');
    expect(stops.filter(stop => /^unseen |^nowhere/.test(stop))).toEqual([]);
  });

  test('the page of Alice reported nothing', () => {
    expect(alice.problems).toEqual([]);
  });
});
