// Places of the mailbox that stories look at: a folder, its rows, the toolbar of a conversation, the toasts.
import type { Locator, Page } from 'playwright-core';

/** Opens a folder or tag; resolves when its rows are there, or the words of an empty one. */
export async function openFolder(page: Page, baseUrl: string, word: string): Promise<void> {
  await page.goto(`${baseUrl}/app/inbox/${encodeURIComponent(word)}/0`);
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  // The empty reader beside the list has a heading too.
  await page.locator('[data-index], section[aria-label] h2').first().waitFor();
}

/** Where toasts stand. */
export const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' });

/** The toast with these words. */
export const toastWith = (page: Page, text: string | RegExp): Locator =>
  notices(page).getByText(text).first();

/** What can be done with the open conversation. */
export const conversationToolbar = (page: Page): Locator =>
  page.getByRole('toolbar', { name: 'Conversation actions' });

/** Of each row, in order, what matches; "" for one in which nothing does. */
export const rowTexts = (page: Page, pattern: RegExp): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Messages' })
    .getByRole('listitem')
    .allTextContents()
    .then(texts => texts.map(text => pattern.exec(text)?.[0] ?? ''));
