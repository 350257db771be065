/**
 * Detects whether bytes are an image of a format that browsers render and cannot execute. Ignores
 * the content type that a server claims. SVG is excluded, because it can contain scripts.
 */

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text;

const AVIF_BRANDS: ReadonlySet<string> = new Set(['avif', 'avis']);
/** Possible sizes of the header that follows a BMP's first 14 bytes. */
const BMP_HEADERS: ReadonlySet<number> = new Set([12, 40, 52, 56, 64, 108, 124]);
const ICON_IMAGES_MAX = 64;

/** Returns whether the file type box names AVIF as the major or a compatible brand. */
function isAvif(bytes: Buffer): boolean {
  if (bytes.length < 16 || !startsWith(bytes, 'ftyp', 4)) return false;
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  for (let at = 8; at + 4 <= end; at += 4)
    if (at !== 12 && AVIF_BRANDS.has(bytes.subarray(at, at + 4).toString('latin1'))) return true;
  return false;
}

const KINDS: readonly ((bytes: Buffer) => boolean)[] = [
  bytes => startsWith(bytes, '\u0089PNG\r\n\u001a\n'),
  bytes => startsWith(bytes, '\u00ff\u00d8\u00ff'),
  bytes => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'),
  bytes => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
  isAvif,
  bytes => bytes.length > 26 && startsWith(bytes, 'BM') && BMP_HEADERS.has(bytes.readUInt32LE(14)),
  bytes =>
    bytes.length > 22 &&
    bytes.readUInt32LE(0) === 0x0001_0000 &&
    bytes.readUInt16LE(4) > 0 &&
    bytes.readUInt16LE(4) <= ICON_IMAGES_MAX,
];

/** Returns whether the bytes begin like a PNG, JPEG, GIF, WebP, AVIF, BMP or ICO file. */
export const isImage = (bytes: Buffer): boolean => KINDS.some(is => is(bytes));
