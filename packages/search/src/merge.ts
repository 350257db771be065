// Merges several segments into one and drops deleted messages. A generator that yields regularly,
// so that its worker can answer queries in between.
import { compareBytes } from './bytes.ts';
import type { TermCursor } from './dictionary.ts';
import { MERGE_FACTOR, SEGMENT_MAX_DOCS, SMALL_SEGMENT_DOCS } from './limits.ts';
import { ALL_FIELDS, type Doc, type Segment } from './segment.ts';
import { createWriter } from './segment-writer.ts';

/** A segment and which of its messages are still alive. */
export type LivingSegment = { readonly segment: Segment; readonly isAlive: (doc: number) => boolean };

const TERMS_PER_STOP = 512;

/** A segment positioned at one of its terms, and the new positions of its messages. */
type Head = { readonly segment: Segment; readonly cursor: TermCursor; readonly to: Int32Array };

/** The heads positioned at the smallest term. */
function firstOf(heads: readonly Head[]): Head[] {
  let same: Head[] = [];
  for (const head of heads) {
    const first = same[0]?.cursor;
    const { bytes, length } = head.cursor;
    const order = first === undefined ? -1 : compareBytes(bytes, length, first.bytes, first.length);
    if (order < 0) same = [head];
    else if (order === 0) same.push(head);
  }
  return same;
}

const bytesOfHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16));

/**
 * Yields while merging and returns the merged segment's bytes. `sources` are the uids of the
 * segments it replaces, in hexadecimal.
 */
export function* mergeSegments(
  parts: readonly LivingSegment[],
  uid: Uint8Array,
  sources: readonly string[],
): Generator<void, Uint8Array<ArrayBuffer>> {
  const all: { readonly part: number; readonly doc: number; readonly at: number }[] = [];
  for (const [part, { segment, isAlive }] of parts.entries()) {
    for (let doc = 0; doc < segment.docCount; doc++) {
      if (isAlive(doc)) all.push({ part, doc, at: segment.times[doc] as number });
    }
  }
  all.sort((a, b) => b.at - a.at || a.part - b.part || a.doc - b.doc);
  const places = parts.map(({ segment }) => new Int32Array(segment.docCount).fill(-1));
  const docs = all.map(({ part, doc }, place): Doc => {
    (places[part] as Int32Array)[doc] = place;
    const { segment } = parts[part] as LivingSegment;
    return {
      id: segment.idOf(doc),
      at: segment.times[doc] as number,
      flags: segment.flags[doc] as number,
    };
  });
  const writer = createWriter(
    docs,
    uid,
    sources.map(bytesOfHex),
    parts.reduce((sum, { segment }) => sum + segment.sizeBytes, 0),
  );
  // The segments with terms left, each positioned at its next term.
  let heads = parts.flatMap(({ segment }, part) => {
    const cursor = segment.terms(new Uint8Array(0));
    return cursor.next() ? [{ segment, cursor, to: places[part] as Int32Array }] : [];
  });
  const read = new Uint32Array(Math.max(0, ...parts.map(({ segment }) => segment.docCount)));
  const packed = new Uint32Array(docs.length);
  let terms = 0;
  while (heads.length > 0) {
    const same = firstOf(heads);
    let count = 0;
    let last = -1;
    let isSorted = true;
    for (const { segment, cursor, to } of same) {
      const found = segment.readPostings(cursor, read);
      for (let at = 0; at < found; at++) {
        const place = to[(read[at] as number) >>> 5] as number;
        if (place < 0) continue;
        isSorted &&= place > last;
        last = place;
        packed[count++] = place * 32 + ((read[at] as number) & ALL_FIELDS);
      }
    }
    if (!isSorted) packed.subarray(0, count).sort();
    const { bytes, length } = (same[0] as Head).cursor;
    if (count > 0) writer.add(bytes, length, { packed, start: 0, end: count });
    for (const head of same) if (!head.cursor.next()) heads = heads.filter(one => one !== head);
    if (++terms % TERMS_PER_STOP === 0) yield;
  }
  return writer.finish();
}

/** The size class of a segment. Segments of one class are merged together. */
const classOf = (docs: number): number =>
  docs <= SMALL_SEGMENT_DOCS ? 0 : Math.ceil(Math.log(docs / SMALL_SEGMENT_DOCS) / Math.log(MERGE_FACTOR));

/** Returns the segments to merge now: enough of one class to form the next, or none. */
export function planMerge<T extends { readonly docs: number }>(segments: readonly T[]): T[] {
  const classes = Map.groupBy(
    segments.filter(one => one.docs < SEGMENT_MAX_DOCS / 2),
    one => classOf(one.docs),
  );
  for (const [, members] of [...classes].sort(([a], [b]) => a - b)) {
    if (members.length < MERGE_FACTOR) continue;
    const chosen: T[] = [];
    let docs = 0;
    for (const one of members.toSorted((a, b) => a.docs - b.docs)) {
      if (docs + one.docs > SEGMENT_MAX_DOCS || chosen.length === MERGE_FACTOR) break;
      chosen.push(one);
      docs += one.docs;
    }
    if (chosen.length > 1) return chosen;
  }
  return [];
}
