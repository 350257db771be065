// A person sees that something was done before they go on to another page. A story that loads a page in the same
// millisecond as it clicked would cut off the request of the click.
import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';

/** So long nothing may have been sent before a page counts as done. */
const QUIET_MS = 30;

/** Requests that a story holds back itself are not waited for longer. */
const PATIENCE_MS = 5_000;

/** Makes every load of another page, and every reload, wait until what the page has to tell the server was told. */
export function leaveWhenSaved(page: Page): void {
  const open = new Set<Request>();
  const forget = (request: Request) => open.delete(request);
  page.on('request', request => {
    if (request.method() !== 'GET') open.add(request);
  });
  page.on('requestfinished', forget);
  page.on('requestfailed', forget);
  page.on('framenavigated', frame => {
    if (frame === page.mainFrame()) open.clear();
  });

  const saved = async (): Promise<void> => {
    const until = Date.now() + PATIENCE_MS;
    do await pause(QUIET_MS);
    while (open.size > 0 && Date.now() < until);
  };
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (...args) => {
    await saved();
    return goto(...args);
  };
  page.reload = async (...args) => {
    await saved();
    return reload(...args);
  };
}
