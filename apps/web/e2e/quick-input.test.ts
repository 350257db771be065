// Keyboard, palette and shortcut sheet (docs/interface.md#shortcuts; docs/acceptance.md 17, 30, 31,
// 32): palette commands work and focus returns, single-letter shortcuts are inactive while the user
// types, the shortcut sets can be changed, non-Latin keyboards work.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { notices, toastWith } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail, rowOf } from './support/people.ts';
import { useStory } from './support/story.ts';

const subjects = ['Alder', 'Beech', 'Chestnut'];

describe.skipIf(chromiumPath === null)('the keyboard (needs Chromium)', () => {
  const story = useStory();
  let page: Page;

  const palette = () => page.getByRole('dialog', { name: 'Command palette' });
  const sheet = () => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const open = (subject: string) => rowOf(page, subject).getByRole('link').first().click();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');

  beforeAll(async () => {
    ({ page } = story);
    await sendFromOutside(
      story.product.smtpPort,
      ...subjects.map(subject => ({
        to: 'alice@keyfold.test',
        subject,
        text: `About ${subject}.`,
        from: { name: `Gardener ${subject}`, address: `${subject.toLowerCase()}@woods.test` },
      })),
    );
    await awaitMail(page, 'Chestnut');
  });

  beforeEach(async () => {
    await page.goto(`${story.product.baseUrl}/app/inbox/recieved/0`);
    await page.locator('[data-index]').first().waitFor();
  });

  // `bench -- input-latency` measures the latency; this test verifies that nothing waits for the
  // network.
  test('after its first use, Ctrl K opens the palette without the network, and Esc returns the focus', async () => {
    await page.keyboard.press('ArrowDown');
    await rowOf(page, 'Beech').getByRole('link').first().focus();
    const before = await focused();
    const toggle = async () => {
      await page.keyboard.press('Control+k');
      await palette().waitFor();
      await page.keyboard.press('Escape');
      await palette().waitFor({ state: 'detached' });
    };
    await toggle();
    await page.route('**/*', () => undefined);
    await toggle();
    await page.unroute('**/*');
    await expect.poll(() => focused()).toBe(before);
  });

  test('j shows a prefetched message and k a previously opened one without the network', async () => {
    const link = await rowOf(page, 'Beech').getByRole('link').first().getAttribute('href');
    const beech = new URL(link ?? '', page.url()).searchParams.get('m');
    const fetched = page.waitForResponse(answer =>
      new URL(answer.url()).pathname.endsWith(`/user/email/${beech}`),
    );
    await open('Chestnut');
    await page.getByRole('article').getByText('About Chestnut.').waitFor();
    await (await fetched).finished();
    // From now on no mail arrives over the network; everything shown was already there.
    await page.route(/\/user\/emails?\//, () => undefined);
    for (const [key, words] of [
      ['j', 'About Beech.'],
      ['k', 'About Chestnut.'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('article').locator('section[data-message]').getByText(words).waitFor();
    }
    // Releases the held requests.
    await page.unroute(/\/user\/emails?\//);
  });

  test('"arch" and Enter archive the focused conversation, and the palette shows shortcut keys', async () => {
    await rowOf(page, 'Beech').getByRole('link').first().focus();
    await page.keyboard.press('Control+k');
    await palette().waitFor();
    await expect
      .poll(() =>
        palette()
          .getByRole('option', { name: /^Archive/ })
          .textContent(),
      )
      .toMatch(/e$/);
    await page.keyboard.type('arch');
    await palette().getByRole('option').first().and(palette().locator('[data-highlighted]')).waitFor();
    await page.keyboard.press('Enter');
    await rowOf(page, 'Beech').waitFor({ state: 'detached' });
    await toastWith(page, 'Conversation archived').waitFor();
    await page.keyboard.press('z');
    await rowOf(page, 'Beech').waitFor();
  });

  test('the palette composes to people, opens folders and pages, and searches', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('alder@');
    await palette().getByRole('option', { name: 'Compose to Gardener Alder' }).waitFor();
    await page.keyboard.press('Enter');
    const composer = page.getByRole('dialog', { name: /message/i });
    await composer.getByText('Gardener Alder').first().waitFor();
    await composer.getByRole('button', { name: 'Close' }).first().click();
    await composer.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('go to sent');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/inbox/sent/0');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zebra crossing');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/inbox/recieved/0#q=zebra%20crossing');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('two-factor');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/security/two-factor');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('templates');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/config/templates');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('log out');
    await palette().getByRole('option', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('? lists the shortcuts, and its search finds one of them', async () => {
    await page.keyboard.press('?');
    await sheet().waitFor();
    await expect.poll(() => sheet().getByRole('term').count()).toBeGreaterThan(30);
    await sheet().getByRole('textbox', { name: 'Search shortcuts' }).fill('starred');
    await expect.poll(() => sheet().getByRole('term').allTextContents()).toEqual(['Go to Starred']);
    await page.keyboard.press('Escape');
    await sheet().waitFor({ state: 'detached' });
  });

  test('shortcut keys typed into the search field have no effect', async () => {
    await open('Alder');
    await page.keyboard.press('/');
    await page.keyboard.type('e#');
    await page.keyboard.press('Escape');
    await rowOf(page, 'Alder').waitFor();
    await expect
      .poll(() =>
        notices(page)
          .getByText(/archived|deleted/)
          .count(),
      )
      .toBe(0);
  });

  test('shortcuts work by key position on a Russian keyboard and are ignored during IME composition', async () => {
    const press = (key: string, code: string, isComposing = false) =>
      page.evaluate(
        init => document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true })),
        { key, code, isComposing },
      );
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await press('о', 'KeyJ', true);
    expect(page.url()).not.toContain('m=');
    await press('о', 'KeyJ');
    await page.waitForURL(/m=/);
    await press('п', 'KeyG');
    await press('е', 'KeyT');
    await page.waitForURL('**/inbox/sent/0');
  });

  test('with shortcuts off, arrows, Enter and Esc still work, and the Proton set uses its own keys', async () => {
    const choose = async (set: string) => {
      await page.evaluate(value => localStorage.setItem('shortcut_keys', value), set);
      await page.goto(`${story.product.baseUrl}/app/inbox/recieved/0`);
      await page.locator('[data-index]').first().waitFor();
    };
    await choose('off');
    await rowOf(page, 'Chestnut').getByRole('link').first().focus();
    await page.keyboard.press('e');
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused()).toContain('Beech');
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('About Beech.').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(url => !url.search.includes('m='));
    await expect.poll(() => page.locator('[data-index]').count()).toBe(subjects.length);
    await choose('proton');
    await rowOf(page, 'Beech').getByRole('link').first().focus();
    await page.keyboard.press('a');
    await rowOf(page, 'Beech').waitFor({ state: 'detached' });
    await toastWith(page, 'Conversation archived').waitFor();
    await page.keyboard.press('z');
    await rowOf(page, 'Beech').waitFor();
    await choose('gmail');
  });

  test('the page reports no problem', () => {
    expect(story.person.problems).toEqual([]);
  });
});
