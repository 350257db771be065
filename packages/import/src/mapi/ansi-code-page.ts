// Finds the code page of a message's non-Unicode texts: that of the machine on which it was
// written. The Internet code page, stored next to it, is a different one.

import type { MapiBag } from './item.ts';
import { TAGS } from './tags.ts';

/**
 * Code pages by locale language, [MS-LCID]. Western European and all other languages are not
 * listed.
 */
const BY_LANGUAGE: Readonly<Record<number, number>> = {
  1: 1256,
  2: 1251,
  4: 936,
  5: 1250,
  8: 1253,
  13: 1255,
  14: 1250,
  17: 932,
  18: 949,
  21: 1250,
  24: 1250,
  25: 1251,
  26: 1250,
  27: 1250,
  28: 1250,
  30: 874,
  31: 1254,
  32: 1256,
  34: 1251,
  35: 1251,
  36: 1250,
  37: 1257,
  38: 1257,
  39: 1257,
  41: 1256,
  42: 1258,
  44: 1254,
  47: 1251,
};
/**
 * Locales whose code page differs from that of their language: Chinese in Taiwan, Hong Kong and
 * Macau, Cyrillic Serbian.
 */
const BY_LOCALE: Readonly<Record<number, number>> = {
  1028: 950,
  3076: 950,
  5124: 950,
  3098: 1251,
  7194: 1251,
  10266: 1251,
  12314: 1251,
};

/** Returns the code page, or null when the message does not state one. */
export function ansiCodePageOf(bag: MapiBag): number | null {
  const stated = bag.number(TAGS.messageCodePage);
  if (stated !== null) return stated;
  const locale = bag.number(TAGS.messageLocale);
  const known = locale === null ? undefined : (BY_LOCALE[locale & 0xffff] ?? BY_LANGUAGE[locale & 0x3ff]);
  return known ?? bag.number(TAGS.internetCodePage);
}
