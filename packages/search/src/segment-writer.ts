// Writes a segment in the format described in the header of segment.ts. Terms arrive sorted, with
// their messages in table order.
import { createOutput, encodeText, type Output, release, writeBytes, writeNumber } from './bytes.ts';
import { TERM_MAX_BYTES } from './dictionary.ts';
import { BLOCK_TERMS } from './limits.ts';
import { ALL_FIELDS, type Doc, FIELDS, MAGIC, VERSION } from './segment.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function writeId(out: Output, id: string): void {
  if (UUID.test(id)) {
    writeNumber(out, 0);
    const hex = id.replaceAll('-', '');
    writeBytes(
      out,
      Uint8Array.from({ length: 16 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16)),
    );
    return;
  }
  const bytes = encodeText(id);
  writeNumber(out, bytes.length + 1);
  writeBytes(out, bytes);
}

/** Input postings of a term: message * 32 + mask, ascending, `count` of them from `start` on. */
export type Postings = { readonly packed: Uint32Array; readonly start: number; readonly end: number };

/**
 * Creates a writer for the bytes of a segment. Terms arrive sorted by their UTF-8. `capacity` is
 * the maximum size: growing the buffer would hold the parts twice.
 */
export function createWriter(
  docs: readonly Doc[],
  uid: Uint8Array,
  sources: readonly Uint8Array[],
  capacity = 262_144,
) {
  const dictionary = createOutput(65_536);
  const index = createOutput();
  const postings = createOutput(capacity);
  let terms = 0;
  const before = new Uint8Array(TERM_MAX_BYTES);
  let beforeLength = 0;
  let [blockAt, blockPostingsAt] = [0, 0];
  /** The term is the first `length` bytes. */
  const add = (bytes: Uint8Array, length: number, { packed, start, end }: Postings): void => {
    let shared = 0;
    if (terms % BLOCK_TERMS === 0) {
      writeNumber(index, dictionary.length - blockAt);
      writeNumber(index, postings.length - blockPostingsAt);
      [blockAt, blockPostingsAt] = [dictionary.length, postings.length];
    } else {
      const most = Math.min(beforeLength, length);
      while (shared < most && before[shared] === bytes[shared]) shared++;
    }
    const postingsAt = postings.length;
    let lastDoc = -1;
    for (let at = start; at < end; at++) {
      const doc = (packed[at] as number) >>> 5;
      const mask = (packed[at] as number) & ALL_FIELDS;
      const step = (doc - lastDoc - 1) * 2;
      if (mask === FIELDS.body) writeNumber(postings, step);
      else {
        writeNumber(postings, step + 1);
        writeNumber(postings, mask);
      }
      lastDoc = doc;
    }
    writeNumber(dictionary, shared);
    writeNumber(dictionary, length - shared);
    writeBytes(dictionary, bytes.subarray(shared, length));
    writeNumber(dictionary, end - start);
    writeNumber(dictionary, postings.length - postingsAt);
    for (let at = shared; at < length; at++) before[at] = bytes[at] as number;
    beforeLength = length;
    terms++;
  };
  const finish = (): Uint8Array<ArrayBuffer> => {
    const table = createOutput(docs.length * 20 + 16);
    let lastAt = 0;
    for (const [place, doc] of docs.entries()) {
      writeId(table, doc.id);
      writeNumber(table, place === 0 ? doc.at : lastAt - doc.at);
      writeNumber(table, doc.flags);
      lastAt = doc.at;
    }
    const head = createOutput();
    writeBytes(head, encodeText(MAGIC));
    writeNumber(head, VERSION);
    writeBytes(head, uid);
    writeNumber(head, sources.length);
    for (const source of sources) writeBytes(head, source);
    const parts = [table, dictionary, index, postings];
    for (const value of [docs.length, terms, ...parts.map(part => part.length)]) writeNumber(head, value);
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, head.length));
    let at = 0;
    for (const part of [head, ...parts]) {
      whole.set(part.bytes.subarray(0, part.length), at);
      at += part.length;
      release(part.bytes);
    }
    return whole;
  };
  return { add, finish };
}
