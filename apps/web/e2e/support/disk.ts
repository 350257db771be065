// Searches every file of a stopped product for words in the forms in which a leak would show:
// verbatim, base64 in all three alignments, quoted-printable, and UTF-16 (issue "Canary",
// reliability P3).
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const base64Cores = (bytes: Buffer): string[] =>
  [0, 1, 2].map(shift => {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters also depend on the bytes around the word.
    return padded.slice(Math.ceil((shift * 8) / 6) + (shift === 0 ? 0 : 1), -2);
  });

const quotedPrintable = (text: string): string =>
  [...Buffer.from(text)]
    .map(byte =>
      byte > 32 && byte < 127 && byte !== 61
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');

/**
 * Returns every form in which a word could be found. Words must be long enough that chance matches
 * are unlikely.
 */
export function formsOf(word: string): Buffer[] {
  const utf16 = Buffer.from(word, 'utf16le');
  const forms = [
    Buffer.from(word),
    Buffer.from(word.toLowerCase()),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(quotedPrintable(word)),
    Buffer.from(encodeURIComponent(word)),
    ...base64Cores(Buffer.from(word)).map(core => Buffer.from(core)),
    Buffer.from(Buffer.from(word).toString('hex')),
  ];
  return forms.filter(form => form.length >= 8);
}

async function* filesUnder(dir: string): AsyncGenerator<string> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const full = path.join(dir, entry.name);
    if (entry.isDirectory()) yield* filesUnder(full);
    else if (entry.isFile()) yield full;
  }
}

/** A database that was just stopped may still remove its lock file. */
function gone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

export type Leak = { readonly file: string; readonly word: string };

/**
 * Returns where any of the words is found under a directory; `texts` are additional named texts to
 * search.
 */
export async function findLeaks(
  dir: string,
  words: readonly string[],
  texts: Readonly<Record<string, string>> = {},
): Promise<Leak[]> {
  const leaks: Leak[] = [];
  const forms = words.map(word => ({ word, forms: formsOf(word) }));
  const look = (file: string, content: Buffer) => {
    for (const { word, forms: all } of forms)
      if (all.some(form => content.includes(form))) leaks.push({ file, word });
  };
  for await (const file of filesUnder(dir)) {
    const content = await readFile(file).catch(gone);
    if (content !== null) look(path.relative(dir, file), content);
  }
  for (const [name, text] of Object.entries(texts)) look(name, Buffer.from(text));
  return leaks;
}
