// The toast of docs/spec-map.md 2 with its timing and position, what it may not cover, and the page
// shown before every link of a message is followed.
import { ATTACHMENT_MAX_BYTES } from '@keyfold/contract/limits';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openPerson } from './support/browser.ts';
import { notices } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { openMail, rowOf } from './support/people.ts';
import { openPhone } from './support/phone.ts';
import { useStory } from './support/story.ts';

const to = 'alice@keyfold.test';

describe.skipIf(chromiumPath === null)('toasts and links (needs Chromium)', () => {
  const story = useStory();
  let page: Page;

  beforeAll(async () => {
    ({ page } = story);
    await sendFromOutside(
      story.product.smtpPort,
      {
        to,
        subject: 'Plain news',
        text: 'See https://shop.example/a?reader=1 and (https://other.example/b).',
      },
      {
        to,
        subject: 'HTML news',
        html: '<p><a href="https://shop.example/offer?reader=2#top">Offer</a> <a href="javascript:alert(1)">Bad</a></p>',
      },
    );
    await openMail(page, 'HTML news');
  });

  const region = () => notices(page);

  /** Triggers a plain toast: a refusal without an action. */
  const provoke = async () => {
    await page.route('**/user/star', route => route.abort(), { times: 2 });
    await rowOf(page, 'Plain news').getByRole('button', { name: 'Star' }).click();
    const toast = region().getByText('Failed to connect to the server');
    await toast.waitFor();
    return toast;
  };

  test('a plain toast appears at the bottom right for three seconds', async () => {
    await page.mouse.move(5, 5);
    const toast = await provoke();
    const box = await region().locator('[role=alert]').boundingBox();
    expect(1440 - (box?.x ?? 0) - (box?.width ?? 0)).toBe(16);
    expect(900 - (box?.y ?? 0) - (box?.height ?? 0)).toBe(16);
    await toast.waitFor({ state: 'detached' });
    // By the page's own clock: when the element appeared and disappeared.
    await page.evaluate(() => {
      const times: number[] = [];
      Object.assign(globalThis, { times });
      new MutationObserver(() => {
        const isShown = document.querySelector('[aria-label=Notifications] [role=alert]') !== null;
        if (isShown === (times.length % 2 === 0)) times.push(performance.now());
      }).observe(document.body, { childList: true, subtree: true });
    });
    await (await provoke()).waitFor({ state: 'detached' });
    const [shown = 0, gone = 0] = await page.evaluate(
      () => (globalThis as unknown as { times: number[] }).times,
    );
    expect(Math.abs(gone - shown - 3_000)).toBeLessThan(300);
  });

  test('a toast stays while hovered, and Dismiss closes it by mouse and keyboard', async () => {
    const toast = await provoke();
    await toast.hover();
    await page.waitForTimeout(3_600);
    await expect.poll(() => toast.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await toast.waitFor({ state: 'detached' });
    await page.mouse.move(5, 5);
    await provoke();
    await page.keyboard.press('F6');
    await page.keyboard.press('Enter');
    await toast.waitFor({ state: 'detached', timeout: 2_500 });
  });

  /** Triggers a toast in an open draft: a file that is too large. */
  const attachTooMuch = async (where: Page = page) => {
    // Created in the page, because the driver cannot transfer a file of this size.
    await where.locator('input[type=file]').evaluate((input: HTMLInputElement, bytes) => {
      const chosen = new DataTransfer();
      chosen.items.add(new File([new Uint8Array(bytes)], 'huge.bin'));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }, ATTACHMENT_MAX_BYTES + 1);
    await notices(where)
      .getByText(/^Couldn’t attach the files/)
      .waitFor();
  };

  /**
   * Returns which of these parts a toast covers, even by one pixel, and whether the toast's own
   * button can be clicked.
   */
  const coveredBy = async (where: Page, parts: Readonly<Record<string, Locator>>) => {
    const toast = await notices(where).getByRole('alert').first().boundingBox();
    const covered: string[] = [];
    for (const [name, part] of Object.entries(parts)) {
      const box = await part.boundingBox();
      if (toast === null || box === null) throw new Error(`Not there: ${name}`);
      const isApart =
        box.x >= toast.x + toast.width ||
        toast.x >= box.x + box.width ||
        box.y >= toast.y + toast.height ||
        toast.y >= box.y + box.height;
      if (!isApart) covered.push(name);
    }
    // A real click, which fails when something covers the button.
    await notices(where).getByRole('button', { name: 'Dismiss' }).first().click();
    await notices(where).getByRole('alert').first().waitFor({ state: 'detached' });
    return covered;
  };

  const barsOf = (message: Locator) => ({
    send: message.getByRole('button', { name: /^Send(?:, \d|$)/ }),
    discard: message.getByRole('button', { name: 'Discard draft' }),
    formatting: message.getByRole('toolbar'),
  });

  test('a toast covers no bar of a docked, minimized or full-screen draft, nor of a reply in the reader', async () => {
    await page.getByRole('button', { name: 'Compose' }).first().click();
    const message = page.getByRole('dialog');
    await page.getByRole('textbox', { name: 'Subject' }).waitFor();
    await message.getByRole('toolbar').waitFor();
    await provoke();
    await expect.poll(() => coveredBy(page, { message })).toEqual([]);
    await message.getByRole('button', { name: 'Minimize' }).click();
    await provoke();
    await expect.poll(() => coveredBy(page, { message })).toEqual([]);
    await message.getByRole('button', { name: 'Restore' }).click();
    await message.getByRole('button', { name: 'Full screen' }).click();
    await message.getByRole('toolbar').waitFor();
    await attachTooMuch();
    await expect.poll(() => coveredBy(page, barsOf(message))).toEqual([]);
    await message.getByRole('button', { name: 'Save and close' }).click();
    await message.waitFor({ state: 'detached' });

    await page.keyboard.press('r');
    await message.getByRole('toolbar').waitFor();
    await attachTooMuch();
    await expect.poll(() => coveredBy(page, barsOf(message))).toEqual([]);
    await message.getByRole('button', { name: 'Save and close' }).click();
    await message.waitFor({ state: 'detached' });
  });

  test('on a phone a toast covers neither the bottom bar, the compose button nor the bars of a draft', async () => {
    const phone = await openPhone(
      story.browser,
      `${story.product.baseUrl}/app/inbox/recieved/0`,
      story.person,
      'en',
    );
    const small = phone.page;
    await phone.enter();
    await small.emulateMedia({ reducedMotion: 'reduce' });
    await small.route('**/user/star', route => route.abort(), { times: 2 });
    await phone.row('Plain news').getByRole('button', { name: 'Star' }).tap();
    await notices(small).getByText('Failed to connect to the server').waitFor();
    const compose = small.getByRole('button', { name: 'Compose' });
    const bar = small.getByRole('navigation', { name: 'Main' });
    await expect.poll(() => coveredBy(small, { compose, bar })).toEqual([]);
    await compose.tap();
    const message = small.getByRole('dialog');
    await message.getByRole('button', { name: 'Formatting' }).tap();
    await message.getByRole('toolbar').waitFor();
    await attachTooMuch(small);
    await expect.poll(() => coveredBy(small, barsOf(message))).toEqual([]);
    await message.getByRole('button', { name: 'Save and close' }).tap();
    await message.waitFor({ state: 'detached' });
    await phone.row('Plain news').tap();
    const reply = small.getByRole('article').getByRole('button', { name: 'Reply', exact: true }).last();
    const forward = small.getByRole('article').getByRole('button', { name: 'Forward', exact: true }).last();
    // On a page so low that the buttons are at its bottom.
    await forward.waitFor();
    await small.setViewportSize({ width: 390, height: 420 });
    await forward.scrollIntoViewIfNeeded();
    await small.route('**/user/star', route => route.abort(), { times: 2 });
    await small
      .getByRole('toolbar', { name: 'Conversation actions' })
      .getByRole('button', { name: 'Star' })
      .tap();
    await notices(small).getByRole('alert').first().waitFor();
    await expect.poll(() => coveredBy(small, { reply, forward })).toEqual([]);
    expect(phone.problems.filter(problem => !problem.includes('ERR_FAILED'))).toEqual([]);
    await phone.context.close();
  });

  test('a link in an HTML message leads to the link page, which opens nothing by itself', async () => {
    const asked: string[] = [];
    page.context().on('request', request => asked.push(request.url().replace(/#.*$/, '')));
    const opened = page.context().waitForEvent('page');
    await page.frameLocator('iframe[title="Message body"]').getByText('Offer').click();
    const link = await opened;
    await link.getByRole('heading', { name: 'You are leaving Keyfold' }).waitFor();
    await expect.poll(() => link.getByRole('heading', { name: 'Stripped link' }).count()).toBe(1);
    await expect.poll(() => link.getByRole('heading', { name: 'Original link' }).count()).toBe(1);
    await expect
      .poll(() => link.getByRole('link', { name: 'Open stripped link' }).getAttribute('href'))
      .toBe('https://shop.example/offer');
    const original = link.getByRole('link', { name: 'Open original link' });
    await expect.poll(() => original.getAttribute('href')).toBe('https://shop.example/offer?reader=2#top');
    await expect.poll(() => original.getAttribute('rel')).toMatch(/noreferrer/);
    await expect.poll(() => link.locator('b').textContent()).toBe('shop.example');
    expect(await link.evaluate(() => globalThis.opener)).toBeNull();
    expect(link.url()).toContain('/link#url=');
    // Link targets are private to the reader: not even Keyfold's own server learns them.
    expect(asked).toContain(`${story.product.baseUrl}/link`);
    expect(asked.filter(url => url.includes('shop.example'))).toEqual([]);
    await link.close();
    const before = page.context().pages().length;
    await page.frameLocator('iframe[title="Message body"]').getByText('Bad').click();
    await page.waitForTimeout(300);
    expect(page.context().pages()).toHaveLength(before);
  });

  test('a link in a text message leads to the link page without the surrounding brackets', async () => {
    await openMail(page, 'Plain news');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('article').getByRole('link', { name: 'https://other.example/b' }).click();
    const link = await opened;
    await link.getByRole('link', { name: 'Open stripped link' }).waitFor();
    await expect
      .poll(() => link.getByRole('link', { name: 'Open stripped link' }).getAttribute('href'))
      .toBe('https://other.example/b');
    await link.close();
  });

  test('the link page works without signing in and explains what it does not open', async () => {
    const stranger = await openPerson(story.browser, { permissions: ['clipboard-read', 'clipboard-write'] });
    const at = (query: string) => stranger.page.goto(`${story.product.baseUrl}/link${query}`);
    await at('');
    await stranger.page.getByText('No link provided').waitFor();
    await at(`?url=${encodeURIComponent('javascript:alert(1)')}`);
    await stranger.page.getByText('Keyfold doesn’t open this kind of link.').waitFor();
    await expect.poll(() => stranger.page.getByRole('link', { name: /^Open/ }).count()).toBe(0);
    await at(`?url=${encodeURIComponent('https://xn--pple-43d.com/login?x=1')}`);
    await stranger.page.getByText('This domain may imitate another one').waitFor();
    const goBack = stranger.page.getByRole('button', { name: 'Go back' });
    await expect.poll(() => goBack.count()).toBe(1);
    await at(`?url=${encodeURIComponent('https://evil.example/\u202egro.knab')}`);
    await stranger.page.getByText('The link contains hidden characters').waitFor();
    await goBack.click();
    await stranger.page.getByText('This domain may imitate another one').waitFor();
    await at(`?url=${encodeURIComponent('http://[2001:db8::1]:8080/a?b')}`);
    await expect.poll(() => stranger.page.locator('b').textContent()).toBe('[2001:db8::1]');
    await expect.poll(() => goBack.count()).toBe(0);
    await at(`?url=${encodeURIComponent('https://a.example/b?c=<img src=x onerror=alert(1)>')}`);
    await stranger.page.getByRole('button', { name: 'Copy stripped link' }).click();
    expect(await stranger.page.evaluate(() => navigator.clipboard.readText())).toBe('https://a.example/b');
    const warning = stranger.page.getByText('https://a.example/b?c=<img src=x onerror=alert(1)>');
    const colors = await warning.evaluate(element => {
      const probe = document.createElement('div');
      probe.className = 'text-warn';
      document.body.append(probe);
      return [getComputedStyle(element).color, getComputedStyle(probe).color];
    });
    expect(colors[0]).toBe(colors[1]);
    expect(stranger.problems).toEqual([]);
    await stranger.context.close();
  });

  test('the page reports no problem except the provoked failures', () => {
    expect(story.person.problems.filter(problem => !problem.includes('ERR_FAILED'))).toEqual([]);
  });
});
