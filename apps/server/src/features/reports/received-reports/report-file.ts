/**
 * Unpacks the report file attached to a message: XML or JSON as text, detected by its first bytes
 * and not by its name. Runs in read-worker.ts; throws on content that is too large, has too many
 * parts or is damaged.
 */
import { gunzipSync } from 'node:zlib';
import { leafParts, scanStructure } from '@keyfold/mail/mime/structure';
import { decodeTransfer } from '@keyfold/mail/mime/transfer';
import { Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { REPORT_TEXT_MAX_BYTES } from '../../../base/limits.ts';

/** Maximum number of MIME parts of a message that are examined. */
const PARTS_MAX = 10;

const beginsWith = (bytes: Uint8Array, ...first: readonly number[]): boolean =>
  first.every((byte, index) => bytes[index] === byte);

function isBounded(bytes: Uint8Array): Uint8Array {
  if (bytes.length > REPORT_TEXT_MAX_BYTES) throw new Error('The report is too large');
  return bytes;
}

/**
 * Returns the first file of an archive. Its declared size is not trusted: the bytes are counted.
 */
async function unzip(bytes: Uint8Array): Promise<Uint8Array> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), { useWebWorkers: false });
  const pieces: Uint8Array[] = [];
  let size = 0;
  const { value: entry } = await reader.getEntriesGenerator().next();
  if (entry === undefined || typeof entry === 'boolean' || entry.directory)
    throw new Error('The archive is empty');
  await entry.getData(
    new WritableStream<Uint8Array>({
      write: piece => {
        size += piece.length;
        if (size > REPORT_TEXT_MAX_BYTES) throw new Error('The report is too large');
        pieces.push(piece);
      },
    }),
  );
  await reader.close();
  return Buffer.concat(pieces);
}

async function unpack(bytes: Uint8Array): Promise<string | null> {
  if (beginsWith(bytes, 0x1f, 0x8b))
    return gunzipSync(bytes, { maxOutputLength: REPORT_TEXT_MAX_BYTES }).toString('utf8');
  if (beginsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return Buffer.from(await unzip(bytes)).toString('utf8');
  const text = Buffer.from(isBounded(bytes).subarray(0, 200)).toString('utf8');
  return /^\uFEFF?\s*[<{]/.test(text) ? Buffer.from(bytes).toString('utf8') : null;
}

/** Returns the first report among the attachments of a message, or null when there is none. */
export async function findReportText(raw: Uint8Array): Promise<string | null> {
  const { root, truncated } = scanStructure(raw);
  if (truncated) return null;
  for (const part of leafParts(root).slice(0, PARTS_MAX)) {
    if (
      /^(?:text\/(?:plain|html)|message\/)/.test(part.contentType.value) &&
      part.disposition.value !== 'attachment'
    )
      continue;
    const text = await unpack(decodeTransfer(raw.subarray(part.bodyStart, part.bodyEnd), part.encoding));
    if (text !== null) return text;
  }
  return null;
}
