// Measures what a browser fetches until an element appears on the page: the scripts requested by
// then, those of workers included, or the styles, and the moment itself, by the clock that also
// times requests.
import { brotliCompressSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';

/** Selectors of the elements that users wait for. */
export const signinForm = 'input[type=password]';
export const listRow = 'ul[aria-label="Messages"] li';

type Seen = { readonly firstSeen: Readonly<Record<string, number>> };

/** Records when each of these selectors first matches; call before the page is loaded. */
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

/**
 * Returns when the selector first matched, in milliseconds since 1970. Waits for it, and until the
 * page has finished its requests.
 */
export async function firstSeen(page: Page, selector: string): Promise<number> {
  await page.locator(selector).first().waitFor();
  await page.waitForLoadState('networkidle');
  return page.evaluate(name => (globalThis as unknown as Seen).firstSeen[name] ?? Number.NaN, selector);
}

/** Returns the milliseconds from the start of the load until the selector matched. */
export const loadMs = async (page: Page, selector: string): Promise<number> =>
  (await firstSeen(page, selector)) - (await page.evaluate(() => performance.timeOrigin));

/**
 * Collects the scripts, or files with another extension, that a browser profile requests from now
 * on. The returned function gives the kilobytes of brotli requested up to a moment.
 */
export function collectScripts(
  context: BrowserContext,
  ending = '.js',
): (untilMs: number) => Promise<number> {
  // The first response for each address; a later one may be "not modified", which has no body.
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
