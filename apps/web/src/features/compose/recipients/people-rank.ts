// Ranks suggestions: people whose name or address starts with the typed text come first, ordered by
// use, which decays over time. Pure.
import { withoutPiles } from '@keyfold/mail/invisible';
import type { Person } from '../../../crypto/mail/outgoing-message.ts';

/** A person the user has written to: how often, and when last (ms). */
export type KnownPerson = Person & { readonly count: number; readonly last: number };

/** Maximum number of people remembered; the least used are dropped first. */
const MAX_PEOPLE = 1_000;
const HALF_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

const use = ({ count, last }: Pick<KnownPerson, 'count' | 'last'>, now: number): number =>
  count * 0.5 ** (Math.max(0, now - last) / HALF_LIFE_MS);

/** Returns the list after the user has written to these people. */
export function rememberPeople(
  before: readonly KnownPerson[],
  people: readonly Person[],
  now: number,
): readonly KnownPerson[] {
  const known = new Map(before.map(one => [one.address.toLowerCase(), one]));
  for (const { name, address } of people) {
    const key = address.toLowerCase();
    const old = known.get(key);
    known.set(key, { address: key, name: name || old?.name || '', count: (old?.count ?? 0) + 1, last: now });
  }
  return [...known.values()].toSorted((a, b) => use(b, now) - use(a, now)).slice(0, MAX_PEOPLE);
}

const folded = (text: string): string =>
  withoutPiles(text)
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

type Words = { readonly words: readonly string[]; readonly address: string };
const wordsByPerson = new WeakMap<Person, Words>();

/**
 * The searchable words of a person, computed once because an address book has tens of thousands of
 * entries.
 */
function wordsOf(person: Person): Words {
  let found = wordsByPerson.get(person);
  if (found === undefined) {
    const [name, address] = [folded(person.name), person.address.toLowerCase()];
    found = { words: [...name.split(/[\s,]+/), name, address], address };
    wordsByPerson.set(person, found);
  }
  return found;
}

/** Returns 2 if a word starts with the text, 1 if the address contains it, 0 for no match. */
function hit(person: Person, wanted: string): number {
  const { words, address } = wordsOf(person);
  if (words.some(word => word.startsWith(wanted))) return 2;
  return address.includes(wanted) ? 1 : 0;
}

/**
 * Returns the groups that have a word starting with the typed text in their name, with their
 * members.
 */
export function groupsFor(
  groups: readonly { readonly name: string; readonly emails: readonly string[] }[],
  contacts: readonly Person[],
  typed: string,
): readonly (Person & { readonly members: readonly Person[] })[] {
  let byAddress: ReadonlyMap<string, Person> | undefined;
  const find = (address: string): Person => {
    byAddress ??= new Map(contacts.toReversed().map(one => [one.address, one] as const));
    return byAddress.get(address) ?? { name: '', address };
  };
  return groups
    .filter(({ name, emails }) => emails.length > 0 && hit({ name, address: '' }, folded(typed.trim())) > 0)
    .map(({ name, emails }) => ({
      name,
      address: '',
      members: emails.map(find),
    }));
}

/** Extra uses credited to a contact, because the user added it on purpose. */
const CONTACT_USE = 3;

/**
 * Returns the best matches for the typed text; a person in both lists appears once, under the
 * contact's name.
 */
export function rankPeople(
  contacts: readonly Person[],
  known: readonly KnownPerson[],
  typed: string,
  now: number,
): readonly Person[] {
  const wanted = folded(typed.trim());
  const all = new Map<string, { readonly one: Person; readonly used: number }>();
  for (const one of known) all.set(wordsOf(one).address, { one, used: use(one, now) });
  for (const one of contacts) {
    const key = wordsOf(one).address;
    all.set(key, { one, used: (all.get(key)?.used ?? 0) + CONTACT_USE });
  }
  return [...all.values()]
    .map(({ one, used }) => ({ one, used, rank: hit(one, wanted) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank || b.used - a.used)
    .map(({ one: { name, address } }) => ({ name, address }));
}
