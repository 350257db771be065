// A user of the product: a separate browser profile with one page. A page that logs an error,
// throws, or violates the content policy fails its test.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { clusterKillsMs } from './cluster-mode.ts';
import { noteOpenPage } from './open-pages.ts';
import { retryLostClicks } from './retry-click.ts';
import { leaveWhenSaved } from './saved.ts';
import { traceContext } from './traces.ts';

export type Person = { readonly context: BrowserContext; readonly page: Page; readonly problems: string[] };

/** Maximum wait for one step of a test, generous for a busy machine. */
const STEP_TIMEOUT_MS = 30_000;

/**
 * Returns whether a log entry is about a request whose node was killed; the test itself checks how
 * the page reacts.
 */
const isOfKill = (text: string): boolean =>
  clusterKillsMs !== null && /net::ERR_|status of 50[23]|Failed to fetch/.test(text);

/**
 * Returns whether a log entry is about a network of this machine that appeared or disappeared, such
 * as those that multi-node tests create. The browser then aborts pending requests, and the page
 * retries.
 */
const isOfNetworks = (text: string): boolean => text.includes('net::ERR_NETWORK_CHANGED');

/** Opens a separate browser profile with one page; `problems` collects what no page may do. */
export async function openPerson(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Person> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    // The service worker fetches the whole program, which would disturb tests that count requests;
    // offline.test.ts allows it.
    serviceWorkers: 'block',
    ...options,
  });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  // Tests about other topics need not wait for the undo period of a sent message.
  await context.addInitScript(() => {
    try {
      if (localStorage.getItem('undo_send_seconds') === null) localStorage.setItem('undo_send_seconds', '0');
      // Nor do they need the recovery kit reminder.
      sessionStorage.setItem('kit_later', '1');
    } catch {
      // A page without storage.
    }
  });
  await traceContext(context);
  await retryLostClicks(context);
  const page = await context.newPage();
  leaveWhenSaved(page);
  const problems: string[] = [];
  noteOpenPage(page, problems);
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('console', message => {
    // A refused session check answers 401, and settings that were never saved answer 404
    // (docs/spec-map.md 8). The browser itself logs both.
    const { url } = message.location();
    const isExpected =
      /status of 401/.test(message.text()) ||
      (/status of 404/.test(message.text()) && url.endsWith('/user/security/settings'));
    if (
      message.type() === 'error' &&
      !isExpected &&
      !isOfKill(message.text()) &&
      !isOfNetworks(message.text())
    )
      problems.push(`console: ${message.text()} ${url}`);
  });
  return { context, page, problems };
}

/**
 * Returns the cookies, for `addCookies`, that make another profile pass for this one, so that no
 * new-browser notice is sent.
 */
export const knownBrowser = async (context: BrowserContext) =>
  (await context.cookies()).filter(({ name }) => name.endsWith('keyfold_browser'));
