// Parts of the mailbox that tests use: a folder, its rows, the toolbar of a conversation, the
// toasts.
import type { Locator, Page } from 'playwright-core';

/** Opens a folder or tag; resolves when its rows or its empty state are shown. */
export async function openFolder(page: Page, baseUrl: string, word: string): Promise<void> {
  await page.goto(`${baseUrl}/app/inbox/${encodeURIComponent(word)}/0`);
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  // The empty reader next to the list has a heading too.
  await page.locator('[data-index], section[aria-label] h2').first().waitFor();
}

/** Returns the region of the toasts. */
export const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' });

/** Returns the toast with this text. */
export const toastWith = (page: Page, text: string | RegExp): Locator =>
  notices(page).getByText(text).first();

/** Returns the toolbar of the open conversation. */
export const conversationToolbar = (page: Page): Locator =>
  page.getByRole('toolbar', { name: 'Conversation actions' });

/** Returns the matching text of each row, in order; "" for a row without a match. */
export const rowTexts = (page: Page, pattern: RegExp): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Messages' })
    .getByRole('listitem')
    .allTextContents()
    .then(texts => texts.map(text => pattern.exec(text)?.[0] ?? ''));
