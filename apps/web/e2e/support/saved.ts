// Delays navigation until changes are saved. A user sees that an action is done before leaving the
// page, whereas a test that loads a page in the millisecond of its click would abort the click's
// request.
import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Request } from 'playwright-core';

/** Time without a request after which a page counts as done. */
const QUIET_MS = 30;

/** Maximum wait for requests; a test may hold some back itself. */
const PATIENCE_MS = 5_000;

/** Makes every navigation and reload wait until the page has sent its changes to the server. */
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
