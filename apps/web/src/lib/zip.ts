// Packs files into a ZIP archive without compression (APPNOTE 6.3, method 0): most attachments are
// already compressed. Files are read once, in pieces, for their checksum, and never copied: the
// archive references them. Names are made unique and safe for any system.

/**
 * Number of bytes that the checksum processes at once, with a table for each of them ("slicing by
 * 8", Kounavis and Berry 2005).
 */
const CRC_SLICE = 8;
const crcTables = ((): Int32Array => {
  const tables = new Int32Array(256 * CRC_SLICE);
  for (let index = 0; index < 256; index += 1) {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    tables[index] = value;
  }
  for (let index = 256; index < tables.length; index += 1) {
    const value = tables[index - 256] as number;
    tables[index] = (value >>> 8) ^ (tables[value & 0xff] as number);
  }
  return tables;
})();
const crcOf = (table: number, byte: number): number => crcTables[(table << 8) | (byte & 0xff)] as number;

/** Computes the CRC-32 of bytes, continuing from an earlier one. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  let at = 0;
  const byteAt = (place: number): number => bytes[place] as number;
  for (const end = bytes.length - CRC_SLICE; at <= end; at += CRC_SLICE) {
    crc ^= byteAt(at) | (byteAt(at + 1) << 8) | (byteAt(at + 2) << 16) | (byteAt(at + 3) << 24);
    crc =
      crcOf(7, crc) ^
      crcOf(6, crc >>> 8) ^
      crcOf(5, crc >>> 16) ^
      crcOf(4, crc >>> 24) ^
      crcOf(3, byteAt(at + 4)) ^
      crcOf(2, byteAt(at + 5)) ^
      crcOf(1, byteAt(at + 6)) ^
      crcOf(0, byteAt(at + 7));
  }
  for (; at < bytes.length; at += 1) crc = crcOf(0, crc ^ byteAt(at)) ^ (crc >>> 8);
  return ~crc >>> 0;
}

export type ZipFile = {
  readonly name: string;
  readonly content: Blob;
};

const MAX_ARCHIVE_BYTES = 0xffff_fffe;
const MAX_FILES = 0xfffe;
const UTF8_NAMES = 0x0800;

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Returns a name that is a single plain file on any system. */
export function plainName(name: string): string {
  const plain = name
    .slice(0, 10_000)
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^\.+|[. ]+$/g, '')
    .trim()
    .slice(0, 180);
  if (plain === '') return 'file';
  return reserved.test(plain) ? `_${plain}` : plain;
}

/** Returns the names in the archive: safe, and unique even on case-insensitive systems. */
export function archiveNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map(name => {
    const plain = plainName(name);
    const dot = plain.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, ''];
    let unique = plain;
    for (let count = 2; taken.has(unique.toLowerCase()); count += 1) unique = `${stem} (${count})${ending}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

async function checksumOf(content: Blob): Promise<number> {
  const reader = content.stream().getReader();
  let crc = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return crc;
    crc = crc32(value, crc);
  }
}

/** Encodes little-endian fields, each [bytes, value]. */
function fields(...parts: readonly (readonly [2 | 4, number])[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(parts.reduce((sum, [size]) => sum + size, 0)));
  let at = 0;
  for (const [size, value] of parts) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

/** Returns date and time in DOS format. */
function dosTime(at: Date): readonly [time: number, date: number] {
  const year = Math.max(1980, at.getFullYear()) - 1980;
  return [
    (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
    (year << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
  ];
}

/**
 * Packs the files into one archive, all dated `at`. Throws a RangeError when they are too many or
 * too large for one.
 */
export async function zipOf(files: readonly ZipFile[], at: Date): Promise<Blob> {
  if (files.length > MAX_FILES) throw new RangeError('Too many files for one archive');
  const names = archiveNames(files.map(({ name }) => name));
  const [time, date] = dosTime(at);
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let offset = 0;
  let directoryBytes = 0;
  for (const [index, { content }] of files.entries()) {
    const name = new TextEncoder().encode(names[index]);
    const crc = await checksumOf(content);
    const common = [
      [2, 20],
      [2, UTF8_NAMES],
      [2, 0],
      [2, time],
      [2, date],
      [4, crc],
      [4, content.size],
      [4, content.size],
      [2, name.length],
      [2, 0],
    ] as const;
    const head = fields([4, 0x04034b50], ...common);
    const entry = fields([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    parts.push(head, name, content);
    directory.push(entry, name);
    offset += head.length + name.length + content.size;
    directoryBytes += entry.length + name.length;
    if (offset + directoryBytes > MAX_ARCHIVE_BYTES) throw new RangeError('Too large for one archive');
  }
  const end = fields(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, directoryBytes],
    [4, offset],
    [2, 0],
  );
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}
