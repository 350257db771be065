// Starts the Chromium of the machine for browser tests; says clearly when there is none.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const paths = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Where Chromium is, or null when the machine has none. */
export const chromiumPath: string | null = paths.find(path => path !== undefined && existsSync(path)) ?? null;

/** A headless browser without any traffic of its own; `more` are further switches of Chromium. */
export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  if (chromiumPath === null) throw new Error('No Chromium found. Install it or set CHROMIUM_PATH.');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}
