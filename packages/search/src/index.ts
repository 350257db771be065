// The index of a mailbox: several segments, of which each mail counts in one only, the one with its newest version. Holds
// segments in memory, knows nothing of disks, keys or servers; whoever owns it stores bytes and merges.
import { type LivingSegment, planMerge } from './merge.ts';
import type { Query } from './query.ts';
import { findHits, type HitPage, type HitPlace } from './search.ts';
import { openSegment, type Segment } from './segment.ts';

export { createBuilder, type IndexedMail } from './build.ts';
export { release } from './bytes.ts';
export { FIELD_MAX_CHARACTERS } from './limits.ts';
export { mergeSegments } from './merge.ts';
export type { Hit, HitPage, HitPlace } from './search.ts';
export { DOC_FLAGS, openSegment, type Segment, UID_BYTES } from './segment.ts';

type Held = { readonly segment: Segment; readonly dead: Uint8Array; readonly serial: number };

/** Mails of one segment at most, for packing a place into one number. */
const PLACES = 2 ** 24;

export type MailIndex = {
  /** Takes a segment in, from its bytes; one that is held already changes nothing. Throws RangeError for no segment. */
  readonly add: (bytes: Uint8Array) => Segment;
  /** Lets go of a segment. Mails that other segments have too count there again. */
  readonly drop: (uid: string) => void;
  /** Takes in what segments were merged into, in their place. */
  readonly replace: (bytes: Uint8Array, uids: readonly string[]) => void;
  /** Arrival in seconds of the version that is indexed, or null. */
  readonly findMail: (id: string) => number | null;
  /** Takes a mail out of the answers, until a segment with a newer version of it comes; the uid of the one it was in. */
  readonly remove: (id: string) => string | null;
  readonly ids: () => IterableIterator<string>;
  readonly mailCount: () => number;
  readonly segments: () => readonly {
    readonly uid: string;
    readonly docs: number;
    readonly segment: Segment;
  }[];
  readonly living: (uid: string) => LivingSegment | null;
  /** Uids of segments that should become one; empty when all is well. */
  readonly planMerge: () => readonly string[];
  /** Makes a segment ready for its first question, which would wait for it; false when all are. */
  readonly prepare: () => boolean;
  readonly search: (query: Query, limit: number, after: HitPlace | null) => HitPage;
};

export function createIndex(): MailIndex {
  const held = new Map<string, Held>();
  const bySerial = new Map<number, Held>();
  const places = new Map<string, number>();
  const removed = new Map<string, number>();
  let nextSerial = 1;

  const placeOf = (place: number): { one: Held; doc: number } => ({
    one: bySerial.get(Math.floor(place / PLACES)) as Held,
    doc: place % PLACES,
  });
  const claim = (one: Held, doc: number): void => {
    const id = one.segment.idOf(doc);
    const at = one.segment.times[doc] as number;
    const goneAt = removed.get(id);
    if (goneAt !== undefined && at <= goneAt) {
      one.dead[doc] = 1;
      return;
    }
    const before = places.get(id);
    if (before !== undefined) {
      const { one: other, doc: otherDoc } = placeOf(before);
      if ((other.segment.times[otherDoc] as number) >= at) {
        one.dead[doc] = 1;
        return;
      }
      other.dead[otherDoc] = 1;
    }
    one.dead[doc] = 0;
    places.set(id, one.serial * PLACES + doc);
  };
  const add = (bytes: Uint8Array): Segment => {
    const segment = openSegment(bytes);
    const known = held.get(segment.uid);
    if (known !== undefined) return known.segment;
    const one: Held = { segment, dead: new Uint8Array(segment.docCount), serial: nextSerial++ };
    held.set(segment.uid, one);
    bySerial.set(one.serial, one);
    for (let doc = 0; doc < segment.docCount; doc++) claim(one, doc);
    return segment;
  };
  const drop = (uid: string): void => {
    const one = held.get(uid);
    if (one === undefined) return;
    held.delete(uid);
    const lost = new Set<string>();
    for (let doc = 0; doc < one.segment.docCount; doc++) {
      const id = one.segment.idOf(doc);
      if (places.get(id) === one.serial * PLACES + doc) {
        places.delete(id);
        lost.add(id);
      }
    }
    bySerial.delete(one.serial);
    if (lost.size === 0) return;
    for (const other of held.values()) {
      for (let doc = 0; doc < other.segment.docCount; doc++)
        if (lost.has(other.segment.idOf(doc))) claim(other, doc);
    }
  };
  const replace = (bytes: Uint8Array, uids: readonly string[]): void => {
    const segment = openSegment(bytes);
    const gone = uids.flatMap(uid => held.get(uid) ?? []);
    const goneSerials = new Set(gone.map(({ serial }) => serial));
    const one: Held = { segment, dead: new Uint8Array(segment.docCount), serial: nextSerial++ };
    held.set(segment.uid, one);
    bySerial.set(one.serial, one);
    for (let doc = 0; doc < segment.docCount; doc++) {
      const id = segment.idOf(doc);
      const place = places.get(id);
      // A mail that was removed, or came anew elsewhere, while the segments were being merged.
      if (place === undefined || !goneSerials.has(Math.floor(place / PLACES))) one.dead[doc] = 1;
      else places.set(id, one.serial * PLACES + doc);
    }
    for (const { segment: old, serial } of gone) {
      held.delete(old.uid);
      for (let doc = 0; doc < old.docCount; doc++) {
        const id = old.idOf(doc);
        if (places.get(id) === serial * PLACES + doc) places.delete(id);
      }
      bySerial.delete(serial);
    }
  };
  const living = (one: Held): LivingSegment => ({
    segment: one.segment,
    isAlive: doc => one.dead[doc] === 0,
  });
  const list = () =>
    [...held.values()].map(({ segment }) => ({ uid: segment.uid, docs: segment.docCount, segment }));
  return {
    add,
    drop,
    replace,
    findMail: id => {
      const place = places.get(id);
      if (place === undefined) return null;
      const { one, doc } = placeOf(place);
      return one.segment.times[doc] as number;
    },
    remove: id => {
      const place = places.get(id);
      if (place === undefined) return null;
      const { one, doc } = placeOf(place);
      one.dead[doc] = 1;
      places.delete(id);
      removed.set(id, one.segment.times[doc] as number);
      return one.segment.uid;
    },
    ids: () => places.keys(),
    mailCount: () => places.size,
    segments: list,
    living: uid => {
      const one = held.get(uid);
      return one === undefined ? null : living(one);
    },
    planMerge: () => planMerge(list()).map(({ uid }) => uid),
    prepare: () => [...held.values()].some(({ segment }) => segment.tails.prepare()),
    search: (query, limit, after) => findHits([...held.values()].map(living), query, limit, after),
  };
}
