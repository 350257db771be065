// Answers the part of a query that the index covers: words, dates, attachments. Each condition is
// one bit of a number per message. A message is a hit when the formula holds, or can still hold
// once rows are evaluated. Newest first.
import { encodeText } from './bytes.ts';
import type { TermCursor } from './dictionary.ts';
import { fold } from './fold.ts';
import { findNumber } from './numbers.ts';
import { type Condition, type Formula, judge, type Query } from './query.ts';
import { ALL_FIELDS, DOC_FLAGS, FIELDS, type Segment } from './segment.ts';
import { spellingsOf, tailsOf } from './spellings.ts';
import { isJoint, type WantedTerm, wantedTerms } from './terms.ts';

/** A message that the index does not rule out. */
export type Hit = {
  readonly id: string;
  /** Arrival time in seconds. */
  readonly at: number;
  /** Bit i: condition i of the query holds, as far as the index knows. */
  readonly truths: number;
};

/** Page cursor: the next page starts after this hit. */
export type HitPlace = { readonly at: number; readonly id: string };

export type HitPage = { readonly hits: readonly Hit[]; readonly total: number };

/** Sorts after all joints and before all letters. */
const AFTER_JOINTS = 0x60;

/** A field mask per message, and a buffer for reading postings. */
type Room = { readonly masks: Uint8Array; readonly read: Uint32Array };

function addPostings(
  segment: Segment,
  term: Pick<TermCursor, 'postingsAt' | 'postingsEnd'>,
  { masks, read }: Room,
): void {
  const count = segment.readPostings(term, read);
  for (let at = 0; at < count; at++) {
    const doc = (read[at] as number) >>> 5;
    masks[doc] = (masks[doc] as number) | ((read[at] as number) & ALL_FIELDS);
  }
}

/** Returns the fields that contain the wanted term, as a mask per message, or null if none does. */
function masksOf(segment: Segment, { term, how }: WantedTerm, read: Uint32Array): Uint8Array | null {
  let room: Room | null = null;
  const wanted = encodeText(term);
  const cursor = segment.terms(wanted);
  while (cursor.next() && startsWith(cursor, wanted)) {
    const next = cursor.length === wanted.length ? null : (cursor.bytes[wanted.length] as number);
    if (how === 'part' && next !== null && !isJoint(next)) {
      if (next > AFTER_JOINTS) break;
      continue;
    }
    room ??= { masks: new Uint8Array(segment.docCount), read };
    addPostings(segment, cursor, room);
  }
  return room?.masks ?? null;
}

/** Returns the fields that contain all of these terms. */
function masksOfAll(segment: Segment, terms: readonly WantedTerm[], read: Uint32Array): Uint8Array | null {
  let masks: Uint8Array | null = null;
  for (const term of terms) {
    const more = masksOf(segment, term, read);
    if (more === null) return null;
    if (masks === null) masks = more;
    else
      for (let doc = 0; doc < more.length; doc++) masks[doc] = (masks[doc] as number) & (more[doc] as number);
  }
  return masks;
}

function addTo(all: Uint8Array, more: Uint8Array | null): void {
  if (more !== null)
    for (let doc = 0; doc < all.length; doc++) all[doc] = (all[doc] as number) | (more[doc] as number);
}

/**
 * Returns the fields that contain a number in any grouping. Works from the end of the number to its
 * front and tries what may begin at each position. Whether the groups are adjacent is decided by
 * the text (phrase.ts).
 */
function masksOfNumber(segment: Segment, number: string, read: Uint32Array): Uint8Array | null {
  const length = number.length;
  const from: (Uint8Array | null)[] = Array.from({ length: length + 1 }, () => null);
  from[length] = new Uint8Array(segment.docCount).fill(ALL_FIELDS);
  for (let start = length - 1; start >= 0; start--) {
    for (let end = start + 1; end <= length; end++) {
      const behind = from[end];
      // Single digits are too common; only the first or last group may be one.
      if (behind == null || (end === start + 1 && start > 0 && end < length)) continue;
      const how = end === length ? 'begins' : 'part';
      const masks = masksOf(segment, { term: number.slice(start, end), how }, read);
      if (masks === null) continue;
      let isAny = false;
      for (let doc = 0; doc < masks.length; doc++) {
        masks[doc] = (masks[doc] as number) & (behind[doc] as number);
        isAny ||= masks[doc] !== 0;
      }
      if (!isAny) continue;
      const before = from[start];
      if (before == null) from[start] = masks;
      else addTo(before, masks);
    }
  }
  return from[0] ?? null;
}

/** Returns the fields that contain the words of a condition, in any of their spellings. */
function masksOfWords(segment: Segment, { text, isExact }: Condition & { kind: 'words' }): Uint8Array {
  const all = new Uint8Array(segment.docCount);
  const read = new Uint32Array(segment.docCount);
  if (isExact) {
    addTo(all, masksOfAll(segment, wantedTerms(fold(text), false), read));
    return all;
  }
  const spellings = spellingsOf(text);
  for (const { text: one, isWhole } of spellings)
    addTo(all, masksOfAll(segment, wantedTerms(one, !isWhole), read));
  for (const term of segment.tails.find(tailsOf(spellings))) addPostings(segment, term, { masks: all, read });
  const number = findNumber(text);
  if (number !== null) addTo(all, masksOfNumber(segment, number, read));
  return all;
}

function startsWith({ bytes, length }: TermCursor, wanted: Uint8Array): boolean {
  if (length < wanted.length) return false;
  for (let at = 0; at < wanted.length; at++) if (bytes[at] !== wanted[at]) return false;
  return true;
}

/**
 * Marks the mails of a segment that fulfill a condition; does nothing for those that rows answer.
 */
function mark(segment: Segment, condition: Condition, bit: number, truths: Uint32Array): void {
  const set = (doc: number): void => {
    truths[doc] = (truths[doc] as number) | bit;
  };
  if (condition.kind === 'attachment') {
    for (let doc = 0; doc < segment.docCount; doc++)
      if ((segment.flags[doc] as number) & DOC_FLAGS.attachment) set(doc);
  } else if (condition.kind === 'date') {
    const from = condition.from === null ? Number.NEGATIVE_INFINITY : condition.from / 1000;
    const to = condition.to === null ? Number.POSITIVE_INFINITY : condition.to / 1000;
    for (let doc = 0; doc < segment.docCount; doc++) {
      const at = segment.times[doc] as number;
      if (at >= from && at < to) set(doc);
    }
  } else if (condition.kind === 'words') {
    const field = condition.field === null ? ALL_FIELDS : FIELDS[condition.field];
    const masks = masksOfWords(segment, condition);
    for (let doc = 0; doc < masks.length; doc++) if ((masks[doc] as number) & field) set(doc);
  }
}

/** Reports whether the index answers a condition. */
export const isIndexed = ({ kind }: Condition): boolean =>
  kind === 'words' || kind === 'date' || kind === 'attachment';

/** Conditions of the index that every hit fulfills. */
function requiredBy(formula: Formula, conditions: readonly Condition[]): ReadonlySet<number> {
  const parts = formula.kind === 'and' ? formula.parts : [formula];
  return new Set(
    parts.flatMap(part =>
      part.kind === 'condition' && isIndexed(conditions[part.index] as Condition) ? [part.index] : [],
    ),
  );
}

/** Evaluation order: message facts first, then long words, then short prefixes. */
const costOf = (condition: Condition): number =>
  condition.kind === 'words'
    ? 100 - Math.min(50, condition.text.length) - (condition.field === null ? 0 : 50)
    : 0;

/** Returns the hits after a position, newest first, and the total count. */
export function findHits(
  parts: readonly { readonly segment: Segment; readonly isAlive: (doc: number) => boolean }[],
  { formula, conditions }: Query,
  limit: number,
  after: HitPlace | null,
): HitPage {
  if (formula === null) return { hits: [], total: 0 };
  const verdicts = new Map<number, boolean>();
  const canHold = (truths: number): boolean => {
    const known = verdicts.get(truths);
    if (known !== undefined) return known;
    const verdict =
      judge(formula, index =>
        isIndexed(conditions[index] as Condition) ? (truths & (1 << index)) !== 0 : null,
      ) !== false;
    verdicts.set(truths, verdict);
    return verdict;
  };
  const required = requiredBy(formula, conditions);
  const order = conditions
    .map((_, index) => index)
    .sort((a, b) => costOf(conditions[a] as Condition) - costOf(conditions[b] as Condition));
  let total = 0;
  const found: Hit[] = [];
  for (const { segment, isAlive } of parts) {
    const truths = new Uint32Array(segment.docCount);
    let needed = 0;
    const isLost = order.some(index => {
      mark(segment, conditions[index] as Condition, 1 << index, truths);
      if (!required.has(index)) return false;
      needed |= 1 << index;
      return !truths.some(truth => (truth & needed) === needed);
    });
    if (isLost) continue;
    let taken = 0;
    let lastAt = 0;
    for (let doc = 0; doc < segment.docCount; doc++) {
      const value = truths[doc] as number;
      if (!canHold(value) || !isAlive(doc)) continue;
      total++;
      const at = segment.times[doc] as number;
      // Within one second, hits are ordered by id, so all of that second are examined.
      if ((taken >= limit && at !== lastAt) || (after !== null && at > after.at)) continue;
      const id = segment.idOf(doc);
      if (after !== null && !isAfter({ at, id }, after)) continue;
      found.push({ id, at, truths: value });
      lastAt = at;
      taken++;
    }
  }
  found.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  return { hits: found.slice(0, limit), total };
}

const isAfter = (hit: HitPlace, place: HitPlace): boolean =>
  hit.at < place.at || (hit.at === place.at && hit.id < place.id);
