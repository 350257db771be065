// Chromium for the stories: found where the machine has it, started without the background traffic of its vendor. A page
// that logs an error, throws, or breaks the content policy fails its story.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].filter((place): place is string => place !== undefined && place !== '');

/** Path of a Chromium, or null when the machine has none: stories are then skipped with a message. */
export const findChromium = (): string | null => places.find(place => existsSync(place)) ?? null;

export const launchBrowser = (): Promise<Browser> => {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error('No Chromium on this machine');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
};

export type Person = { readonly context: BrowserContext; readonly page: Page; readonly problems: string[] };

/** A browser profile of its own with one page; `problems` collects what no page may do. */
export const openPerson = async (
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Person> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(`error: ${error.message}`));
  page.on('console', message => {
    // A refused session check answers 401, which the browser itself logs.
    const isExpected = /status of 401/.test(message.text());
    if (message.type() === 'error' && !isExpected) problems.push(`console: ${message.text()}`);
  });
  return { context, page, problems };
};
