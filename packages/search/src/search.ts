// Answers the part of a query that the index knows: words, dates, attachments. Each condition is one bit of a number per
// mail; a mail is a hit when the formula holds or can still hold, once rows say the rest. Newest first.
import { encodeText } from './bytes.ts';
import { fold } from './fold.ts';
import { type Condition, type Formula, judge, type Query } from './query.ts';
import { ALL_FIELDS, DOC_FLAGS, FIELDS, type Segment, type TermCursor } from './segment.ts';
import { isJoint, type WantedTerm, wantedTerms } from './terms.ts';

/** A mail that the index does not rule out. */
export type Hit = {
  readonly id: string;
  /** Arrival, seconds. */
  readonly at: number;
  /** Bit i: condition i of the query holds, as far as the index knows it. */
  readonly truths: number;
};

/** Where a page goes on: after this hit. */
export type HitPlace = { readonly at: number; readonly id: string };

export type HitPage = { readonly hits: readonly Hit[]; readonly total: number };

/** After all joints, before all letters. */
const AFTER_JOINTS = 0x60;

/** The fields that have the wanted term, as a mask for each mail. */
function masksOf(segment: Segment, { term, how }: WantedTerm): Uint8Array {
  const masks = new Uint8Array(segment.docCount);
  const read = new Uint32Array(segment.docCount);
  const wanted = encodeText(term);
  const cursor = segment.terms(wanted);
  while (cursor.next() && startsWith(cursor, wanted)) {
    const next = cursor.length === wanted.length ? null : (cursor.bytes[wanted.length] as number);
    if (how === 'part' && next !== null && !isJoint(next)) {
      if (next > AFTER_JOINTS) break;
      continue;
    }
    const count = segment.readPostings(cursor, read);
    for (let at = 0; at < count; at++) {
      const doc = (read[at] as number) >>> 5;
      masks[doc] = (masks[doc] as number) | ((read[at] as number) & ALL_FIELDS);
    }
  }
  return masks;
}

function startsWith({ bytes, length }: TermCursor, wanted: Uint8Array): boolean {
  if (length < wanted.length) return false;
  for (let at = 0; at < wanted.length; at++) if (bytes[at] !== wanted[at]) return false;
  return true;
}

/** Marks the mails of a segment that fulfil a condition; does nothing for those that rows answer. */
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
    const [first, ...others] = wantedTerms(fold(condition.text), !condition.isExact);
    if (first === undefined) return;
    const masks = masksOf(segment, first);
    for (const term of others) {
      const more = masksOf(segment, term);
      for (let doc = 0; doc < masks.length; doc++)
        masks[doc] = (masks[doc] as number) & (more[doc] as number);
    }
    for (let doc = 0; doc < masks.length; doc++) if ((masks[doc] as number) & field) set(doc);
  }
}

/** Whether the index answers a condition. */
export const isIndexed = ({ kind }: Condition): boolean =>
  kind === 'words' || kind === 'date' || kind === 'attachment';

/** Conditions of the index that every hit fulfils. */
function requiredBy(formula: Formula, conditions: readonly Condition[]): ReadonlySet<number> {
  const parts = formula.kind === 'and' ? formula.parts : [formula];
  return new Set(
    parts.flatMap(part =>
      part.kind === 'condition' && isIndexed(conditions[part.index] as Condition) ? [part.index] : [],
    ),
  );
}

/** What is looked at first: facts of mails, then long words, at last short beginnings of words. */
const costOf = (condition: Condition): number =>
  condition.kind === 'words'
    ? 100 - Math.min(50, condition.text.length) - (condition.field === null ? 0 : 50)
    : 0;

/** Hits after a place, newest first, and how many there are in all. */
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
      // Within a second the order is that of ids, so all of one second are looked at.
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
