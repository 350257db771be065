// Organizing mail (docs/interface.md#selection; docs/spec-map.md 4, 7): tags created, assigned,
// renamed and deleted, by keys and by dragging; spam, snoozing and blocking; a whole folder at
// once; rules; the settings for all of these.
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { clientOf, join } from './support/accounts.ts';
import { openPerson } from './support/browser.ts';
import { choose } from './support/choose.ts';
import { conversationToolbar, openFolder, rowTexts, toastWith } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail, rowOf, startDraft } from './support/people.ts';
import { useStory } from './support/story.ts';

const to = 'alice@keyfold.test';
const subjects = ['Apple', 'Bread', 'Carrot', 'Date range', 'Endive'].map(food => `About ${food}`);
const [apple, bread, carrot, dates, endive] = subjects as [string, string, string, string, string];
/** Enough messages for three pages of a list. */
const CROWD = 120;

describe.skipIf(chromiumPath === null)('mail sorting (needs Chromium)', () => {
  const story = useStory();
  let page: Page;

  const folder = (word: string) => openFolder(page, story.product.baseUrl, word);
  const settings = async (name: string, title: string) => {
    await page.goto(`${story.product.baseUrl}/app/config/${name}`);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  };
  const link = (subject: string) => rowOf(page, subject).getByRole('link').first();
  const words = (subject: string) => link(subject).textContent();
  const toast = (text: string | RegExp) => toastWith(page, text);
  const toolbar = () => conversationToolbar(page);
  const picker = () => page.getByRole('combobox', { name: 'Find or create a tag' });
  const sidebar = () => page.getByRole('navigation', { name: 'Mailbox' });
  const undo = () => page.getByRole('button', { name: 'Undo' }).click();
  const shown = () => rowTexts(page, /About [A-Z][a-z]+/);

  beforeAll(async () => {
    ({ page } = story);
    await sendFromOutside(
      story.product.smtpPort,
      ...subjects.map((subject, index) => ({
        to,
        subject,
        text: `A letter, ${subject}.`,
        from: { name: `Cook ${index}`, address: `cook${index}@kitchen.test` },
      })),
    );
    await awaitMail(page, endive);
  });

  beforeEach(() => folder('recieved'));

  test('a tag is created and assigned by keyboard, and appears at once in list, reader and sidebar', async () => {
    await link(apple).click();
    await page.getByText(`A letter, ${apple}.`).last().waitFor();
    await page.keyboard.press('l');
    await picker().waitFor();
    await page.getByText('No tags yet. Type to create one').waitFor();
    await page.keyboard.type('Büro/Süd');
    await page.getByRole('option', { name: 'Create “Büro/Süd”' }).waitFor();
    await page.getByRole('radio', { name: 'Peach' }).check();
    await picker().focus();
    await page.keyboard.press('Enter');
    await toast('Tagged Büro/Süd').waitFor();
    await rowOf(page, apple).getByText('Büro/Süd').first().waitFor();
    await page.getByRole('article').getByText('Büro/Süd').waitFor();
    await expect
      .poll(() => page.getByRole('article').getByText('Büro/Süd').getAttribute('data-color'))
      .toBe('peach');
    await sidebar()
      .getByRole('link', { name: /Büro\/Süd/ })
      .click();
    await page.getByRole('heading', { name: 'Büro/Süd', level: 1 }).waitFor();
    await expect.poll(shown).toEqual([apple]);
    await folder('Büro/Süd');
    await expect.poll(shown).toEqual([apple]);
  });

  test('a tag on several messages has three states, and Undo restores each message’s tags', async () => {
    for (const subject of [apple, bread]) await link(subject).click({ modifiers: ['Control'] });
    await page.getByRole('heading', { name: '2 selected' }).waitFor();
    await page.keyboard.press('l');
    const option = page.getByRole('option', { name: 'Büro/Süd' });
    await expect.poll(() => option.getAttribute('aria-checked')).toBe('mixed');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expect.poll(() => option.getAttribute('aria-checked')).toBe('true');
    await page.keyboard.press('Enter');
    await toast('2 conversations tagged Büro/Süd').waitFor();
    await expect.poll(() => words(bread)).toMatch(/tagged Büro\/Süd/);
    await undo();
    await expect.poll(() => words(bread)).not.toMatch(/tagged/);
    await expect.poll(() => words(apple)).toMatch(/tagged Büro\/Süd/);
  });

  test('rows can be dragged onto a tag and onto a folder', async () => {
    await link(carrot).dragTo(sidebar().getByRole('link', { name: /Büro\/Süd/ }));
    await expect.poll(() => words(carrot)).toMatch(/tagged Büro\/Süd/);
    await link(carrot).dragTo(sidebar().getByRole('link', { name: 'Archive' }));
    await toast('Conversation archived').waitFor();
    await folder('archived');
    await rowOf(page, carrot).hover();
    await rowOf(page, carrot).getByRole('button', { name: 'Move to Inbox' }).click();
    await toast('Conversation moved to Inbox').waitFor();
    await folder('recieved');
    await rowOf(page, carrot).waitFor();
  });

  test('a tag can be renamed and recolored, and deleting it states how many messages have it', async () => {
    await sidebar()
      .getByRole('link', { name: /Büro\/Süd/ })
      .hover();
    await sidebar().getByRole('button', { name: 'More actions for tag Büro/Süd' }).click();
    await page.getByRole('menuitem', { name: 'Edit name and color' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('قائمة');
    await page.getByRole('radio', { name: 'Mint' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => words(apple)).toMatch(/tagged قائمة/);
    await folder('قائمة');
    await expect.poll(async () => (await shown()).sort()).toEqual([apple, carrot].sort());
    await settings('tags', 'Tags');
    await page.getByRole('listitem').filter({ hasText: 'قائمة' }).getByText('2 messages').waitFor();
    await page.getByRole('button', { name: 'New tag' }).last().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('inbox');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('main').getByRole('button', { name: 'More actions for tag قائمة' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByText('2 messages have this tag.').waitFor();
    await page.getByRole('button', { name: 'Delete tag' }).click();
    await toast('Tag قائمة deleted').waitFor();
    await folder('recieved');
    await expect.poll(() => words(apple)).not.toMatch(/tagged/);
  });

  test('spam moves to Spam and back, and Delete all spam asks for confirmation', async () => {
    await link(dates).click();
    await page.getByText(`A letter, ${dates}.`).last().waitFor();
    await page.keyboard.press('!');
    await toast('Conversation marked as spam').waitFor();
    await expect.poll(shown).not.toContain(dates);
    await folder('flagged');
    await link(dates).click();
    await page.getByRole('article').getByText('This message is in Spam.').waitFor();
    await page.getByRole('article').getByRole('button', { name: 'Not spam' }).click();
    await toast('Conversation marked as not spam').waitFor();
    await page.keyboard.press('z');
    await rowOf(page, dates).waitFor();
    await page.getByRole('button', { name: 'Delete all spam' }).click();
    await page
      .getByRole('alertdialog', { name: 'Move 1 spam message to Deleted?' })
      .getByRole('button', { name: 'Delete all spam' })
      .click();
    await toast('1 message moved to Deleted').waitFor();
    await page.getByText('No spam').waitFor();
    await folder('deleted');
    await rowOf(page, dates).getByText('30 days left').first().waitFor();
  });

  test('a snoozed message leaves the inbox, shows until when, and can be moved back', async () => {
    await rowOf(page, endive).hover();
    await rowOf(page, endive).getByRole('button', { name: 'Snooze' }).click();
    const tomorrow = page.getByRole('button', { name: /Tomorrow/ });
    await expect.poll(() => tomorrow.evaluate(it => it.getAnimations({ subtree: false }).length)).toBe(0);
    const opened = await tomorrow.boundingBox();
    // The button disappears when the mouse leaves; the menu it opened stays where it is.
    await page.mouse.move(900, 850);
    await rowOf(page, endive).getByRole('button', { name: 'Snooze' }).waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1440, height: 880 });
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await tomorrow.boundingBox()).toEqual(opened);
    await tomorrow.click();
    await toast(/^Conversation snoozed until/).waitFor();
    await expect.poll(shown).not.toContain(endive);
    await undo();
    await rowOf(page, endive).waitFor();
    await link(endive).click();
    await page.getByText(`A letter, ${endive}.`).last().waitFor();
    await page.keyboard.press('b');
    await page.getByRole('button', { name: 'Pick date and time' }).click();
    await page.getByLabel('Date and time').fill('2020-01-01T08:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Snooze', exact: true }).click();
    await page.getByText('Choose a time within the next year').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('b');
    await page.getByRole('button', { name: /Tomorrow/ }).click();
    await toast(/^Conversation snoozed until/).waitFor();
    await folder('snoozed');
    await expect.poll(() => words(endive)).toMatch(/Until .*\d+:\d\d/);
    await link(endive).click();
    await page.keyboard.press('b');
    await page.getByRole('button', { name: 'Move to Inbox now' }).click();
    await toast('Conversation moved to Inbox').waitFor();
    await folder('recieved');
    await rowOf(page, endive).waitFor();
  });

  test('a blocked sender is listed in the settings and can be unblocked', async () => {
    await link(bread).click();
    await page.getByText(`A letter, ${bread}.`).last().waitFor();
    await toolbar().getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Block sender' }).click();
    await toast('cook1@kitchen.test is blocked. New messages from this sender go to Spam.').waitFor();
    await page.goto(`${story.product.baseUrl}/app/security/spam`);
    const blocked = page.getByRole('region', { name: 'Blocked senders' });
    await blocked.getByText('cook1@kitchen.test').waitFor();
    await blocked.getByRole('textbox').fill('Ann <ann@x.test>, @spam.test\nnobody');
    await blocked.getByRole('button', { name: 'Add' }).click();
    await blocked.getByText(/nobody isn’t an address or domain/).waitFor();
    await blocked.getByRole('textbox').fill('Ann <ann@x.test>, @spam.test');
    await blocked.getByRole('button', { name: 'Add' }).click();
    await blocked.getByText('@spam.test').waitFor();
    await blocked.getByRole('button', { name: 'Remove cook1@kitchen.test' }).click();
    await expect
      .poll(() => blocked.getByRole('listitem').allTextContents())
      .toEqual(['ann@x.test', '@spam.test']);
    await page.reload();
    await blocked.getByText('@spam.test').waitFor();
  });

  test('a rule created from a message can be tested, sorts new mail, and can be restored after deletion', async () => {
    await link(apple).click();
    await page.getByText(`A letter, ${apple}.`).last().waitFor();
    await toolbar().getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Create rule from message' }).click();
    const editor = page.getByRole('dialog', { name: 'New rule' });
    await editor.getByRole('button', { name: 'Save rule' }).click();
    await editor.getByText('Choose at least one action').waitFor();
    await editor.getByRole('checkbox', { name: 'Star' }).check();
    await editor.getByRole('checkbox', { name: 'Add tag inbox' }).check();
    await editor.getByRole('button', { name: 'Test rule' }).click();
    await editor.getByText(/Matches 1 of the \d+ newest messages/).waitFor();
    await editor.getByRole('button', { name: 'Save rule' }).click();
    await toast(/^Rule saved/).waitFor();
    await sendFromOutside(story.product.smtpPort, {
      to,
      subject: 'About Figs',
      text: 'Sorted.',
      from: { name: 'Cook 0', address: 'cook0@kitchen.test' },
    });
    await awaitMail(page, 'About Figs');
    await expect.poll(() => words('About Figs')).toMatch(/starred.*tagged inbox/);
    await settings('rules', 'Rules');
    await page.getByText('Sender is “cook0@kitchen.test”').waitFor();
    await page.getByRole('button', { name: 'Delete Mail from cook0@kitchen.test' }).click();
    await page.getByText('No rules yet').waitFor();
    await undo();
    await page.getByText('Sender is “cook0@kitchen.test”').waitFor();
  });

  test('a tag that another device creates, recolors or deletes is updated here', async () => {
    const { tags } = clientOf(story.person, story.product.baseUrl);
    const made = sidebar().getByRole('link', { name: /Elsewhere/ });
    await tags.save({ tag: { name: 'Elsewhere', color: 'peach' } });
    await made.waitFor();
    const color = () => made.locator('[data-color]').first().getAttribute('data-color');
    await expect.poll(() => color()).toBe('peach');
    await tags.save({ tag: { name: 'Elsewhere', color: 'mint' } });
    await expect.poll(color, { timeout: 15_000 }).toBe('mint');
    await tags.remove({ name: 'Elsewhere' });
    await made.waitFor({ state: 'detached' });
  });

  test('signatures and templates can be created and persist, and a deleted signature can be restored', async () => {
    await settings('signatures', 'Signatures');
    await page.getByRole('button', { name: 'New signature' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Work');
    await page.getByRole('textbox', { name: 'Signature' }).click();
    await page.keyboard.type('Alice, at work');
    await page.getByRole('button', { name: 'Save' }).click();
    const list = page.getByRole('list', { name: 'Signatures' });
    await list.getByText('Alice, at work').waitFor();
    await list.getByText('Default').waitFor();
    await list.getByRole('button', { name: 'Delete Work' }).click();
    await page.getByText('No signatures yet').waitFor();
    await undo();
    await list.getByText('Alice, at work').waitFor();
    await settings('templates', 'Templates');
    await page.getByRole('button', { name: 'New template' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Thanks');
    await page.getByRole('textbox', { name: 'Text' }).click();
    await page.keyboard.type('Many thanks for your letter.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Many thanks for your letter.').waitFor();
    await page.reload();
    await page.getByText('Many thanks for your letter.').waitFor();
  });

  test('density and reading pane settings change the list and persist', async () => {
    await settings('appearance', 'Appearance');
    await choose(page.getByRole('combobox', { name: 'Density' }), 'Compact (two lines)');
    await page.getByRole('switch', { name: 'Reading pane' }).click();
    await folder('recieved');
    await expect.poll(async () => (await rowOf(page, apple).boundingBox())?.height).toBe(40);
    await link(apple).click();
    await page.getByText(`A letter, ${apple}.`).last().waitFor();
    await expect.poll(() => page.getByRole('list', { name: 'Messages' }).isVisible()).toBe(false);
    await page.keyboard.press('u');
    await rowOf(page, apple).waitFor();
    await settings('appearance', 'Appearance');
    await page.getByRole('switch', { name: 'Reading pane' }).click();
    await folder('recieved');
    await expect.poll(async () => (await rowOf(page, apple).boundingBox())?.height).toBe(56);
  });

  test('a whole folder is selected without loading it, minus unchecked rows, archived after a prompt and undone', async () => {
    await sendFromOutside(
      story.product.smtpPort,
      ...Array.from({ length: CROWD }, (_, number) => ({
        to,
        subject: `Crowd ${number}`,
        text: 'One of many.',
        from: { name: `Person ${number}`, address: `person${number}@crowd.test` },
      })),
    );
    await awaitMail(page, `Crowd ${CROWD - 1}`);
    const counted = page.getByText(/^\d+ conversations$/);
    // The count updates by itself, and may update once more after the last message has arrived.
    let total = 0;
    await expect
      .poll(
        async () => {
          const before = total;
          total = Number.parseInt((await counted.textContent()) ?? '', 10);
          return total > CROWD && total === before;
        },
        { interval: 500 },
      )
      .toBe(true);
    await page.getByRole('heading', { name: 'Inbox' }).hover();
    await page.getByRole('checkbox', { name: 'Select all loaded messages' }).click();
    await page.getByRole('heading', { name: '50 selected' }).waitFor();
    await page.getByText('All 50 on this page are selected.').waitFor();
    await page.getByRole('button', { name: `Select all ${total} in Inbox` }).click();
    await page.getByRole('heading', { name: `${total} selected` }).waitFor();
    await rowOf(page, `Crowd ${CROWD - 2}`)
      .getByRole('checkbox')
      .click();
    await page.getByRole('heading', { name: `${total - 1} selected` }).waitFor();
    await page
      .getByRole('toolbar', { name: 'Selected messages' })
      .getByRole('button', { name: 'Archive' })
      .click();
    await page
      .getByRole('alertdialog', { name: `Archive: ${total - 1} conversations?` })
      .getByRole('button', { name: 'Archive' })
      .click();
    await toast(`${total - 1} conversations archived`).waitFor();
    await expect
      .poll(async () => (await page.getByRole('list', { name: 'Messages' }).textContent()) ?? '')
      .toMatch(`Crowd ${CROWD - 2}`);
    await expect
      .poll(() => page.getByRole('list', { name: 'Messages' }).getByRole('listitem').count())
      .toBe(1);
    await undo();
    await page.getByText(`${total} conversations`).waitFor();
  });

  test('new mail waits behind a button while the list is scrolled, and appears at the top when it is clicked', async () => {
    await page.locator('#list').hover();
    await page.mouse.wheel(0, 1_500);
    await expect.poll(() => page.locator('#list').evaluate(list => list.scrollTop)).toBeGreaterThan(1_000);
    const later = { name: 'Late Lena', address: 'lena@late.test' };
    await sendFromOutside(story.product.smtpPort, {
      to,
      subject: 'About Grapes',
      text: 'Fresh.',
      from: later,
    });
    await page.getByRole('button', { name: '1 new message' }).click();
    await rowOf(page, 'About Grapes').waitFor();
    await expect.poll(() => page.locator('#list').evaluate(list => list.scrollTop)).toBe(0);
  });

  test('a rule about the subject sorts end-to-end encrypted mail on this device', async () => {
    await settings('rules', 'Rules');
    await page.getByRole('button', { name: 'New rule' }).click();
    const editor = page.getByRole('dialog', { name: 'New rule' });
    await editor.getByRole('textbox', { name: 'Rule name' }).fill('Secrets');
    await choose(editor.getByRole('combobox', { name: 'Field' }), 'Subject');
    await editor.getByRole('textbox', { name: 'Text to match' }).fill('hush');
    await editor.getByRole('checkbox', { name: 'Star' }).check();
    await editor.getByRole('button', { name: 'Save rule' }).click();
    await toast(/^Rule saved/).waitFor();
    await folder('recieved');
    const bob = await openPerson(story.browser);
    await join(bob, story.product.baseUrl, 'Bob Brandt', 'bob');
    await startDraft(bob.page, to, 'sealed');
    await bob.page.getByRole('textbox', { name: 'Subject' }).fill('Hush, a secret');
    await bob.page.getByRole('button', { name: 'Send', exact: true }).click();
    // The message has no text, so the composer asks for confirmation.
    await bob.page.getByRole('button', { name: 'Send anyway' }).click();
    await expect
      .poll(async () => ((await rowOf(page, 'Hush, a secret').count()) > 0 ? words('Hush, a secret') : ''), {
        timeout: 40_000,
      })
      .toMatch(/starred/);
    expect(bob.problems).toEqual([]);
    await bob.context.close();
  });

  test('a list that fails to load shows when it retries, and keeps its rows', async () => {
    await page.route('**/user/query?*', route => route.fulfill({ status: 503, json: {} }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again now' }).waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Messages' }).getByRole('listitem').count())
      .toBeGreaterThan(5);
    await page.goto(`${story.product.baseUrl}/app/inbox/sent/0`);
    await page.getByText(/Trying again in \d+ s\./).waitFor();
    await page.unroute('**/user/query?*');
    await page.getByRole('button', { name: 'Try again now' }).click();
    await page.getByText('Nothing sent yet').waitFor();
  });

  test('on a phone rows can be swiped, pulling down fetches mail, and a long press selects', async () => {
    const phone = await openPerson(story.browser, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      storageState: await story.person.context.storageState(),
    });
    const small = phone.page;
    await small.goto(`${story.product.baseUrl}/app/inbox/recieved/0`);
    const row = rowOf(small, `Crowd ${CROWD - 1}`);
    await row.waitFor();
    const touch = await phone.context.newCDPSession(small);
    const drag = async (from: { x: number; y: number }, by: { x: number; y: number }) => {
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number) =>
        touch.send('Input.dispatchTouchEvent', {
          type,
          touchPoints:
            type === 'touchEnd' ? [] : [{ x: from.x + (by.x * step) / 8, y: from.y + (by.y * step) / 8 }],
        });
      // Sent together, so that a busy machine does not turn it into a long press.
      await Promise.all([send('touchStart', 0), send('touchMove', 1)]);
      for (let step = 2; step <= 8; step += 1) await send('touchMove', step);
      await send('touchEnd', 8);
    };
    const place = async () => {
      const box = await row.boundingBox();
      return { x: 120, y: (box?.y ?? 0) + 40 };
    };
    await expect
      .poll(() =>
        small.evaluate(() =>
          performance.getEntriesByType('resource').some(({ name }) => name.includes('gestures')),
        ),
      )
      .toBe(true);
    await drag(await place(), { x: 90, y: 0 });
    await row.waitFor();
    // A touch at the screen edge is the system's Back gesture.
    const { y } = await place();
    await drag({ x: 10, y }, { x: 190, y: 0 });
    expect(phone.problems).toEqual([]);
    await row.waitFor();
    await drag(await place(), { x: 190, y: 0 });
    await small.getByText('Conversation archived').waitFor();
    await row.waitFor({ state: 'detached' });
    await small.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    const asked = small.waitForRequest('**/user/query?*');
    await drag({ x: 200, y: 300 }, { x: 0, y: 260 });
    await asked;
    await expect.poll(() => small.locator('#list').evaluate(one => one.style.transform)).toBe('');
    // A long press selects; it neither opens the message nor shows the link menu.
    await small.evaluate(() => {
      addEventListener('contextmenu', event => {
        if (!event.defaultPrevented) document.body.dataset.menu = 'shown';
      });
    });
    const at = await place();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
    await small.getByRole('heading', { name: '1 selected' }).waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await row.getByRole('checkbox', { checked: true }).waitFor();
    expect(small.url()).not.toContain('m=');
    await expect.poll(() => small.locator('body[data-menu]').count()).toBe(0);
    // The next tap opens the message again.
    await row.getByRole('checkbox').tap();
    await small.getByRole('heading', { name: '1 selected' }).waitFor({ state: 'detached' });
    await row.getByRole('link').first().tap();
    await small.waitForURL(/m=/);
    expect(phone.problems).toEqual([]);
    await phone.context.close();
  });

  test('the page reports no problem except the provoked ones', () => {
    expect(story.person.problems.filter(problem => !/status of (503|404)/.test(problem))).toEqual([]);
  });
});
