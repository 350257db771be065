// What a browser fetches until something stands on the page: the scripts asked for by then, those of workers included, or the
// styles, and the moment itself, by the clock that requests are timed with.
import { brotliCompressSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';

/** Selectors of what people wait for. */
export const signinForm = 'input[type=password]';
export const listRow = 'ul[aria-label="Messages"] li';

type Seen = { readonly firstSeen: Readonly<Record<string, number>> };

/** Remembers when each of these first stood on the page; call before the page is loaded. */
export const watchFor = (page: Page, ...selectors: readonly string[]) =>
  page.addInitScript(wanted => {
    const seen: Record<string, number> = {};
    Object.assign(globalThis, { firstSeen: seen });
    const look = () => {
      for (const selector of wanted)
        if (!(selector in seen) && document.querySelector(selector) !== null) seen[selector] = Date.now();
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  }, selectors);

/** When it first stood there, in milliseconds since 1970; waits for it, and until the page has fetched what it wants. */
export async function firstSeen(page: Page, selector: string): Promise<number> {
  await page.locator(selector).first().waitFor();
  await page.waitForLoadState('networkidle');
  return page.evaluate(name => (globalThis as unknown as Seen).firstSeen[name] ?? Number.NaN, selector);
}

/** Milliseconds from the start of the load until it stood there. */
export const loadMs = async (page: Page, selector: string): Promise<number> =>
  (await firstSeen(page, selector)) - (await page.evaluate(() => performance.timeOrigin));

/**
 * Collects the scripts, or files with another ending, that a browser profile asks for from now on; the function says how
 * many kilobytes of brotli had been asked for by a moment.
 */
export function collectScripts(
  context: BrowserContext,
  ending = '.js',
): (untilMs: number) => Promise<number> {
  // The first answer for each address: a later one may be "not modified", which has no body.
  const scripts = new Map<string, { readonly askedMs: number; readonly bytes: Promise<number> }>();
  context.on('requestfinished', request => {
    const { pathname } = new URL(request.url());
    if (!pathname.endsWith(ending) || scripts.has(pathname)) return;
    const bytes = request
      .response()
      .then(async reply => brotliCompressSync((await reply?.body()) ?? Buffer.alloc(0)).length);
    bytes.catch(() => undefined);
    scripts.set(pathname, { askedMs: request.timing().startTime, bytes });
  });
  return async untilMs => {
    const asked = [...scripts.values()].filter(({ askedMs }) => askedMs <= untilMs);
    const sizes = await Promise.all(asked.map(({ bytes }) => bytes));
    return sizes.reduce((sum, size) => sum + size, 0) / 1000;
  };
}
