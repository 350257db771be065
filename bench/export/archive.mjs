/** Reads an MBOX archive of an export from disk, however large: its manifest, and the block before each of its mails. */
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

/** The manifest: looked for from the end, since the mails stand before it. */
function findManifest(file) {
  const { size } = fstatSync(file);
  for (let back = BACK_BYTES; ; back *= 2) {
    const tail = readAt(file, Math.max(0, size - back), Math.min(size, back));
    const at = tail.lastIndexOf(START);
    if (at >= 0) return JSON.parse(tail.subarray(at, tail.indexOf(END, at) + END.length).toString());
    if (back >= size) throw new Error('no manifest was found');
  }
}

const fieldOf = (block, name) =>
  new RegExp(`^${name}: ((?:.*)(?:\\r?\\n[ \\t].*)*)`, 'm').exec(block)?.[1]?.replace(/\r?\n[ \t]/g, ' ') ??
  '';

/** Of each mail its hash, size, time, flags and tags, in an order that does not depend on where it stood; and the counts. */
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
