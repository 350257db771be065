// Points in time in Windows FILETIME form.

const FILETIME_TO_UNIX_MS = 11_644_473_600_000;

/**
 * Returns the time of a FILETIME (100 ns units since 1601); null when unset or in an implausible
 * year for mail.
 */
export function findFileTime(view: DataView, offset = 0): Date | null {
  if (view.byteLength < offset + 8) return null;
  const ticks = view.getUint32(offset + 4, true) * 0x1_0000_0000 + view.getUint32(offset, true);
  const date = new Date(Math.floor(ticks / 10_000) - FILETIME_TO_UNIX_MS);
  const year = date.getUTCFullYear();
  return ticks > 0 && year >= 1970 && year < 2200 ? date : null;
}
