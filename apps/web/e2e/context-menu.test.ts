// The context menu of the list: by right click, by key, for one conversation, for a selection, and
// in a right-to-left language. On a phone a long press selects, and the same menu is behind the
// selection's "More".
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from './harness/open-browser.ts';
import { findDefects } from './support/axe.ts';
import { openPerson } from './support/browser.ts';
import { conversationToolbar, openFolder, toastWith } from './support/mailbox.ts';
import { sendFromOutside } from './support/outside.ts';
import { awaitMail, rowOf } from './support/people.ts';
import { openPhone } from './support/phone.ts';
import { useStory } from './support/story.ts';

const subjects = ['About Hazel', 'About Rowan', 'About Willow'];
const [hazel, rowan, willow] = subjects as [string, string, string];

describe.skipIf(chromiumPath === null)('the context menu (needs Chromium)', () => {
  const story = useStory();
  let page: Page;

  const inbox = () => `${story.product.baseUrl}/app/inbox/recieved/0`;
  const menu = () => page.getByRole('menu', { name: 'Conversation actions' });
  const words = () =>
    menu()
      .getByRole('menuitem')
      .allTextContents()
      .then(texts => texts.map(text => text.replace(/(?:e|#|Shift [iu]|[lbs]|!)$/, '')));
  const focusedRow = () =>
    page.evaluate(() => document.activeElement?.closest('[data-row]')?.textContent ?? '');
  const link = (subject: string) => rowOf(page, subject).getByRole('link').first();

  beforeAll(async () => {
    ({ page } = story);
    await sendFromOutside(
      story.product.smtpPort,
      ...subjects.map((subject, index) => ({
        to: 'alice@keyfold.test',
        subject,
        text: `A letter, ${subject}.`,
        from: { name: `Gardener ${index}`, address: `gardener${index}@woods.test` },
      })),
    );
    await awaitMail(page, willow);
  });

  beforeEach(async () => openFolder(page, story.product.baseUrl, 'recieved'));

  test('a right click opens it at the pointer, Archive shows a toast, and the focus stays in the list', async () => {
    const box = await rowOf(page, rowan).boundingBox();
    const point = { x: 150, y: 40 };
    await rowOf(page, rowan).click({ button: 'right', position: point });
    await menu().waitFor();
    expect(await words()).toEqual([
      'Archive',
      'Delete',
      'Mark as read',
      'Tag',
      'Snooze',
      'Star',
      'Mark as spam',
    ]);
    expect(page.url()).not.toContain('m=');
    const at = await menu().boundingBox();
    expect(Math.abs((at?.x ?? 0) - (box?.x ?? 0) - point.x)).toBeLessThan(8);
    expect(Math.abs((at?.y ?? 0) - (box?.y ?? 0) - point.y)).toBeLessThan(8);
    expect(await findDefects(page)).toEqual([]);
    await menu().getByRole('menuitem', { name: 'Archive' }).click();
    await rowOf(page, rowan).waitFor({ state: 'detached' });
    await menu().waitFor({ state: 'detached' });
    await expect.poll(focusedRow).toContain(hazel);
    await toastWith(page, 'Conversation archived').waitFor();
    await page.keyboard.press('z');
    await rowOf(page, rowan).waitFor();
  });

  test('Shift+F10 opens it below the row with its first entry focused, and Esc restores the focus', async () => {
    await link(rowan).focus();
    await page.keyboard.press('Shift+F10');
    await menu().waitFor();
    await menu().getByRole('menuitem', { name: 'Archive' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await menu().waitFor({ state: 'detached' });
    await expect.poll(focusedRow).toContain(rowan);
    await page.keyboard.press('ContextMenu');
    await menu().waitFor();
    await menu().getByRole('menuitem', { name: 'Archive' }).and(page.locator(':focus')).waitFor();
    for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowDown');
    // The same action cannot start again on this row before the server has answered.
    const answered = page.waitForResponse('**/user/star');
    await page.keyboard.press('Enter');
    await menu().waitFor({ state: 'detached' });
    await rowOf(page, rowan).getByRole('button', { name: 'Star', pressed: true }).waitFor();
    await expect.poll(focusedRow).toContain(rowan);
    await answered;
    await page.keyboard.press('Shift+F10');
    await menu().getByRole('menuitem', { name: 'Remove star' }).click();
    await rowOf(page, rowan).getByRole('button', { name: 'Star', pressed: false }).waitFor();
  });

  test('on a selected row it applies to the whole selection, on another row to that row only', async () => {
    await rowOf(page, willow).getByRole('checkbox').check({ force: true });
    await rowOf(page, rowan).getByRole('checkbox').check({ force: true });
    await rowOf(page, rowan).click({ button: 'right', position: { x: 150, y: 40 } });
    const ofSelection = page.getByRole('menu', { name: 'Selected messages' });
    await ofSelection.getByRole('menuitem', { name: 'Remove star' }).waitFor();
    await ofSelection.getByRole('menuitem', { name: /^Star/ }).click();
    for (const subject of [willow, rowan])
      await rowOf(page, subject).getByRole('button', { name: 'Star', pressed: true }).waitFor();
    await rowOf(page, hazel).click({ button: 'right', position: { x: 150, y: 40 } });
    await menu().getByRole('menuitem', { name: 'Snooze' }).click();
    await page.getByRole('dialog', { name: 'Snooze' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  test('in Deleted the shortcut and the menu restore, like the buttons', async () => {
    await link(hazel).focus();
    await page.keyboard.press('#');
    await toastWith(page, 'Conversation deleted').waitFor();
    await openFolder(page, story.product.baseUrl, 'deleted');
    await rowOf(page, hazel).click({ button: 'right', position: { x: 150, y: 40 } });
    await menu().waitFor();
    expect(await words()).toEqual(['Restore', 'Delete permanently', 'Mark as read', 'Star']);
    await page.keyboard.press('Escape');
    await menu().waitFor({ state: 'detached' });
    await page.keyboard.press('e');
    await toastWith(page, 'Conversation restored').waitFor();
    await rowOf(page, hazel).waitFor({ state: 'detached' });
  });

  test('shortcuts apply to the open conversation even if the list does not contain it', async () => {
    await link(willow).click();
    await conversationToolbar(page).waitFor();
    const id = new URL(page.url()).searchParams.get('m');
    await page.goto(`${story.product.baseUrl}/app/inbox/archived/0?m=${id}`);
    await page.getByRole('article').getByText(`A letter, ${willow}.`).waitFor();
    await page.keyboard.press('e');
    await toastWith(page, 'Conversation archived').waitFor();
    await page.keyboard.press('z');
  });

  test('in Arabic it opens to the left of the pointer', async () => {
    const arabic = await openPerson(story.browser, {
      storageState: await story.person.context.storageState(),
    });
    await arabic.page.addInitScript(() => localStorage.setItem('language', 'ar'));
    await arabic.page.goto(inbox());
    const row = arabic.page.getByRole('listitem').filter({ hasText: rowan }).first();
    const box = await row.boundingBox();
    await row.click({ button: 'right', position: { x: 250, y: 40 } });
    const opened = arabic.page.getByRole('menu', { name: 'إجراءات المحادثة' });
    await opened.waitFor();
    const at = await opened.boundingBox();
    expect(Math.abs((at?.x ?? 0) + (at?.width ?? 0) - (box?.x ?? 0) - 250)).toBeLessThan(8);
    expect(await findDefects(arabic.page)).toEqual([]);
    expect(arabic.problems).toEqual([]);
    await arabic.context.close();
  });

  test('on a phone a long press selects, and "More" opens the rest of the menu', async () => {
    const phone = await openPhone(story.browser, inbox(), story.person, 'en');
    await phone.enter();
    const box = await phone.row(rowan).boundingBox();
    const touch = await phone.context.newCDPSession(phone.page);
    const finger = { x: 150, y: (box?.y ?? 0) + 40 };
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] });
    await phone.page.getByRole('heading', { name: '1 selected' }).waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect(await phone.page.getByRole('menu').count()).toBe(0);
    const bar = phone.page.getByRole('toolbar', { name: 'Selected messages' });
    const shown = await bar
      .getByRole('button')
      .evaluateAll(all => all.filter(one => one.checkVisibility()).map(one => one.ariaLabel));
    await bar.getByRole('button', { name: 'More' }).tap();
    await phone.page.getByRole('menuitem', { name: 'Mark as spam' }).waitFor();
    const more = await phone.page.getByRole('menuitem').allTextContents();
    expect([...shown.slice(0, -1), ...more.map(text => text.replace(/(?:Shift u|[bs]|!)$/, ''))]).toEqual([
      'Archive',
      'Delete',
      'Mark as read',
      'Tag',
      'Mark as unread',
      'Snooze',
      'Star',
      'Remove star',
      'Mark as spam',
    ]);
    await phone.page.getByRole('menuitem', { name: 'Mark as spam' }).tap();
    await phone.row(rowan).waitFor({ state: 'detached' });
    expect(phone.problems).toEqual([]);
    await phone.context.close();
  });

  test('the page logs no errors', () => {
    expect(story.person.problems).toEqual([]);
  });
});
