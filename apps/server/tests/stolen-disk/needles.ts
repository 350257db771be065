/**
 * Searches a disk for words as a thief would: as plain bytes, as base64 at any offset, as
 * hexadecimal digits and as UTF-16, in files and in compressed data within them.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Returns the encodings of a word to search for, by name. */
function formsOf(word: Buffer): readonly (readonly [string, Buffer])[] {
  const text = (content: string): Buffer => Buffer.from(content, 'latin1');
  const hex = word.toString('hex');
  const base64 = [0, 1, 2].map(before => {
    // Omits digits that also contain bits of neighboring bytes.
    const digits = Buffer.concat([Buffer.alloc(before), word])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + word.length) * 8) / 6);
    return digits.slice(first, last);
  });
  return [
    ['as it is', word],
    ['in UTF-16', Buffer.from(word.toString('latin1'), 'utf16le').subarray(0, -1)],
    ['in hex', text(hex)],
    ['in upper hex', text(hex.toUpperCase())],
    ...base64.map((digits, before) => [`in base64 ${before}`, text(digits)] as const),
    ...base64.map(
      (digits, before) =>
        [`in base64url ${before}`, text(digits.replaceAll('+', '-').replaceAll('/', '_'))] as const,
    ),
  ];
}

export type Word = { readonly name: string; readonly bytes: Uint8Array };
type Needle = { readonly name: string; readonly bytes: Buffer };

const needlesOf = (words: readonly Word[]): Needle[] =>
  words.flatMap(({ name, bytes }) =>
    formsOf(Buffer.from(bytes)).map(([form, needle]) => ({ name: `${name} ${form}`, bytes: needle })),
  );

/**
 * Returns the words found in these bytes and, if they are a gzip file, in their decompressed
 * content.
 */
function findIn(place: string, content: Buffer, needles: readonly Needle[]): string[] {
  const found = needles.filter(({ bytes }) => content.includes(bytes)).map(({ name }) => `${place}: ${name}`);
  const isPacked = content[0] === 0x1f && content[1] === 0x8b;
  return isPacked ? [...found, ...findIn(`${place} unpacked`, gunzipSync(content), needles)] : found;
}

/** Returns the places of words in a text. */
export const findInText = (place: string, text: string, words: readonly Word[]): string[] =>
  findIn(place, Buffer.from(text, 'utf8'), needlesOf(words));

/** Returns the places of words in the files of folders and in their names. */
export async function findOnDisk(
  folders: readonly string[],
  words: readonly Word[],
): Promise<{ readonly found: string[]; readonly files: number; readonly bytes: number }> {
  const needles = needlesOf(words);
  const result = { found: [] as string[], files: 0, bytes: 0 };
  for (const folder of folders)
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const place = path.relative(path.dirname(folder), file);
      result.found.push(...findIn(`the name of ${place}`, Buffer.from(entry.name), needles));
      if (!entry.isFile()) continue;
      const content = await readFile(file);
      result.files += 1;
      result.bytes += content.length;
      result.found.push(...findIn(place, content, needles));
    }
  return result;
}
