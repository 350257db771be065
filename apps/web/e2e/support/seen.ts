// Records every heading that was ever painted in a page, so that a test can assert what was never
// shown, not even briefly during navigation.
import type { Page } from 'playwright-core';

/** Starts recording. It survives page loads, each of which starts with an empty record. */
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
