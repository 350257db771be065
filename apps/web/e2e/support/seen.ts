// Remembers every heading that was ever painted in a page, so that a story can say what was never shown, not even for a
// moment on the way to somewhere else.
import type { Page } from 'playwright-core';

/** Starts remembering; survives loads of other pages, each of which starts with an empty memory. */
export async function watchHeadings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(globalThis, { headingsSeen: seen });
    const look = () => {
      for (const heading of document.querySelectorAll('h1')) seen.add(heading.textContent ?? '');
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** The headings painted since the page was loaded. */
export const headingsSeen = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...(globalThis as unknown as { headingsSeen: Set<string> }).headingsSeen]);
