// Starts the machine's Chromium for browser tests; reports clearly when there is none.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const paths = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Path of Chromium, or null when the machine has none. */
export const chromiumPath: string | null = paths.find(path => path !== undefined && existsSync(path)) ?? null;

/**
 * Browser features that are disabled because tests do not need them. The first three render address
 * bar suggestions that are never visible, in a separate process for each window, and account for
 * most of the cost of opening one. Chromium honors only the last of these switches, so the list
 * repeats the features that Playwright disables.
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

/** Where Debian installs the headless shell of the Chromium above. */
const shellPath = `${chromiumPath}-headless-shell`;

export type BrowserOptions = {
  /** Additional Chromium switches. */
  readonly more?: readonly string[];
  /**
   * Uses full Chromium, for features that its headless shell lacks. The shell draws no window, and
   * a page costs a third less in it.
   */
  readonly isWhole?: boolean;
};

/** Opens a headless browser without any background traffic. */
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
