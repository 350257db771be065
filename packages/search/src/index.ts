// The index of a mailbox: several segments in memory. A mail that is in more than one counts only
// in the one with its newest version. Storage, encryption and running merges are the caller's
// responsibility.
import {
  addSegment,
  createState,
  dropSegment,
  type Entry,
  removeMail,
  replaceSegments,
  timeAt,
} from './current-versions.ts';
import { type LivingSegment, planMerge } from './merge.ts';
import type { Query } from './query.ts';
import { findHits, type HitPage, type HitPlace } from './search.ts';
import type { Segment } from './segment.ts';

export { createBuilder, type IndexedMail } from './build.ts';
export { release } from './bytes.ts';
export { FIELD_MAX_CHARACTERS } from './limits.ts';
export { mergeSegments } from './merge.ts';
export type { Hit, HitPage, HitPlace } from './search.ts';
export { DOC_FLAGS, openSegment, type Segment, UID_BYTES } from './segment.ts';

export type MailIndex = {
  /**
   * Adds a segment, unless it is present already. Throws RangeError for bytes that are not a
   * segment.
   */
  readonly add: (bytes: Uint8Array) => Segment;
  /** Drops a segment. Mails that other segments also contain count there again. */
  readonly drop: (uid: string) => void;
  /** Replaces segments with the one they were merged into. */
  readonly replace: (bytes: Uint8Array, uids: readonly string[]) => void;
  /** Returns the arrival time, in seconds, of the indexed version, or null. */
  readonly findMail: (id: string) => number | null;
  /**
   * Hides a mail until a segment with a newer version is added; returns the uid of the segment that
   * it was in.
   */
  readonly remove: (id: string) => string | null;
  readonly ids: () => IterableIterator<string>;
  readonly mailCount: () => number;
  readonly segments: () => readonly {
    readonly uid: string;
    readonly docs: number;
    readonly segment: Segment;
  }[];
  readonly living: (uid: string) => LivingSegment | null;
  /** Uids of segments that should be merged into one; empty when there is nothing to merge. */
  readonly planMerge: () => readonly string[];
  /** Prepares one segment so that its first query does not have to; false when all are prepared. */
  readonly prepare: () => boolean;
  readonly search: (query: Query, limit: number, after: HitPlace | null) => HitPage;
};

const toLiving = ({ segment, superseded }: Entry): LivingSegment => ({
  segment,
  isAlive: doc => superseded[doc] === 0,
});

export function createIndex(): MailIndex {
  const state = createState();
  const { byUid, places } = state;
  const segments = () =>
    [...byUid.values()].map(({ segment }) => ({ uid: segment.uid, docs: segment.docCount, segment }));
  return {
    add: bytes => addSegment(state, bytes),
    drop: uid => dropSegment(state, uid),
    replace: (bytes, uids) => replaceSegments(state, bytes, uids),
    findMail: id => {
      const place = places.get(id);
      return place === undefined ? null : timeAt(state, place);
    },
    remove: id => removeMail(state, id),
    ids: () => places.keys(),
    mailCount: () => places.size,
    segments,
    living: uid => {
      const entry = byUid.get(uid);
      return entry === undefined ? null : toLiving(entry);
    },
    planMerge: () => planMerge(segments()).map(({ uid }) => uid),
    prepare: () => [...byUid.values()].some(({ segment }) => segment.tails.prepare()),
    search: (query, limit, after) => findHits([...byUid.values()].map(toLiving), query, limit, after),
  };
}
