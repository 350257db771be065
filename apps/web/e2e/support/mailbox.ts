// Places of the mailbox that stories look at: a folder, the toasts.
import type { Locator, Page } from 'playwright-core';

/** Opens a folder or tag; resolves when its rows are there, or the words of an empty one. */
export const openFolder = async (page: Page, baseUrl: string, word: string): Promise<void> => {
  await page.goto(`${baseUrl}/app/inbox/${encodeURIComponent(word)}/0`);
  await page.getByRole('button', { name: 'Refresh' }).waitFor();
  // The empty reader beside the list has a heading too.
  await page.locator('[data-index], section[aria-label] h2').first().waitFor();
};

/** Where toasts stand. */
export const notices = (page: Page): Locator => page.getByRole('region', { name: 'Notifications' });
