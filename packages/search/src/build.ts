// Builds a segment from messages. Collects terms and postings in flat arrays in input order and
// sorts them once at the end.
import { TERM_MAX_BYTES } from './dictionary.ts';
import { fold } from './fold.ts';
import { FIELD_MAX_CHARACTERS } from './limits.ts';
import { type Doc, FIELDS } from './segment.ts';
import { createWriter } from './segment-writer.ts';
import { createTermTable } from './term-table.ts';
import { eachTerm } from './terms.ts';

/** A message as it is indexed: its texts as displayed, unfolded. */
export type IndexedMail = Doc & { readonly texts: Readonly<Record<keyof typeof FIELDS, string>> };

const fieldBits = Object.entries(FIELDS) as readonly [keyof typeof FIELDS, number][];

/** Collects messages for one segment. */
export type Builder = {
  readonly add: (mail: IndexedMail) => void;
  readonly docCount: () => number;
  /** Returns the segment's bytes. The builder cannot be used afterwards. */
  readonly finish: (uid: Uint8Array) => Uint8Array<ArrayBuffer>;
};

export function createBuilder(): Builder {
  const docs: Doc[] = [];
  const table = createTermTable();
  /** Index of each term's newest posting, so that the fields of one message share a posting. */
  let newest = new Int32Array(4_096).fill(-1);
  let postingTerms = new Uint32Array(65_536);
  let postings = new Uint32Array(65_536);
  let count = 0;
  let [doc, bit] = [0, 0];
  const take = (text: string, start: number, end: number): void => {
    const id = table.idOf(text, start, end);
    if (id >= newest.length) newest = grown(newest, -1);
    const last = newest[id] as number;
    if (last >= 0 && (postings[last] as number) >>> 5 === doc) {
      postings[last] = (postings[last] as number) | bit;
      return;
    }
    if (count === postings.length) {
      postings = doubled(postings);
      postingTerms = doubled(postingTerms);
    }
    postings[count] = doc * 32 + bit;
    postingTerms[count] = id;
    newest[id] = count++;
  };
  const add = ({ id, at, flags, texts }: IndexedMail): void => {
    doc = docs.length;
    docs.push({ id, at: Math.max(0, Math.floor(at)), flags });
    for (const [field, fieldBit] of fieldBits) {
      bit = fieldBit;
      const text = texts[field];
      if (text !== '') eachTerm(fold(text.slice(0, FIELD_MAX_CHARACTERS)), take);
    }
  };
  const finish = (uid: Uint8Array): Uint8Array<ArrayBuffer> => {
    const termCount = table.size();
    const order = docs.map((_, place) => place).sort((a, b) => (docs[b] as Doc).at - (docs[a] as Doc).at);
    const places = new Uint32Array(docs.length);
    for (const [place, was] of order.entries()) places[was] = place;
    // Counting sort by term, then by message within each term.
    const starts = new Uint32Array(termCount + 1);
    for (let at = 0; at < count; at++) {
      const next = (postingTerms[at] as number) + 1;
      starts[next] = (starts[next] as number) + 1;
    }
    for (let id = 0; id < termCount; id++)
      starts[id + 1] = (starts[id + 1] as number) + (starts[id] as number);
    const sorted = new Uint32Array(count);
    const next = starts.slice();
    for (let at = 0; at < count; at++) {
      const id = postingTerms[at] as number;
      const value = postings[at] as number;
      sorted[next[id] as number] = (places[value >>> 5] as number) * 32 + (value & 31);
      next[id] = (next[id] as number) + 1;
    }
    const writer = createWriter(
      order.map(was => docs[was] as Doc),
      uid,
      [],
    );
    const bytes = new Uint8Array(TERM_MAX_BYTES);
    for (const id of table.sorted()) {
      const [start, end] = [starts[id] as number, starts[id + 1] as number];
      if (end - start > 1) sorted.subarray(start, end).sort();
      writer.add(bytes, table.encode(id, bytes), { packed: sorted, start, end });
    }
    return writer.finish();
  };
  return { add, docCount: () => docs.length, finish };
}

function doubled(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(values.length * 2);
  more.set(values);
  return more;
}

function grown(values: Int32Array, fill: number): Int32Array<ArrayBuffer> {
  const more = new Int32Array(values.length * 2).fill(fill);
  more.set(values);
  return more;
}
