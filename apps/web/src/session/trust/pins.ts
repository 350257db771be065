// What the address book holds, and the rules about keys in it (docs/adr/0020): a pin is what was seen of somebody's keys at
// first use, a mark belongs to a pin, and whoever is pinned gets nothing under other keys, or none. Pure.
import { directoryNameOf, normalizeAddress } from '@keyfold/mail/address-form';
import { z } from 'zod';

/** How somebody was verified. */
const marks = ['share_code', 'scanned', 'compared'] as const;
export type Mark = (typeof marks)[number];

const pin = z.object({
  /** X25519 public key, base64: what a mail names as its sender's. */
  dh: z.string(),
  /** SHA-256 of both keys, base64. */
  digest: z.string(),
  /** When it was pinned or last used, ms. */
  at: z.number(),
  verified: z.object({ how: z.enum(marks), at: z.number() }).nullable(),
});
export type Pin = z.infer<typeof pin>;

const person = z.object({
  email: z.string().transform(normalizeAddress),
  name: z.string().catch(''),
  note: z.string().catch(''),
  /** False for somebody who was only written to. */
  isContact: z.boolean(),
  pin: pin.nullable(),
  /** X25519 keys that were pinned before: what was sealed with them then is theirs still. */
  former: z.array(z.string()).catch([]),
  /** When their safety number was compared and did not match, ms: nothing is sent to them until that is reviewed. */
  mismatchAt: z.number().nullable().catch(null),
});
export type Person = z.infer<typeof person> & {
  /** What else their card says, as lines of a vCard; absent for nothing (book-records.ts). */
  readonly lines?: readonly string[];
  /** The address under which the card is kept that this one is on, too; absent for a card of their own. */
  readonly cardOf?: string;
};

const group = z.object({ id: z.string(), name: z.string(), emails: z.array(z.string()) });
export type Group = z.infer<typeof group>;

export const bookSchema = z.object({
  /** Grows with every change. */
  serial: z.number(),
  people: z.array(person),
  groups: z.array(group).catch([]),
});
export type Book = Omit<z.infer<typeof bookSchema>, 'people'> & { people: Person[] };

export const emptyBook: Book = { serial: 0, people: [], groups: [] };

/** Most people of a book. */
export const BOOK_PEOPLE_MAX = 25_000;
/** Most of them who are pinned or were only written to: these stand in one record (book-records.ts). */
export const BOUND_PEOPLE_MAX = 1_000;
const FORMER_MAX = 5;

const indexes = new WeakMap<readonly Person[], ReadonlyMap<string, Person>>();
const asked = new WeakMap<readonly Person[], number>();
/** So often people are looked for one by one: what is asked less is not worth an index. */
const ASKED_MAX = 8;

/** Somebody of the book; the first of this address. */
export function findPerson(book: Book, address: string): Person | null {
  const wanted = normalizeAddress(address);
  let index = indexes.get(book.people);
  if (index === undefined) {
    const times = (asked.get(book.people) ?? 0) + 1;
    asked.set(book.people, times);
    if (times <= ASKED_MAX) return book.people.find(({ email }) => email === wanted) ?? null;
    index = new Map(book.people.toReversed().map(one => [one.email, one] as const));
    indexes.set(book.people, index);
  }
  return index.get(wanted) ?? null;
}

/** The names of the groups that everybody is in, by address: for many people at once. */
export function groupsByEmail(groups: readonly Group[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { name, emails } of groups)
    for (const email of emails) {
      const names = found.get(email);
      if (names === undefined) found.set(email, [name]);
      else names.push(name);
    }
  return found;
}

/** The pin for an address: its own, or that of the address without its tag. */
export const findPin = (book: Book, address: string): Pin | null =>
  findPerson(book, address)?.pin ?? findPerson(book, directoryNameOf(normalizeAddress(address)))?.pin ?? null;

/** What keys are to us: `digest` is that of the directory's keys, null when it names none. */
export type Trust = 'verified' | 'sealed' | 'plain' | 'key_changed' | 'mismatch';

/** Whether sending is blocked until somebody reviews the key, here or on another device. */
export const needsReview = (trust: string | undefined): boolean =>
  trust === 'key_changed' || trust === 'mismatch';

/** When the safety number for an address, with a tag or without, was marked as not matching, ms; null for never. */
export const findMismatch = (book: Book, address: string): number | null =>
  findPerson(book, address)?.mismatchAt ??
  findPerson(book, directoryNameOf(normalizeAddress(address)))?.mismatchAt ??
  null;

/** The same as `judgeKeys` for an address of the book. A mismatch counts whatever keys the directory names since. */
export const judgeAddress = (book: Book, address: string, digest: string | null): Trust =>
  findMismatch(book, address) === null ? judgeKeys(findPin(book, address), digest) : 'mismatch';

export function judgeKeys(pinned: Pin | null, digest: string | null): Trust {
  if (pinned === null) return digest === null ? 'plain' : 'sealed';
  if (pinned.digest !== digest) return 'key_changed';
  return pinned.verified === null ? 'sealed' : 'verified';
}

export const nobody = (email: string): Person => ({
  email,
  name: '',
  note: '',
  isContact: false,
  pin: null,
  former: [],
  mismatchAt: null,
});

/** The book after a change to one person, who is added when not there. */
export function withPerson(book: Book, address: string, change: (before: Person) => Person): Book {
  const email = normalizeAddress(address);
  const before = findPerson(book, email) ?? nobody(email);
  const people = book.people.filter(one => one !== before);
  return { ...book, people: [...people, change(before)] };
}

/** Keys of somebody, with their digest. */
export type SeenKeys = { readonly dh: string; readonly digest: string };

/** Pins the first keys of people who have no pin; others are left alone. */
export function pinFirst(
  book: Book,
  seen: readonly (SeenKeys & { readonly email: string })[],
  at: number,
): Book {
  return seen.reduce((before, { email, dh, digest }) => {
    if (findPin(before, email) !== null) return before;
    const fresh: Pin = { dh, digest, at, verified: null };
    return withPerson(before, directoryNameOf(normalizeAddress(email)), one => ({ ...one, pin: fresh }));
  }, book);
}

/** Takes these keys for somebody instead of what was pinned; a mark goes with the keys that it was for. */
export function acceptKeys(book: Book, address: string, keys: SeenKeys | null, at: number): Book {
  return withPerson(book, address, before => {
    if (before.pin !== null && before.pin.digest === keys?.digest) return before;
    const former =
      before.pin === null ? before.former : [before.pin.dh, ...before.former].slice(0, FORMER_MAX);
    return { ...before, former, pin: keys === null ? null : { ...keys, at, verified: null } };
  });
}

/** Marks somebody as verified under exactly these keys, which are then pinned. */
export function verifyKeys(book: Book, address: string, keys: SeenKeys, how: Mark, at: number): Book {
  const reviewed = clearMismatch(book, address);
  return withPerson(acceptKeys(reviewed, address, keys, at), address, before =>
    before.pin === null ? before : { ...before, pin: { ...before.pin, verified: { how, at } } },
  );
}

/**
 * Marks an address whose safety number did not match under these keys, which are pinned when none were. A verification goes
 * if it was for the same keys.
 */
export function markMismatch(book: Book, address: string, keys: SeenKeys, at: number): Book {
  const email = directoryNameOf(normalizeAddress(address));
  const pinned = pinFirst(book, [{ email, ...keys }], at);
  const marked = withPerson(pinned, email, before => ({ ...before, mismatchAt: at }));
  const isSame = findPin(marked, address)?.digest === keys.digest;
  return isSame ? unverify(marked, findPinnedName(marked, address)) : marked;
}

/** Takes the mark of a mismatch off again; the pinned keys stay, so changed keys still block sending. */
export const clearMismatch = (book: Book, address: string): Book =>
  [normalizeAddress(address), directoryNameOf(normalizeAddress(address))].reduce(
    (before, email) =>
      findPerson(before, email)?.mismatchAt == null
        ? before
        : withPerson(before, email, one => ({ ...one, mismatchAt: null })),
    book,
  );

/** The address under which the pin of an address is kept: its own, or that without its tag. */
export function findPinnedName(book: Book, address: string): string {
  const pin = findPin(book, address);
  return book.people.find(one => one.pin !== null && one.pin === pin)?.email ?? address;
}

/** Takes a mark back: the numbers do not match any more, or never did. */
export const unverify = (book: Book, address: string): Book =>
  withPerson(book, address, before =>
    before.pin === null ? before : { ...before, pin: { ...before.pin, verified: null } },
  );

/** The people after somebody has gone whose card others are on: the first of these has it then. */
function passCard(people: readonly Person[], { email, lines }: Person): Person[] {
  const [heir] = people.filter(one => one.cardOf === email);
  if (heir === undefined) return [...people];
  return people.map(one => {
    if (one.cardOf !== email) return one;
    const { cardOf: _cardOf, ...rest } = one;
    if (one !== heir) return { ...rest, cardOf: heir.email };
    return lines === undefined ? rest : { ...rest, lines };
  });
}

/** No contact any more; the pin stays, so that removing and adding again launders no key. */
export function removeContact(book: Book, address: string): Book {
  const email = normalizeAddress(address);
  const groups = book.groups.map(one => ({ ...one, emails: one.emails.filter(other => other !== email) }));
  const gone = findPerson(book, email);
  if (gone === null) return book;
  const rest = { ...book, groups, people: passCard(book.people, gone) };
  if (gone.pin !== null || gone.mismatchAt !== null)
    return withPerson(rest, email, ({ pin, former, mismatchAt }) => ({
      ...nobody(email),
      pin,
      former,
      mismatchAt,
    }));
  return { ...rest, people: rest.people.filter(one => one.email !== email) };
}

/** Room for a record: people who are no contacts and were neither verified nor marked go first, the longest unused ones. */
export function fitting(book: Book): Book {
  const bound = book.people.filter(one => !one.isContact || one.pin !== null || one.mismatchAt !== null);
  const excess = bound.length - BOUND_PEOPLE_MAX;
  if (excess <= 0) return book;
  const dropped = new Set(
    bound
      .filter(one => !one.isContact && (one.pin?.verified ?? null) === null && one.mismatchAt === null)
      .toSorted((a, b) => (a.pin?.at ?? 0) - (b.pin?.at ?? 0))
      .slice(0, excess),
  );
  return { ...book, people: book.people.filter(one => !dropped.has(one)) };
}
