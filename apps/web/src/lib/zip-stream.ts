// Records of a ZIP archive of any size that is written sequentially (APPNOTE 6.3 with ZIP64, method
// 0). The caller keeps the entries and supplies their offsets. To pack a few files at once, use
// zip.ts.

export type ZipEntry = {
  readonly name: string;
  readonly crc: number;
  readonly sizeBytes: number;
  /** Offset of its local header in the archive, in bytes. */
  readonly offset: number;
};

const UTF8_NAMES = 0x0800;
const ZIP64_VERSION = 45;
const IN_ZIP64 = 0xffff_ffff;
const IN_ZIP64_SHORT = 0xffff;
const LOCAL_SIGN = 0x04034b50;
const ENTRY_SIGN = 0x02014b50;
const ZIP64_END_SIGN = 0x06064b50;
const ZIP64_POINTER_SIGN = 0x07064b50;
const END_SIGN = 0x06054b50;
const ZIP64_EXTRA = 0x0001;

type Field = readonly [size: 2 | 4 | 8, value: number];

/** Returns little-endian fields, followed by bytes. */
function record(parts: readonly Field[], ...after: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = parts.reduce((sum, [size]) => sum + size, 0);
  const bytes = new Uint8Array(after.reduce((sum, { length }) => sum + length, head));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of parts) {
    if (size === 2) view.setUint16(at, value, true);
    else if (size === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += size;
  }
  for (const one of after) {
    bytes.set(one, at);
    at += one.length;
  }
  return bytes;
}

const encoder = new TextEncoder();

/** Returns date and time in DOS format, in UTC, so that the same archive results on any machine. */
const dosTime = (at: Date): readonly [time: Field, date: Field] => [
  [2, (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)],
  [2, ((Math.max(1980, at.getUTCFullYear()) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()],
];

/** Returns the header before an entry's bytes. Its length depends only on the name. */
export function localHeader(
  { name, crc, sizeBytes }: Omit<ZipEntry, 'offset'>,
  at: Date,
): Uint8Array<ArrayBuffer> {
  const named = encoder.encode(name);
  const extra = record([
    [2, ZIP64_EXTRA],
    [2, 16],
    [8, sizeBytes],
    [8, sizeBytes],
  ]);
  return record(
    [
      [4, LOCAL_SIGN],
      [2, ZIP64_VERSION],
      [2, UTF8_NAMES],
      [2, 0],
      ...dosTime(at),
      [4, crc],
      [4, IN_ZIP64],
      [4, IN_ZIP64],
      [2, named.length],
      [2, extra.length],
    ],
    named,
    extra,
  );
}

/** Returns an entry's record in the central directory. */
export function directoryRecord(
  { name, crc, sizeBytes, offset }: ZipEntry,
  at: Date,
): Uint8Array<ArrayBuffer> {
  const named = encoder.encode(name);
  const extra = record([
    [2, ZIP64_EXTRA],
    [2, 24],
    [8, sizeBytes],
    [8, sizeBytes],
    [8, offset],
  ]);
  return record(
    [
      [4, ENTRY_SIGN],
      [2, ZIP64_VERSION],
      [2, ZIP64_VERSION],
      [2, UTF8_NAMES],
      [2, 0],
      ...dosTime(at),
      [4, crc],
      [4, IN_ZIP64],
      [4, IN_ZIP64],
      [2, named.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, IN_ZIP64],
    ],
    named,
    extra,
  );
}

/** Returns the end of the archive: the number of entries and the offset of their directory. */
export const archiveEnd = (
  entries: number,
  directoryOffset: number,
  directoryBytes: number,
): Uint8Array<ArrayBuffer> =>
  record(
    [
      [4, ZIP64_END_SIGN],
      [8, 44],
      [2, ZIP64_VERSION],
      [2, ZIP64_VERSION],
      [4, 0],
      [4, 0],
      [8, entries],
      [8, entries],
      [8, directoryBytes],
      [8, directoryOffset],
      [4, ZIP64_POINTER_SIGN],
      [4, 0],
      [8, directoryOffset + directoryBytes],
      [4, 1],
    ],
    record([
      [4, END_SIGN],
      [2, 0],
      [2, 0],
      [2, IN_ZIP64_SHORT],
      [2, IN_ZIP64_SHORT],
      [4, IN_ZIP64],
      [4, IN_ZIP64],
      [2, 0],
    ]),
  );
