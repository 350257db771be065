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

/**
 * What the browser would do beside the pages. The first three draw the suggestions of an address bar that nobody sees, in a
 * process of its own for each window, at the cost of most of opening one. Only the last of these switches counts, so those
 * that Playwright turns off for its own sake are named again.
 */
const features = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Where Debian puts the shell of the Chromium above. */
const shellPath = `${chromiumPath}-headless-shell`;

export type BrowserOptions = {
  /** Further switches of Chromium. */
  readonly more?: readonly string[];
  /** Chromium itself, for what its shell lacks. The shell draws no window, and a page costs it a third less. */
  readonly isWhole?: boolean;
};

/** A headless browser without any traffic of its own. */
export function openBrowser({ more = [], isWhole = false }: BrowserOptions = {}): Promise<Browser> {
  if (chromiumPath === null) throw new Error('No Chromium found. Install it or set CHROMIUM_PATH.');
  return chromium.launch({
    executablePath: !isWhole && existsSync(shellPath) ? shellPath : chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${features.join(',')}`,
      ...more,
    ],
  });
}
