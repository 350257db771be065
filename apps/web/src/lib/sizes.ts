// Formats sizes: B, KB, MB, GB, TB in steps of 1024, with two decimals (docs/spec-map.md 9.20), in
// the number format of the language.
import { formatLocale, isolate } from './language.ts';

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Thousands are not grouped: they occur only in the last unit. */
const writeNumber = (value: number): string =>
  value.toLocaleString(formatLocale(), {
    useGrouping: false,
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });

/**
 * Formats a size in bytes with its unit, as in "1.90 GB". Anything that is not a positive number
 * yields "0.00 B".
 */
export function formatSize(sizeBytes: number): string {
  let value = Number.isFinite(sizeBytes) && sizeBytes > 0 ? sizeBytes : 0;
  let step = 0;
  // Compares the rounded value, or 1048575 bytes would yield "1024.00 KB".
  while (step < units.length - 1 && (step === 0 ? value >= 1024 : Number(value.toFixed(2)) >= 1024)) {
    value /= 1024;
    step += 1;
  }
  // In right-to-left text the unit would move before its number.
  return isolate(`${writeNumber(value)} ${units[step]}`);
}

/** Returns the part as a percentage of the whole, 0 to 100; 0 when the whole is not positive. */
export function percentOf(part: number, whole: number): number {
  if (!(whole > 0) || !(part > 0)) return 0;
  return Math.min(100, (part / whole) * 100);
}
