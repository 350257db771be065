// Contents of the address book, and its rules for keys (docs/adr/0020). A pin records a person's
// keys at first use, a verification belongs to a pin, and nothing is sent to a pinned person under
// other keys, or unencrypted. Pure.
import { directoryNameOf, normalizeAddress } from '@keyfold/mail/address-form';
import { z } from 'zod';

/** Ways to verify a person. */
const verificationMethods = ['share_code', 'scanned', 'compared'] as const;
export type VerificationMethod = (typeof verificationMethods)[number];

const pin = z.object({
  /** X25519 public key, base64; a message names it as its sender's. */
  dh: z.string(),
  /** SHA-256 of both keys, base64. */
  digest: z.string(),
  /** Time when it was pinned or last used, ms. */
  at: z.number(),
  verified: z.object({ how: z.enum(verificationMethods), at: z.number() }).nullable(),
});
export type Pin = z.infer<typeof pin>;

const person = z.object({
  email: z.string().transform(normalizeAddress),
  name: z.string().catch(''),
  note: z.string().catch(''),
  /** False for a person the user has only written to. */
  isContact: z.boolean(),
  pin: pin.nullable(),
  /**
   * X25519 keys pinned before; messages that the person sealed with them at the time still count as
   * theirs.
   */
  former: z.array(z.string()).catch([]),
  /**
   * Time when the person's safety number was compared and did not match, ms. Nothing is sent to
   * them until that is reviewed.
   */
  mismatchAt: z.number().nullable().catch(null),
});
export type Person = z.infer<typeof person> & {
  /** The remaining card data, as vCard lines; absent if there is none (book-records.ts). */
  readonly lines?: readonly string[];
  /**
   * Address that holds the shared card on which this address is listed; absent for an address with
   * its own card.
   */
  readonly cardOf?: string;
};

const group = z.object({ id: z.string(), name: z.string(), emails: z.array(z.string()) });
export type Group = z.infer<typeof group>;

export const bookSchema = z.object({
  /** Increases with every change. */
  serial: z.number(),
  people: z.array(person),
  groups: z.array(group).catch([]),
});
export type Book = Omit<z.infer<typeof bookSchema>, 'people'> & { people: Person[] };

export const emptyBook: Book = { serial: 0, people: [], groups: [] };

/** Maximum number of people in a book. */
export const BOOK_PEOPLE_MAX = 25_000;
/**
 * Maximum number of people who are pinned or were only written to; all of them are in one record
 * (book-records.ts).
 */
export const BOUND_PEOPLE_MAX = 1_000;
const FORMER_MAX = 5;

const indexes = new WeakMap<readonly Person[], ReadonlyMap<string, Person>>();
const asked = new WeakMap<readonly Person[], number>();
/** Number of linear lookups before an index is built; fewer are not worth one. */
const ASKED_MAX = 8;

/** Returns a person in the book; the first with this address. */
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

/** Returns everyone's group names by address, for lookups of many people. */
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

/** Returns the pin of an address: its own, or that of the address without its tag. */
export const findPin = (book: Book, address: string): Pin | null =>
  findPerson(book, address)?.pin ?? findPerson(book, directoryNameOf(normalizeAddress(address)))?.pin ?? null;

/** How far keys are trusted: `digest` is that of the directory's keys, or null if it names none. */
export type Trust = 'verified' | 'sealed' | 'plain' | 'key_changed' | 'mismatch';

/** Returns whether sending is blocked until the user reviews the key, here or on another device. */
export const needsReview = (trust: string | undefined): boolean =>
  trust === 'key_changed' || trust === 'mismatch';

/**
 * Returns when the safety number of an address, with or without its tag, was reported as not
 * matching, ms; null for never.
 */
export const findMismatch = (book: Book, address: string): number | null =>
  findPerson(book, address)?.mismatchAt ??
  findPerson(book, directoryNameOf(normalizeAddress(address)))?.mismatchAt ??
  null;

/**
 * Does the same as `judgeKeys` for an address in the book. A mismatch counts whatever keys the
 * directory has named since.
 */
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

/** Returns the book after a change to one person, who is added if missing. */
export function withPerson(book: Book, address: string, change: (before: Person) => Person): Book {
  const email = normalizeAddress(address);
  const before = findPerson(book, email) ?? nobody(email);
  const people = book.people.filter(one => one !== before);
  return { ...book, people: [...people, change(before)] };
}

/** A person's keys, with their digest. */
export type SeenKeys = { readonly dh: string; readonly digest: string };

/** Pins the first keys of people without a pin; other people are unchanged. */
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

/**
 * Replaces a person's pinned keys with these; a verification is removed with the keys it was for.
 */
export function acceptKeys(book: Book, address: string, keys: SeenKeys | null, at: number): Book {
  return withPerson(book, address, before => {
    if (before.pin !== null && before.pin.digest === keys?.digest) return before;
    const former =
      before.pin === null ? before.former : [before.pin.dh, ...before.former].slice(0, FORMER_MAX);
    return { ...before, former, pin: keys === null ? null : { ...keys, at, verified: null } };
  });
}

/** Records a person as verified under exactly these keys, and pins them. */
export function verifyKeys(
  book: Book,
  address: string,
  keys: SeenKeys,
  how: VerificationMethod,
  at: number,
): Book {
  const reviewed = clearMismatch(book, address);
  return withPerson(acceptKeys(reviewed, address, keys, at), address, before =>
    before.pin === null ? before : { ...before, pin: { ...before.pin, verified: { how, at } } },
  );
}

/**
 * Records that the safety number of an address did not match under these keys, and pins them if
 * none were pinned. Removes a verification of the same keys.
 */
export function markMismatch(book: Book, address: string, keys: SeenKeys, at: number): Book {
  const email = directoryNameOf(normalizeAddress(address));
  const pinned = pinFirst(book, [{ email, ...keys }], at);
  const marked = withPerson(pinned, email, before => ({ ...before, mismatchAt: at }));
  const isSame = findPin(marked, address)?.digest === keys.digest;
  return isSame ? unverify(marked, findPinnedName(marked, address)) : marked;
}

/** Removes a recorded mismatch. The pinned keys stay, so changed keys still block sending. */
export const clearMismatch = (book: Book, address: string): Book =>
  [normalizeAddress(address), directoryNameOf(normalizeAddress(address))].reduce(
    (before, email) =>
      findPerson(before, email)?.mismatchAt == null
        ? before
        : withPerson(before, email, one => ({ ...one, mismatchAt: null })),
    book,
  );

/** Returns the address that holds the pin of an address: its own, or that without its tag. */
export function findPinnedName(book: Book, address: string): string {
  const pin = findPin(book, address);
  return book.people.find(one => one.pin !== null && one.pin === pin)?.email ?? address;
}

/** Removes a verification, because the safety numbers no longer match or never did. */
export const unverify = (book: Book, address: string): Book =>
  withPerson(book, address, before =>
    before.pin === null ? before : { ...before, pin: { ...before.pin, verified: null } },
  );

/**
 * Returns the people after the owner of a shared card was removed: the first of those listed on it
 * becomes its owner.
 */
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

/**
 * Removes a contact. The pin stays, so that removing and re-adding a person cannot replace a pinned
 * key unnoticed.
 */
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

/**
 * Limits the book to what fits in a record: drops people who are not contacts and were neither
 * verified nor reported as a mismatch, the longest unused first.
 */
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
