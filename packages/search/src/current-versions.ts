// Tracks which segment has the current version of each mail, while segments are added, dropped and
// merged.
import { openSegment, type Segment } from './segment.ts';

/**
 * A segment in memory; `superseded` has a 1 for each mail that another segment has a newer version
 * of, or that was removed.
 */
export type Entry = { readonly segment: Segment; readonly superseded: Uint8Array; readonly serial: number };

/** Maximum number of mails in one segment, so that a segment and a mail in it fit in one number. */
const PLACES = 2 ** 24;

export type State = {
  readonly byUid: Map<string, Entry>;
  readonly bySerial: Map<number, Entry>;
  /**
   * The current version of each mail by id: serial of its segment * PLACES + number in the segment.
   */
  readonly places: Map<string, number>;
  /** Arrival of removed mails by id; only newer versions count. */
  readonly removed: Map<string, number>;
  nextSerial: number;
};

export const createState = (): State => ({
  byUid: new Map(),
  bySerial: new Map(),
  places: new Map(),
  removed: new Map(),
  nextSerial: 1,
});

const entryAt = (state: State, place: number): Entry =>
  state.bySerial.get(Math.floor(place / PLACES)) as Entry;

const docAt = (place: number): number => place % PLACES;

export const timeAt = (state: State, place: number): number =>
  entryAt(state, place).segment.times[docAt(place)] as number;

function insertEntry(state: State, segment: Segment): Entry {
  const entry: Entry = { segment, superseded: new Uint8Array(segment.docCount), serial: state.nextSerial++ };
  state.byUid.set(segment.uid, entry);
  state.bySerial.set(entry.serial, entry);
  return entry;
}

function deleteEntry(state: State, { segment, serial }: Entry): void {
  state.byUid.delete(segment.uid);
  state.bySerial.delete(serial);
}

/**
 * Makes a mail of a segment the current version, unless it is removed or another segment has a
 * newer one.
 */
function claim(state: State, { segment, superseded, serial }: Entry, doc: number): void {
  const id = segment.idOf(doc);
  const at = segment.times[doc] as number;
  superseded[doc] = 1;
  const removedAt = state.removed.get(id);
  if (removedAt !== undefined && at <= removedAt) return;
  const current = state.places.get(id);
  if (current !== undefined) {
    if (timeAt(state, current) >= at) return;
    entryAt(state, current).superseded[docAt(current)] = 1;
  }
  superseded[doc] = 0;
  state.places.set(id, serial * PLACES + doc);
}

/** Deletes the places of the mails whose current version is in a segment; returns their ids. */
function deletePlaces({ places }: State, { segment, serial }: Entry): Set<string> {
  const ids = new Set<string>();
  for (let doc = 0; doc < segment.docCount; doc++) {
    const id = segment.idOf(doc);
    if (places.get(id) !== serial * PLACES + doc) continue;
    places.delete(id);
    ids.add(id);
  }
  return ids;
}

/** Adds a segment, or returns the one with its uid that is present already. */
export function addSegment(state: State, bytes: Uint8Array): Segment {
  const segment = openSegment(bytes);
  const known = state.byUid.get(segment.uid);
  if (known !== undefined) return known.segment;
  const entry = insertEntry(state, segment);
  for (let doc = 0; doc < segment.docCount; doc++) claim(state, entry, doc);
  return segment;
}

/** Drops a segment; other segments then take over its mails. */
export function dropSegment(state: State, uid: string): void {
  const entry = state.byUid.get(uid);
  if (entry === undefined) return;
  const ids = deletePlaces(state, entry);
  deleteEntry(state, entry);
  if (ids.size === 0) return;
  for (const other of state.byUid.values()) {
    for (let doc = 0; doc < other.segment.docCount; doc++)
      if (ids.has(other.segment.idOf(doc))) claim(state, other, doc);
  }
}

/** Puts the segment that others were merged into in their place. */
export function replaceSegments(state: State, bytes: Uint8Array, uids: readonly string[]): void {
  const { places } = state;
  const old = uids.flatMap(uid => state.byUid.get(uid) ?? []);
  const oldSerials = new Set(old.map(({ serial }) => serial));
  const { segment, superseded, serial } = insertEntry(state, openSegment(bytes));
  for (let doc = 0; doc < segment.docCount; doc++) {
    const id = segment.idOf(doc);
    const place = places.get(id);
    // A mail may have been removed, or added again in another segment, while the segments were
    // being merged.
    if (place === undefined || !oldSerials.has(Math.floor(place / PLACES))) superseded[doc] = 1;
    else places.set(id, serial * PLACES + doc);
  }
  for (const entry of old) {
    deletePlaces(state, entry);
    deleteEntry(state, entry);
  }
}

/** Removes a mail until a newer version is added; returns the uid of its segment. */
export function removeMail(state: State, id: string): string | null {
  const place = state.places.get(id);
  if (place === undefined) return null;
  const { segment, superseded } = entryAt(state, place);
  superseded[docAt(place)] = 1;
  state.places.delete(id);
  state.removed.set(id, segment.times[docAt(place)] as number);
  return segment.uid;
}
