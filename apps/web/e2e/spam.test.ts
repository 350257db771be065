// Security settings for external mail (docs/spec-map.md 3.33, 6.08, 8.24): the spam filter and its
// rules and the sender lists, effective at the next arrival; the page without saved settings and
// without a response; and the statistics, for users allowed to see them.
import type { Product } from '@keyfold/testing/product';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { clientOf } from './support/accounts.ts';
import { findDefects } from './support/axe.ts';
import type { Person } from './support/browser.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail, rowOf } from './support/people.ts';
import { startStory } from './support/story.ts';

const to = 'alice@keyfold.test';
const plusText = 'Plus plan required for security analytics';

describe.skipIf(chromiumPath === null)('spam settings and statistics (needs Chromium)', () => {
  let product: Product;
  let browser: Browser;
  let person: Person;
  let page: Page;

  beforeAll(async () => {
    ({ product, browser, person, page } = await startStory());
  });
  afterAll(async () => {
    await browser?.close();
    await product?.remove();
  });

  const go = (path: string) => page.goto(product.baseUrl + path);
  const toast = (text: string) => page.getByRole('region', { name: 'Notifications' }).getByText(text).first();
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
    await page.getByRole('listbox').waitFor({ state: 'detached' });
  };
  const rules = () => page.getByRole('region', { name: 'Custom rules' });
  const addRule = async (text: string) => {
    const field = rules().getByRole('textbox', { name: 'Text to match' });
    await field.fill(text);
    await field.press('Enter');
  };
  const rulesShown = () => rules().getByRole('listitem').locator('[dir=auto]').allTextContents();
  /** Delivers a message from an unauthenticated sender. */
  const arrive = (subject: string, address = 'cook@kitchen.test') =>
    sendFromOutside(product.smtpPort, { to, subject, text: 'Words.', from: { name: 'Cook', address } });

  test('the page shows the error text of the specification when loading fails, and retries', async () => {
    await page.route('**/user/security/settings', route => route.fulfill({ status: 500, json: {} }));
    await go('/app/security/spam');
    await page.getByText('Network error retrieving security settings').waitFor();
    await page.unroute('**/user/security/settings');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('switch', { name: 'Filter incoming mail' }).waitFor();
  });

  test('a server without saved settings shows the filter as off, the default of the specification', async () => {
    await page.route('**/user/security/settings', route =>
      route.fulfill({ status: 404, json: { success: false, code: 'not_found', message: 'Not found' } }),
    );
    await go('/app/security/spam');
    const filter = page.getByRole('switch', { name: 'Filter incoming mail' });
    await filter.waitFor();
    await expect.poll(() => filter.isChecked()).toBe(false);
    await page.unroute('**/user/security/settings');
  });

  test('a new account has the filter on at medium sensitivity, without senders or rules', async () => {
    await go('/app/config/senders');
    await page.waitForURL('**/app/security/spam');
    await page.getByRole('heading', { name: 'Spam and senders', level: 1 }).waitFor();
    await expect
      .poll(() => page.getByRole('switch', { name: 'Filter incoming mail' }).isChecked())
      .toBe(true);
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Sensitivity' }).textContent())
      .toContain('Medium');
    await expect.poll(() => page.getByText('No senders yet').count()).toBe(2);
    await page.getByText('No custom rules').waitFor();
  });

  test('consecutive changes are all saved, and rules keep their order', async () => {
    // Turned off and on again: both rules are kept, in their order.
    for (let turn = 0; turn < 2; turn++)
      await page.getByRole('switch', { name: 'Filter incoming mail' }).click();
    await choose('Sensitivity', 'Low');
    await toast('Saved').waitFor();
    await addRule('');
    await rules().getByText('Enter the text to look for').waitFor();
    await addRule('casino');
    await expect.poll(rulesShown).toEqual(['Subject contains “casino”']);
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'Allow' }).click();
    await addRule('good casino');
    await expect.poll(rulesShown).toHaveLength(2);
    await rules().getByRole('button', { name: 'Move Subject contains “good casino” up' }).click();
    const ordered = ['Subject contains “good casino”', 'Subject contains “casino”'];
    await expect.poll(rulesShown).toEqual(ordered);
    await expect.poll(() => rules().getAttribute('aria-busy')).toBeNull();
    await page.reload();
    await expect.poll(rulesShown).toEqual(ordered);
    await expect
      .poll(() => page.getByRole('switch', { name: 'Filter incoming mail' }).isChecked())
      .toBe(true);
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Sensitivity' }).textContent())
      .toContain('Low');
  });

  test('a sender blocked on another device stays blocked', async () => {
    const { security } = clientOf(person, product.baseUrl);
    await security.block({ sender: 'elsewhere@kitchen.test', value: true });
    const blocked = page.getByRole('region', { name: 'Blocked senders' });
    await blocked.getByRole('textbox').fill('@spam.test');
    await blocked.getByRole('button', { name: 'Add' }).click();
    await expect
      .poll(() => blocked.getByRole('listitem').allTextContents())
      .toEqual(['elsewhere@kitchen.test', '@spam.test']);
  });

  test('changed settings take effect at the next arrival', async () => {
    await arrive('A casino');
    await arrive('A good casino');
    await arrive('From a blocked domain', 'x@spam.test');
    await go('/app/inbox/recieved/0');
    await awaitMail(page, 'A good casino');
    await expect.poll(() => rowOf(page, 'A casino').count()).toBe(0);
    await go('/app/inbox/flagged/0');
    await rowOf(page, 'From a blocked domain').waitFor();
    await rowOf(page, 'A casino').waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Messages' }).getByRole('listitem').count())
      .toBe(2);
  });

  test('the free plan is refused the statistics with the text of the specification', async () => {
    await go('/app/security');
    await page.getByRole('listitem').filter({ hasText: 'Analytics' }).getByText(plusText).waitFor();
    await page.getByText('Spam filter is on').waitFor();
    await go('/app/security/analytics');
    await page.getByRole('heading', { name: plusText }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await findDefects(page)).toEqual([]);
  });

  test('the Plus plan shows statistics as accessible charts and tables', async () => {
    const none = {
      received: 0,
      flagged: 0,
      flagged_by_sender: 0,
      flagged_by_rule: 0,
      flagged_by_score: 0,
      proved: 0,
      unproved: 0,
      disproved: 0,
    };
    const days = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...none,
        date: new Date(Date.UTC(2026, 10, 22 - (count - 1 - index))).toISOString().slice(0, 10),
        received: index,
        proved: index,
        flagged: index === count - 1 ? 4 : 0,
      }));
    // The test's user has the free plan; the server's own tests cover its statistics.
    await page.route('**/user/security/stats*', route => {
      const count = Number(new URL(route.request().url()).searchParams.get('days'));
      const totals = { ...none, received: 1_435, flagged: 4, flagged_by_sender: 1, flagged_by_score: 3 };
      return route.fulfill({
        json: {
          success: true,
          data: {
            days: days(count),
            totals: { ...totals, proved: 1_000, unproved: 400, disproved: 35 },
            counted_since: '2026-09-01',
          },
        },
      });
    });
    await page.reload();
    await page.getByRole('img', { name: /^1,435 received, 4 marked as spam/ }).waitFor();
    const reasons = page.getByRole('table', { name: 'Why messages were marked as spam' });
    await expect
      .poll(() => reasons.getByRole('row', { name: /Blocked sender/ }).textContent())
      .toMatch(/1.*25%$/);
    await page.getByText('Daily numbers').click();
    const numbers = page.getByRole('region', { name: 'Daily numbers' });
    await expect.poll(() => numbers.getByRole('row').count()).toBe(31);
    await expect.poll(() => numbers.getByRole('row').nth(1).textContent()).toContain('294');
    await choose('Period', '7 days');
    await expect.poll(() => numbers.getByRole('row').count()).toBe(8);
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      for (const path of ['/app/security/analytics', '/app/security/spam', '/app/security']) {
        await go(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
        expect(await findDefects(page), path).toEqual([]);
        const beyond = await page.evaluate(() => {
          const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
          return [scrollWidth - clientWidth, scrollHeight - clientHeight];
        });
        expect(beyond, path).toEqual([0, 0]);
      }
    }
    await page.unroute('**/user/security/stats*');
    await page.route('**/user/security/stats*', route => route.fulfill({ status: 500, json: {} }));
    await go('/app/security/analytics');
    await page.getByText('Couldn’t load analytics').waitFor();
    // The browser itself logs the refusals and failures above.
    expect(person.problems.filter(problem => !/status of (403|500)/.test(problem))).toEqual([]);
  });
});
