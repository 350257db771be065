/**
 * The list of what a built web client is made of: SHA-256 and name of each file, as `sha256sum` writes and checks it, sorted,
 * under a line that names the version and the inputs it was built of. Precompressed variants (.br, .gz) are other forms of the same
 * bytes and not listed. The server gives the list out, signs it, and anybody compares it (verify.mjs).
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The list's name in the built client. */
export const HASH_LIST_FILE = 'hashes.txt';
/** Where a server gives it out. */
export const HASH_LIST_PATH = '/.well-known/keyfold/hashes.txt';

const isLeftOut = name => /\.(?:br|gz)$/.test(name) || name.startsWith('.') || name === HASH_LIST_FILE;
const LINE = /^([0-9a-f]{64}) {2}([A-Za-z0-9_@][A-Za-z0-9_@./-]*)$/;

/** SHA-256 of bytes, in hexadecimal. */
export const hashOf = bytes => createHash('sha256').update(bytes).digest('hex');

/** The list's text for the client built in `dist`; `version` and `inputsHash` stand in its first line. */
export function makeHashList(dist, version, inputsHash) {
  const lines = readdirSync(dist, { recursive: true })
    .map(name => name.split(path.sep).join('/'))
    .filter(name => !isLeftOut(name) && statSync(path.join(dist, name)).isFile())
    .sort()
    .map(name => `${hashOf(readFileSync(path.join(dist, name)))}  ${name}\n`);
  return `# Keyfold ${version}, built of ${inputsHash}\n${lines.join('')}`;
}

/**
 * What a list says: `title`, its first line without the mark, and `files`, name to SHA-256 in hexadecimal. Throws for a line
 * that is none, a name that leads elsewhere, or one that stands there twice.
 */
export function readHashList(text) {
  const [first = '', ...lines] = text.split('\n');
  const files = new Map();
  if (!first.startsWith('# Keyfold ')) throw new Error('This is no list of a Keyfold client');
  for (const line of lines) {
    if (line === '') continue;
    const [, hash, name] = LINE.exec(line) ?? [];
    if (name === undefined || name.split('/').includes('..') || files.has(name))
      throw new Error('A line of the list cannot be read');
    files.set(name, hash);
  }
  return { title: first.slice(2), files };
}

/** What differs between two lists' `files`, one sentence each; `mine` is trusted. */
export function compareFiles(mine, theirs) {
  const problems = [];
  for (const [name, hash] of mine)
    if (!theirs.has(name)) problems.push(`${name} is missing there`);
    else if (theirs.get(name) !== hash) problems.push(`${name} is another file there`);
  for (const name of theirs.keys()) if (!mine.has(name)) problems.push(`${name} is there alone`);
  return problems;
}
