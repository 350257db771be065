// A person in front of the product: a browser profile of their own with one page. A page that logs an error, throws, or
// breaks the content policy fails its story.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { clusterKillsMs } from './cluster-mode.ts';
import { noteOpenPage } from './open-pages.ts';
import { retryLostClicks } from './retry-click.ts';
import { leaveWhenSaved } from './saved.ts';
import { traceContext } from './traces.ts';

export type Person = { readonly context: BrowserContext; readonly page: Page; readonly problems: string[] };

/** Longest wait for one step of a story, generous for a busy machine. */
const STEP_TIMEOUT_MS = 30_000;

/** What the browser logs of a request whose node was killed under it: what the page makes of that, the story sees. */
const isOfKill = (text: string): boolean =>
  clusterKillsMs !== null && /net::ERR_|status of 50[23]|Failed to fetch/.test(text);

/**
 * What it logs when a network of this machine comes or goes, as those that tests of several nodes make: it ends what is under way,
 * and the page asks again.
 */
const isOfNetworks = (text: string): boolean => text.includes('net::ERR_NETWORK_CHANGED');

/** A browser profile of its own with one page; `problems` collects what no page may do. */
export async function openPerson(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Person> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    // It fetches the whole program, which stories that count requests must not see; offline.test.ts lets it.
    serviceWorkers: 'block',
    ...options,
  });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  // Stories about other things need not wait for a letter that could still be taken back.
  await context.addInitScript(() => {
    try {
      if (localStorage.getItem('undo_send_seconds') === null) localStorage.setItem('undo_send_seconds', '0');
      // Nor need they see the reminder of the recovery kit.
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
    // A refused session check answers 401, and settings that were never saved 404 (docs/spec-map.md 8): the browser itself logs
    // both.
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

/** What lets another profile pass for this one, so that no notice of a new browser comes: for `addCookies`. */
export const knownBrowser = async (context: BrowserContext) =>
  (await context.cookies()).filter(({ name }) => name.endsWith('keyfold_browser'));
