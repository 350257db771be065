// What is open in the browsers of a story, for the word of a failure: a page that did not come on a busy machine may come the
// next time, and then nobody knows what was there instead.
import type { Page, Request } from 'playwright-core';

type OpenPage = {
  readonly page: Page;
  readonly underWay: Set<Request>;
  readonly problems: readonly string[];
};

const open = new Set<OpenPage>();

/** Most characters that are told of what one page shows, and the longest wait for it. */
const SHOWN_MAX_CHARS = 4_000;
const SHOW_TIMEOUT_MS = 3_000;

/** Remembers a page until it is closed; `problems` are told with it. */
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

/** Of each open page: where it is, what it shows, with what stands in its fields, its workers, what it waits for, its problems. */
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
