// A person in front of the product: a browser profile of their own with one page. A page that logs an error, throws, or
// breaks the content policy fails its story.
import type { Browser, BrowserContext, Page } from 'playwright-core';

export type Person = { readonly context: BrowserContext; readonly page: Page; readonly problems: string[] };

/** Longest wait for one step of a story, generous for a busy machine. */
const stepTimeoutMs = 15_000;

/** A browser profile of its own with one page; `problems` collects what no page may do. */
export const openPerson = async (
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Person> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(stepTimeoutMs);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('console', message => {
    // A refused session check answers 401, which the browser itself logs.
    const isExpected = /status of 401/.test(message.text());
    if (message.type() === 'error' && !isExpected)
      problems.push(`console: ${message.text()} ${message.location().url}`);
  });
  return { context, page, problems };
};
