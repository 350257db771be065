// Requirements from the acceptance list of the mailbox that no other test covers
// (docs/acceptance.md 26, 28, 35, 49, 73, 76, 78, 79): no layout shift while a list loads,
// announced selections, bulk changes with a count and a working Stop button, a reply that survives
// new mail, drafts that stay above an on-screen keyboard, URLs of the app that open the right
// screen, and swipes on rows in both writing directions or not at all.
import type { Page, Route } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { openPerson } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { toastWith } from './support/mailbox.ts';
import { type OutsideMail, sendFromOutside } from './support/outside.ts';
import { awaitMail, rowOf } from './support/people.ts';
import { openPhone } from './support/phone.ts';
import { useStory } from './support/story.ts';

const to = 'alice@keyfold.test';
const inboxPath = '/app/inbox/recieved/0';
/** Enough messages to trigger a confirmation, and for three batches. */
const CROWD = 130;
const SHIFT_LIMIT = 0.02;

const message = (subject: string): OutsideMail => ({
  to,
  subject,
  text: `Words of ${subject}.`,
  from: { name: `Writer of ${subject}`, address: `${subject.toLowerCase().replace(' ', '.')}@crowd.test` },
});
const numbered = (name: string, count: number): OutsideMail[] =>
  Array.from({ length: count }, (_, number) => message(`${name} ${number}`));

const part = (number: number): OutsideMail => ({
  to,
  subject: number === 1 ? 'A talk' : 'Re: A talk',
  text: `Part ${number} of the talk.`,
  fields: [
    `Message-ID: <part${number}@talk.test>`,
    ...(number === 1 ? [] : ['In-Reply-To: <part1@talk.test>', 'References: <part1@talk.test>']),
  ],
});

/** Holds requests until it is opened. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

describe.skipIf(chromiumPath === null)('the acceptance list (needs Chromium)', () => {
  const story = useStory();
  let page: Page;

  const toast = (text: string | RegExp) => toastWith(page, text);
  const isBulkQuery = (url: URL) => url.pathname === '/user/query' && url.searchParams.get('count') === '200';
  const total = async () =>
    Number.parseInt((await page.getByText(/^\d+ conversations$/).textContent()) ?? '', 10);

  /** Archives the whole folder, up to the start of the bulk change. */
  const archiveAll = async (count: number) => {
    await page.getByRole('heading', { name: 'Inbox' }).hover();
    await page.getByRole('checkbox', { name: 'Select all loaded messages' }).click();
    await page.getByRole('button', { name: `Select all ${count} in Inbox` }).click();
    await page
      .getByRole('toolbar', { name: 'Selected messages' })
      .getByRole('button', { name: 'Archive' })
      .click();
    await page
      .getByRole('alertdialog', { name: `Archive: ${count} conversations?` })
      .getByRole('button', { name: 'Archive' })
      .click();
  };

  beforeAll(async () => {
    ({ page } = story);
    await sendFromOutside(story.product.smtpPort, ...numbered('Crowd', CROWD), ...numbered('Letter', 8));
    await awaitMail(page, 'Letter 7');
  });

  beforeEach(async () => {
    await page.goto(story.product.baseUrl + inboxPath);
    await rowOf(page, 'Letter').waitFor();
  });

  test('26: selecting a row announces the count in a live region, and Esc ends the selection', async () => {
    // Screen readers announce a live region only if it existed before its text.
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('[role=status]')) one.setAttribute('data-before', '');
    });
    const said = page.locator('[role=status][aria-live=polite][data-before]').filter({ hasText: 'selected' });
    await expect.poll(() => said.count()).toBe(0);
    await rowOf(page, 'Letter 3').hover();
    await rowOf(page, 'Letter 3').getByRole('checkbox').click();
    await page.getByRole('heading', { name: '1 selected' }).waitFor();
    await expect.poll(() => said.textContent()).toBe('1 selected');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await expect.poll(() => said.count()).toBe(0);
    await expect.poll(() => rowOf(page, 'Letter 3').getByRole('checkbox').isChecked()).toBe(false);
  });

  test.each([
    ['slow', 'desk'],
    ['fast', 'desk'],
    ['slow', 'phone'],
  ] as const)(
    '35: the layout is stable while the list loads from a %s server (%s)',
    async (speed, device) => {
      const other = await openPerson(story.browser, {
        storageState: await story.person.context.storageState(),
        ...(device === 'phone' && {
          viewport: { width: 390, height: 844 },
          hasTouch: true,
          isMobile: true,
        }),
      });
      await other.page.addInitScript(() => {
        const shifts: number[] = [];
        Object.assign(globalThis, { shifts });
        new PerformanceObserver(seen => {
          for (const entry of seen.getEntries()) shifts.push((entry as unknown as { value: number }).value);
        }).observe({ type: 'layout-shift', buffered: true });
      });
      const door = gate();
      if (speed === 'fast') door.open();
      await other.page.route('**/user/query?*', async (route: Route) => {
        await door.opened;
        await route.continue();
      });
      await other.page.goto(story.product.baseUrl + inboxPath);
      if (speed === 'slow') await other.page.getByRole('status', { name: 'Loading messages' }).waitFor();
      door.open();
      await rowOf(other.page, 'Letter').waitFor();
      await other.page.waitForLoadState('networkidle');
      const shifts = await other.page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);
      expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(SHIFT_LIMIT);
      expect(other.problems).toEqual([]);
      await other.context.close();
    },
  );

  test('28: an action on more than 100 rows asks first and counts, and Stop leaves the rest unchanged', async () => {
    const all = await total();
    expect(all).toBeGreaterThan(CROWD);
    const [looking, second] = [gate(), gate()];
    let sent = 0;
    await page.route(isBulkQuery, async route => {
      await looking.opened;
      await route.continue();
    });
    await page.route('**/user/archive', async route => {
      sent += 1;
      if (sent === 2) await second.opened;
      await route.continue();
    });
    const stop = page.getByRole('button', { name: 'Stop', exact: true });

    await archiveAll(all);
    await page.getByText('Archive: finding messages…').first().waitFor();
    await stop.click();
    await page.getByText('Stopping after this batch…').waitFor();
    looking.open();
    await toast('Stopped after changing 0 messages.').waitFor();
    expect([sent, await total()]).toEqual([0, all]);

    await archiveAll(all);
    const bar = page.getByRole('progressbar', { name: 'Archive' });
    await expect.poll(() => bar.getAttribute('value')).toBe('50');
    await page.getByText(`Archive: 50 of ${all}`).first().waitFor();
    await stop.click();
    second.open();
    await toast('Stopped after changing 100 messages.').waitFor();
    await bar.waitFor({ state: 'detached' });
    await expect.poll(total).toBe(all - 100);
    expect(sent).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(total).toBe(all);
    await page.unrouteAll();
  });

  test('49: a reply in progress is kept when a new message joins the conversation', async () => {
    await sendFromOutside(story.product.smtpPort, part(1));
    await rowOf(page, 'A talk').getByRole('link').first().click();
    const article = page.getByRole('article');
    await article.getByText('Part 1 of the talk.').waitFor();
    await page.keyboard.press('r');
    const answer = article.getByRole('textbox', { name: 'Message' });
    await answer.click();
    await page.keyboard.type('Half an');
    await sendFromOutside(story.product.smtpPort, part(2));
    await article.getByText('Part 2 of the talk.').first().waitFor();
    await expect.poll(() => answer.evaluate(one => one.contains(document.activeElement))).toBe(true);
    await page.keyboard.type(' answer');
    await expect.poll(() => answer.innerText()).toMatch(/^Half an answer/);
    await article.getByRole('button', { name: 'Discard draft' }).click();
  });

  test('76: a 120-pixel swipe acts and vibrates, a shorter one springs back, and Nothing can be chosen', async () => {
    const phone = await openPhone(story.browser, `${story.product.baseUrl}${inboxPath}`, story.person, 'en');
    await phone.enter();
    await phone.sweep('Letter 7', 116);
    expect([await phone.offset('Letter 7'), await phone.buzzes(), phone.times('/user/archive')]).toEqual([
      '',
      0,
      0,
    ]);
    await phone.sweep('Letter 7', 124);
    await phone.row('Letter 7').waitFor({ state: 'detached' });
    await expect.poll(() => phone.times('/user/archive')).toBe(1);
    expect(await phone.buzzes()).toBe(1);
    await phone.page.getByRole('button', { name: 'Undo' }).click();
    await phone.row('Letter 7').waitFor();
    await phone.page.goto(`${story.product.baseUrl}/app/config/appearance`);
    await choose(phone.page.getByRole('combobox', { name: 'Swipe right' }), 'No action');
    await phone.enter();
    const before = phone.times('/user/archive');
    await phone.sweep('Letter 6', 180);
    expect([await phone.offset('Letter 6'), await phone.buzzes()]).toEqual(['', 0]);
    // The swipe must not trigger the browser's back gesture either.
    expect(phone.page.url()).toContain(inboxPath);
    // The other direction still works, which shows that the touch was recognized.
    await phone.sweep('Letter 6', -180);
    await phone.row('Letter 6').waitFor({ state: 'detached' });
    expect(phone.times('/user/archive')).toBe(before);
    await phone.page.goto(`${story.product.baseUrl}/app/config/appearance`);
    await choose(phone.page.getByRole('combobox', { name: 'Swipe right' }), 'Add or remove star');
    await phone.enter();
    await phone.sweep('Letter 3', 124);
    const star = phone.row('Letter 3').getByRole('button', { name: 'Star' });
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
    await phone.sweep('Letter 3', 124);
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('false');
    expect(phone.problems).toEqual([]);
    await phone.context.close();
  });

  test('73: swiping is mirrored in right-to-left layout', async () => {
    const phone = await openPhone(story.browser, `${story.product.baseUrl}${inboxPath}`, story.person, 'ar');
    await phone.enter();
    await phone.sweep('Letter 5', -116);
    await expect.poll(() => phone.offset('Letter 5')).toBe('');
    await phone.sweep('Letter 5', -124);
    await expect.poll(() => phone.times('/user/archive')).toBe(1);
    await phone.row('Letter 5').waitFor({ state: 'detached' });
    expect(phone.times('/user/delete')).toBe(0);
    await phone.sweep('Letter 4', 124);
    await expect.poll(() => phone.times('/user/delete')).toBe(1);
    await phone.row('Letter 4').waitFor({ state: 'detached' });
    expect(phone.problems).toEqual([]);
    await phone.context.close();
  });

  test('78: a reply on a phone fills the page, and Send and the caret stay visible above the keyboard', async () => {
    const phone = await openPhone(story.browser, `${story.product.baseUrl}${inboxPath}`, story.person, 'en');
    await phone.enter();
    const small = phone.page;
    await phone.row('Letter 3').getByRole('link').first().tap();
    await small.getByRole('article').getByRole('button', { name: 'Reply', exact: true }).first().tap();
    const answer = small.getByRole('dialog', { name: /^Re: Letter 3/ });
    const text = answer.getByRole('textbox', { name: 'Message' });
    await text.tap();
    /** Returns how much of a box is outside the visible area, at the top and at the bottom. */
    const hidden = (top: number, bottom: number) =>
      small.evaluate(
        ([from, to]) => [Math.min(0, from ?? 0), Math.max(0, (to ?? 0) - innerHeight)].map(Math.round),
        [top, bottom],
      );
    const sendHidden = async () => {
      const box = await answer.getByRole('button', { name: /^Send/ }).boundingBox();
      return hidden(box?.y ?? -1, (box?.y ?? 0) + (box?.height ?? 0));
    };
    await expect.poll(() => sendHidden()).toEqual([0, 0]);
    await expect.poll(() => answer.boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
    // The part of the page that an on-screen keyboard leaves visible.
    await small.setViewportSize({ width: 390, height: 420 });
    for (let line = 1; line <= 14; line += 1) {
      await small.keyboard.type(`Line ${line}`);
      await small.keyboard.press('Enter');
    }
    await expect.poll(sendHidden).toEqual([0, 0]);
    await expect.poll(async () => (await answer.boundingBox())?.height).toBe(420);
    const caret = async () => {
      const [top, bottom] = await text.evaluate(() => {
        const at = getSelection()?.focusNode;
        const place = at instanceof Element ? at : at?.parentElement;
        const box = place?.getBoundingClientRect();
        return [box?.top ?? -1, box?.bottom ?? -1];
      });
      return hidden(top ?? -1, bottom ?? -1);
    };
    await expect.poll(caret).toEqual([0, 0]);
    for (const field of await answer.locator('input:not([type=file]), [contenteditable]').all())
      await expect
        .poll(() => field.evaluate(one => Number.parseFloat(getComputedStyle(one).fontSize)))
        .toBeGreaterThanOrEqual(16);
    await answer.getByRole('button', { name: 'Discard draft' }).tap();
    await answer.waitFor({ state: 'detached' });
    expect(phone.problems).toEqual([]);
    await phone.context.close();
  });

  test('78: the composer and its toasts stay above a keyboard that covers the page, as on iOS', async () => {
    const phone = await openPhone(story.browser, `${story.product.baseUrl}${inboxPath}`, story.person, 'en');
    const small = phone.page;
    // On these devices the page keeps its size; only the visual viewport shrinks, and it can be
    // scrolled.
    await small.addInitScript(() => {
      const seen = { height: 844, offsetTop: 0 };
      for (const name of ['height', 'offsetTop'] as const)
        Object.defineProperty(VisualViewport.prototype, name, { get: () => seen[name] });
      Object.assign(globalThis, {
        see: (height: number, offsetTop: number) => {
          Object.assign(seen, { height, offsetTop });
          visualViewport?.dispatchEvent(new Event('resize'));
          visualViewport?.dispatchEvent(new Event('scroll'));
        },
      });
    });
    const see = (height: number, offsetTop: number) =>
      small.evaluate(
        ([high = 0, top = 0]) =>
          (globalThis as unknown as { see: (height: number, top: number) => void }).see(high, top),
        [height, offsetTop],
      );
    await phone.enter();
    await small.getByRole('button', { name: 'Compose' }).tap();
    const message = small.getByRole('dialog');
    const text = message.getByRole('textbox', { name: 'Message' });
    await text.tap();
    for (const [height, top] of [
      [420, 0],
      [420, 60],
    ] as const) {
      await see(height, top);
      await expect.poll(() => message.boundingBox()).toMatchObject({ y: top, height });
      const send = await message.getByRole('button', { name: /^Send/ }).boundingBox();
      const foot = await message.getByRole('button', { name: 'Discard draft' }).boundingBox();
      expect(send?.y).toBeGreaterThanOrEqual(top);
      expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual(top + height);
    }
    for (let line = 1; line <= 14; line += 1) {
      await small.keyboard.type(`Line ${line}`);
      await small.keyboard.press('Enter');
    }
    const caret = () =>
      text.evaluate(() => {
        const at = getSelection()?.focusNode;
        const box = (at instanceof Element ? at : at?.parentElement)?.getBoundingClientRect();
        return box === undefined ? null : box.top >= 60 && box.bottom <= 480;
      });
    await expect.poll(caret).toBe(true);
    await message.getByRole('button', { name: 'Discard draft' }).tap();
    const toast = toastWith(small, 'Draft discarded');
    await toast.waitFor();
    await expect
      .poll(async () => {
        const box = await toast.boundingBox();
        return box !== null && box.y > 60 && box.y + box.height <= 480;
      })
      .toBe(true);
    await see(844, 0);
    await expect.poll(async () => ((await toast.boundingBox())?.y ?? 0) > 600).toBe(true);
    expect(phone.problems).toEqual([]);
    await phone.context.close();
  });

  test.each(['cold', 'warm'])('79: shell addresses open what they name, %s', async start => {
    const target = await rowOf(page, 'Letter 3').getByRole('link').first().getAttribute('href');
    const id = new URL(target ?? '', story.product.baseUrl).searchParams.get('m') ?? '';
    const enter = async (hash: string) => {
      await page.goto(start === 'cold' ? 'about:blank' : story.product.baseUrl + inboxPath);
      if (start === 'cold') await page.goto(`${story.product.baseUrl}/${hash}`);
      else {
        await rowOf(page, 'Letter').waitFor();
        await page.evaluate(to => {
          location.hash = to;
        }, hash);
      }
    };
    const isInInbox = async () => {
      await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe(inboxPath);
    };
    await enter(`#/email/${id}`);
    await page.getByRole('article').getByText('Words of Letter 3.').waitFor();
    await enter(`#/email/${crypto.randomUUID()}`);
    await toast('This message is no longer here').waitFor();
    await isInInbox();
    await enter('#/calendar/event/nobody%40calendar.test');
    await toast('Invitation not found').waitFor();
    await isInInbox();
    await enter('#/security');
    await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor();
    for (const hash of ['#/inbox', '#/zzz']) {
      await enter(hash);
      await isInInbox();
    }
  });

  test('the page logs only the expected 404 errors', () => {
    expect(story.person.problems.filter(problem => !/status of 404/.test(problem))).toEqual([]);
  });
});
