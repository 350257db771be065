/**
 * Writes the PST files for the import benchmark: messages of 4 KB, messages with a file, and a
 * sparse file.
 */
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { writePstPieces } from '@keyfold/testing/pst-file';
import { messageOf } from '../big-mailbox/messages.mjs';

const TEXT_CHARACTERS = 4_096;
/** @typedef {import('@keyfold/testing/pst-file').TestMail['properties'][number]} Property */

/** @returns {Property} */
const text = (id, value) => ({ id, type: 'text', value });
/** @returns {Property} */
const time = (id, value) => ({ id, type: 'time', value });
/** @returns {Property} */
const number = (id, value) => ({ id, type: 'int', value });

/** Returns the words of a generated message, which contains them in base64. */
function wordsOf(n) {
  const parts = messageOf(n, n + 1, '').split('\r\n\r\n');
  return Buffer.from(parts[parts.length - 1], 'base64').toString();
}

/** Returns an incompressible file, different for each message. */
function fileOf(n, bytes) {
  const content = new Uint8Array(bytes);
  let state = n + 1;
  for (let at = 0; at < bytes; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    content[at] = state >>> 24;
  }
  return content;
}

/** @returns {import('@keyfold/testing/pst-file').TestMail} */
const mailOf = (n, fileBytes) => ({
  properties: [
    text(0x001a, 'IPM.Note'),
    text(0x0037, `Letter ${n}`),
    text(0x1000, wordsOf(n).repeat(8).slice(0, TEXT_CHARACTERS)),
    text(0x0c1a, `Person ${n % 50}`),
    text(0x0c1f, `person${n % 50}@big.example`),
    text(0x0e04, 'reader@keyfold.test'),
    text(0x1035, `<${n}@pst.example>`),
    time(0x0039, new Date(1.5e12 + n * 60_000)),
    time(0x0e06, new Date(1.5e12 + n * 60_000)),
  ],
  files:
    fileBytes === 0
      ? []
      : [
          {
            properties: [
              text(0x3707, `figures-${n}.bin`),
              number(0x3705, 1),
              { id: 0x3701, type: 'binary', value: fileOf(n, fileBytes) },
            ],
          },
        ],
});

/**
 * Writes a PST of `count` messages, each with a file of `fileBytes`, padded with holes to at least
 * `sizeBytes`.
 */
export function writeMessages(path, { count, fileBytes = 0, sizeBytes = 0 }) {
  const mails = Array.from({ length: count }, (_, n) => mailOf(n, fileBytes));
  const gapBytes = Math.ceil(sizeBytes / count);
  const { size, pieces } = writePstPieces({ folders: [{ name: 'Inbox', mails }], gapBytes });
  const file = openSync(path, 'w');
  try {
    ftruncateSync(file, size);
    for (const { offset, bytes } of pieces) writeSync(file, bytes, 0, bytes.length, offset);
  } finally {
    closeSync(file);
  }
}
