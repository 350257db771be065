/** Runs the measured code of a benchmark in a separate Chromium page. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openChromium, serveFolder } from './chromium.mjs';
import { buildPage } from './page.mjs';

/**
 * Builds bench/NAME, serves it with `files` (by URL path), and returns the result of its page's
 * `measure(argument)`.
 */
export async function measurePage(name, files, argument) {
  const outDir = await mkdtemp(path.join(os.tmpdir(), `keyfold-${name}-`));
  await buildPage(name, outDir);
  const site = await serveFolder(outDir, files);
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.waitForFunction(() => 'measure' in globalThis);
    return await page.evaluate(given => globalThis.measure(given), argument);
  } finally {
    await browser.close();
    await site.close();
    await rm(outDir, { recursive: true, force: true });
  }
}
