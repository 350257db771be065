// Points in time as Windows counts them.

const FILETIME_TO_UNIX_MS = 11_644_473_600_000;

/** A point in time of 100 ns since 1601; null for none, and for years that no mail is of. */
export function findFileTime(view: DataView, offset = 0): Date | null {
  if (view.byteLength < offset + 8) return null;
  const ticks = view.getUint32(offset + 4, true) * 0x1_0000_0000 + view.getUint32(offset, true);
  const date = new Date(Math.floor(ticks / 10_000) - FILETIME_TO_UNIX_MS);
  const year = date.getUTCFullYear();
  return ticks > 0 && year >= 1970 && year < 2200 ? date : null;
}
