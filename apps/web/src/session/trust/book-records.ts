// Layout of an address book in records. The first record holds pins and verifications, which must
// be stored atomically, and as many other people as fit. Further records hold all other people, and
// everyone's card data (docs/adr/0020). A client version that predates further records reads and
// writes only the first, and loses nothing of the others. Pure.
import { finishSteps, type Steps } from '@keyfold/mail/slices';
import { type Book, groupsByEmail, nobody, type Person } from './pins.ts';

/**
 * Maximum number of people in the first record, followed by the maximum sizes of the first and of a
 * further record before sealing, in bytes.
 */
export const FIRST_RECORD_PEOPLE_MAX = 1_000;
const FIRST_RECORD_BYTES = 180_000;
const FURTHER_RECORD_BYTES = 220_000;
/** People processed per slice of work, which takes a few milliseconds. */
const SLICE_PEOPLE = 100;

/**
 * A further record's entry for a person; with `isContact`, the first record does not contain that
 * person.
 */
type Entry = {
  readonly email: string;
  readonly isContact?: true;
  readonly name?: string;
  readonly note?: string;
  readonly groups?: readonly string[];
  readonly lines?: readonly string[];
  readonly cardOf?: string;
};

export type FurtherRecord = { readonly people: readonly Entry[] };

/** A book divided into records. */
export type Layout = {
  readonly first: Book;
  readonly further: readonly FurtherRecord[];
};

const sizes = new WeakMap<object, number>();

/**
 * Returns the size of a value in a record, in bytes. Values are immutable, so each is measured
 * once.
 */
export function bytesOf(value: object): number {
  let size = sizes.get(value);
  if (size === undefined) {
    size = new TextEncoder().encode(JSON.stringify(value)).length + 1;
    sizes.set(value, size);
  }
  return size;
}

/** Returns whether a person must be in the first record. */
export const isBound = ({ pin, mismatchAt, former, isContact }: Person): boolean =>
  pin !== null || mismatchAt !== null || former.length > 0 || !isContact;

const bareOf = ({ lines: _lines, cardOf: _cardOf, ...bare }: Person): Person => bare;
const bares = new WeakMap<Person, Person>();

function kept(person: Person): Person {
  if (person.lines === undefined && person.cardOf === undefined) return person;
  const bare = bares.get(person) ?? bareOf(person);
  bares.set(person, bare);
  return bare;
}

/**
 * Returns the people of the first record: those who must be there, then as many others as fit,
 * those known longest first.
 */
function firstOf(people: readonly Person[], groupsBytes: number): ReadonlySet<Person> {
  const first = new Set(people.filter(isBound));
  let room = FIRST_RECORD_BYTES - groupsBytes;
  for (const one of first) room -= bytesOf(kept(one));
  for (const one of people) {
    if (first.has(one)) continue;
    room -= bytesOf(kept(one));
    if (first.size >= FIRST_RECORD_PEOPLE_MAX || room < 0) break;
    first.add(one);
  }
  return first;
}

type Made = { readonly isFirst: boolean; readonly groups: string; readonly entry: Entry };
const entries = new WeakMap<Person, Made>();

/**
 * Returns a person's entry in a further record, or null if none is needed. `isFirst`: the first
 * record contains the person, and no further record held the full entry before. A person who moves
 * into the first record keeps the full entry in the further one, so that a failure between two
 * writes loses no one.
 */
function entryOf(person: Person, isFirst: boolean, groups: readonly string[]): Entry | null {
  const { email, name, note, lines = [], cardOf = '' } = person;
  if (isFirst && lines.length === 0 && cardOf === '') return null;
  const before = entries.get(person);
  const names = isFirst ? '' : groups.join('\n');
  if (before?.isFirst === isFirst && before.groups === names) return before.entry;
  const entry: Entry = {
    email,
    ...(isFirst ? {} : { isContact: true as const, name, note }),
    ...(isFirst || groups.length === 0 ? {} : { groups }),
    ...(lines.length === 0 ? {} : { lines }),
    ...(cardOf === '' ? {} : { cardOf }),
  };
  entries.set(person, { isFirst, groups: names, entry });
  return entry;
}

const isSame = (one: readonly Entry[], other: readonly Entry[]): boolean =>
  one.length === other.length && one.every((entry, index) => entry === other[index]);

/**
 * Divides the book into records. People from a further record stay in it while there is space, so
 * that a change writes few records; an unchanged record remains the same object. Runs in steps,
 * because books have thousands of people.
 */
export function* layOutSteps(book: Book, before: readonly FurtherRecord[]): Steps<Layout> {
  const names = groupsByEmail(book.groups);
  const first = firstOf(book.people, Math.min(FIRST_RECORD_BYTES / 3, book.groups.length * 80));
  const places = new Map(before.flatMap(({ people }, at) => people.map(({ email }) => [email, at] as const)));
  const whole = new Set(
    before.flatMap(({ people }) =>
      people.flatMap(({ email, isContact }) => (isContact === true ? [email] : [])),
    ),
  );
  const further: Entry[][] = before.map(() => []);
  const used = before.map(() => 0);
  const homeless: Entry[] = [];
  const put = (entry: Entry, at: number): boolean => {
    const size = (used[at] ?? 0) + bytesOf(entry);
    if (size > FURTHER_RECORD_BYTES) return false;
    further[at]?.push(entry);
    used[at] = size;
    return true;
  };
  for (const [index, person] of book.people.entries()) {
    if (index % SLICE_PEOPLE === SLICE_PEOPLE - 1) yield;
    const isLight = first.has(person) && !(person.isContact && whole.has(person.email));
    const entry = entryOf(person, isLight, names.get(person.email) ?? []);
    if (entry === null) continue;
    const at = places.get(entry.email);
    if (at === undefined || !put(entry, at)) homeless.push(entry);
  }
  for (const entry of homeless) {
    const last = further.length - 1;
    if (last >= 0 && put(entry, last)) continue;
    further.push([entry]);
    used.push(bytesOf(entry));
  }
  yield;
  const others = new Set(book.people.flatMap(one => (first.has(one) ? [] : [one.email])));
  return {
    first: {
      ...book,
      people: book.people.filter(one => first.has(one)).map(kept),
      groups: book.groups.map(group => ({ ...group, emails: group.emails.filter(one => !others.has(one)) })),
    },
    further: further.map((people, at) => {
      const old = before[at];
      const sorted = sortedAs(people, old?.people ?? []);
      return old !== undefined && isSame(sorted, old.people) ? old : { people: sorted };
    }),
  };
}

/** Does the same in one go. */
export const layOut = (book: Book, before: readonly FurtherRecord[]): Layout =>
  finishSteps(layOutSteps(book, before));

/**
 * Keeps the order of the stored record and appends new people, because a change moves a person to
 * the end of the book.
 */
function sortedAs(people: readonly Entry[], before: readonly Entry[]): readonly Entry[] {
  const places = new Map(before.map(({ email }, at) => [email, at] as const));
  return people.toSorted(
    (a, b) => (places.get(a.email) ?? before.length) - (places.get(b.email) ?? before.length),
  );
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Parses a further record; leaves out damaged parts. */
export function readFurther(value: unknown): FurtherRecord {
  const { people } = (value ?? {}) as { people?: unknown };
  return {
    people: (Array.isArray(people) ? people : []).flatMap((one: unknown): Entry[] => {
      const { email, isContact, name, note, groups, lines, cardOf } = (one ?? {}) as Record<string, unknown>;
      if (typeof email !== 'string' || email === '') return [];
      return [
        {
          email,
          ...(isContact === true ? { isContact: true as const } : {}),
          ...(typeof name === 'string' ? { name } : {}),
          ...(typeof note === 'string' ? { note } : {}),
          ...(groups === undefined ? {} : { groups: texts(groups) }),
          ...(lines === undefined ? {} : { lines: texts(lines) }),
          ...(typeof cardOf === 'string' ? { cardOf } : {}),
        },
      ];
    }),
  };
}

/**
 * Joins the records into a book; leaves out entries of further records for people who are no longer
 * contacts.
 */
export function joinBook(first: Book, further: readonly FurtherRecord[]): Book {
  const all = new Map(further.flatMap(({ people }) => people.map(entry => [entry.email, entry] as const)));
  const known = new Set(first.people.map(({ email }) => email));
  const people = first.people.map((person): Person => {
    const entry = all.get(person.email);
    if (entry === undefined || !person.isContact) return person;
    const { lines, cardOf } = entry;
    if (lines === undefined && cardOf === undefined) return person;
    const made: Person = {
      ...person,
      ...(lines === undefined ? {} : { lines }),
      ...(cardOf === undefined ? {} : { cardOf }),
    };
    if (entry.isContact !== true) entries.set(made, { isFirst: true, groups: '', entry });
    return made;
  });
  const groups = new Map(first.groups.map(group => [group.name, { ...group, emails: [...group.emails] }]));
  for (const entry of all.values()) {
    if (entry.isContact !== true || known.has(entry.email)) continue;
    const { email, name = '', note = '', lines, cardOf } = entry;
    const made: Person = {
      ...nobody(email),
      name,
      note,
      isContact: true,
      ...(lines === undefined ? {} : { lines }),
      ...(cardOf === undefined ? {} : { cardOf }),
    };
    people.push(made);
    entries.set(made, { isFirst: false, groups: (entry.groups ?? []).join('\n'), entry });
    for (const group of entry.groups ?? []) {
      const found = groups.get(group) ?? { id: `named-${group}`, name: group, emails: [] };
      found.emails.push(email);
      groups.set(group, found);
    }
  }
  return { ...first, people, groups: [...groups.values()].filter(({ emails }) => emails.length > 0) };
}
