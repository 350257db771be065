/**
 * The hash list of a built web client: SHA-256 and name of each file, in `sha256sum` format,
 * sorted, under a line with the version and the build inputs. Precompressed variants (.br, .gz) are
 * other forms of the same bytes and are not listed. The server publishes and signs the list, and
 * anyone can compare it (verify.mjs).
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** File name of the list in the built client. */
export const HASH_LIST_FILE = 'hashes.txt';
/** Path under which a server publishes the list. */
export const HASH_LIST_PATH = '/.well-known/keyfold/hashes.txt';

const isLeftOut = name => /\.(?:br|gz)$/.test(name) || name.startsWith('.') || name === HASH_LIST_FILE;
const LINE = /^([0-9a-f]{64}) {2}([A-Za-z0-9_@][A-Za-z0-9_@./-]*)$/;

export const hashOf = bytes => createHash('sha256').update(bytes).digest('hex');

/**
 * Returns the text of the list for the client built in `dist`; `version` and `inputsHash` are in
 * its first line.
 */
export function makeHashList(dist, version, inputsHash) {
  const lines = readdirSync(dist, { recursive: true })
    .map(name => name.split(path.sep).join('/'))
    .filter(name => !isLeftOut(name) && statSync(path.join(dist, name)).isFile())
    .sort()
    .map(name => `${hashOf(readFileSync(path.join(dist, name)))}  ${name}\n`);
  return `# Keyfold ${version}, built of ${inputsHash}\n${lines.join('')}`;
}

/**
 * Parses a list: `title`, its first line without the comment sign, and `files`, name to SHA-256 in
 * hexadecimal. Throws for an invalid line, a name outside the folder, or a duplicate name.
 */
export function readHashList(text) {
  const [first = '', ...lines] = text.split('\n');
  const files = new Map();
  if (!first.startsWith('# Keyfold ')) throw new Error('not a hash list of a Keyfold client');
  for (const line of lines) {
    if (line === '') continue;
    const [, hash, name] = LINE.exec(line) ?? [];
    if (name === undefined || name.split('/').includes('..') || files.has(name))
      throw new Error('the hash list has an invalid line');
    files.set(name, hash);
  }
  return { title: first.slice(2), files };
}

/**
 * Returns the differences between the `files` of two lists, one sentence each; `mine` is trusted.
 */
export function compareFiles(mine, theirs) {
  const problems = [];
  for (const [name, hash] of mine)
    if (!theirs.has(name)) problems.push(`${name} is missing`);
    else if (theirs.get(name) !== hash) problems.push(`${name} differs`);
  for (const name of theirs.keys()) if (!mine.has(name)) problems.push(`${name} is unexpected`);
  return problems;
}
