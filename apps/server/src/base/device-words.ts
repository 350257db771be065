/**
 * Converts a User-Agent to a readable browser and system name. A guess for lists and notices that
 * no rule may depend on; unrecognized values are null.
 */
import { NATIVE_AGENT } from '@keyfold/contract/native';

export type DeviceWords = { readonly browser: string | null; readonly system: string | null };

/** The first match wins: most browsers also claim to be the ones after them. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`\\b${NATIVE_AGENT}/`), 'Keyfold app'],
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|HeadlessChrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstOf = (list: readonly (readonly [RegExp, string])[], text: string): string | null =>
  list.find(([pattern]) => pattern.test(text))?.[1] ?? null;

export const deviceWordsOf = (userAgent: string): DeviceWords => ({
  browser: firstOf(BROWSERS, userAgent),
  system: firstOf(SYSTEMS, userAgent),
});
