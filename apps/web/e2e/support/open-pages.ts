// Describes the open pages of a test for its failure report. A page that failed to appear on a busy
// machine may appear the next time, and then the original state would be unknown.
import type { Page, Request } from 'playwright-core';

type OpenPage = {
  readonly page: Page;
  readonly underWay: Set<Request>;
  readonly problems: readonly string[];
};

const open = new Set<OpenPage>();

/** Maximum number of characters reported per page, and the maximum wait for them. */
const SHOWN_MAX_CHARS = 4_000;
const SHOW_TIMEOUT_MS = 3_000;

/** Tracks a page until it is closed; `problems` are reported with it. */
export function noteOpenPage(page: Page, problems: readonly string[]): void {
  const underWay = new Set<Request>();
  const one = { page, underWay, problems };
  open.add(one);
  const end = (request: Request) => underWay.delete(request);
  page.on('request', request => underWay.add(request));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  page.on('framenavigated', frame => {
    if (frame === page.mainFrame()) underWay.clear();
  });
  page.on('close', () => open.delete(one));
}

/**
 * Returns for each open page: its URL, what it shows, with the values of its fields, its workers,
 * its pending requests, and its problems.
 */
export const tellOpenPages = (): Promise<readonly string[]> =>
  Promise.all(
    [...open].map(async ({ page, underWay, problems }) => {
      const shown = await page
        .locator('body')
        .ariaSnapshot({ timeout: SHOW_TIMEOUT_MS })
        .catch((error: Error) => `nothing to be had: ${error.message}`);
      return [
        `A page was open at ${page.url()}`,
        shown.slice(0, SHOWN_MAX_CHARS),
        `workers: ${page.workers().map(worker => new URL(worker.url()).pathname)}`,
        `under way: ${[...underWay].map(request => `${request.method()} ${new URL(request.url()).pathname}`)}`,
        `problems: ${problems.join('; ')}`,
      ].join('\n');
    }),
  );
