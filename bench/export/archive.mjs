/**
 * Reads an MBOX archive of an export from disk, whatever its size: its manifest, and the block
 * before each of its messages.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const BLOCK_BYTES = 4_096;
const LOCAL_NAME_AT = 26;
const LOCAL_BYTES = 30;
const BACK_BYTES = 32 * 1024 * 1024;
const START = '{"keyfold_export":';
const END = '\n]}\n';

function readAt(file, offset, length) {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
}

/** Returns the manifest; searches from the end, because the messages precede it. */
function findManifest(file) {
  const { size } = fstatSync(file);
  for (let back = BACK_BYTES; ; back *= 2) {
    const tail = readAt(file, Math.max(0, size - back), Math.min(size, back));
    const at = tail.lastIndexOf(START);
    if (at >= 0) return JSON.parse(tail.subarray(at, tail.indexOf(END, at) + END.length).toString());
    if (back >= size) throw new Error('the archive has no manifest');
  }
}

const fieldOf = (block, name) =>
  new RegExp(`^${name}: ((?:.*)(?:\\r?\\n[ \\t].*)*)`, 'm').exec(block)?.[1]?.replace(/\r?\n[ \t]/g, ' ') ??
  '';

/**
 * Returns the hash, size, time, flags and tags of each message, in an order independent of its
 * position, and the counts.
 */
export function readArchive(name) {
  const file = openSync(name, 'r');
  try {
    const manifest = findManifest(file);
    const head = readAt(file, 0, LOCAL_BYTES);
    const start = LOCAL_BYTES + head.readUInt16LE(LOCAL_NAME_AT) + head.readUInt16LE(LOCAL_NAME_AT + 2);
    const mails = manifest.mails.map(({ offset, size, sha256 }) => {
      const block = readAt(file, start + offset, BLOCK_BYTES).toString('latin1');
      const state = ['Received', 'Flags', 'Tags'].map(field => fieldOf(block, `X-Keyfold-${field}`));
      return [sha256, size, ...state].join(' | ');
    });
    return { mails: mails.sort(), counts: manifest.counts };
  } finally {
    closeSync(file);
  }
}
