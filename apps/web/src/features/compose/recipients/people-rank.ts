// Who is suggested first: those whose name or address begins like what was typed, then by use, which fades with time.
// Pure.
import { withoutPiles } from '@keyfold/mail/invisible';
import type { Person } from '../../../crypto/mail/outgoing-message.ts';

/** Somebody one wrote to: how often, and when last (ms). */
export type KnownPerson = Person & { readonly count: number; readonly last: number };

/** Most people remembered; those used least go first. */
const MAX_PEOPLE = 1_000;
const HALF_LIFE_MS = 30 * 24 * 60 * 60 * 1000;

const use = ({ count, last }: Pick<KnownPerson, 'count' | 'last'>, now: number): number =>
  count * 0.5 ** (Math.max(0, now - last) / HALF_LIFE_MS);

/** The list after these people were written to. */
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

/** What is compared of somebody: made once, since an address book has tens of thousands. */
function wordsOf(person: Person): Words {
  let found = wordsByPerson.get(person);
  if (found === undefined) {
    const [name, address] = [folded(person.name), person.address.toLowerCase()];
    found = { words: [...name.split(/[\s,]+/), name, address], address };
    wordsByPerson.set(person, found);
  }
  return found;
}

/** 2 where a word begins so, 1 where it stands inside the address, 0 for no hit. */
function hit(person: Person, wanted: string): number {
  const { words, address } = wordsOf(person);
  if (words.some(word => word.startsWith(wanted))) return 2;
  return address.includes(wanted) ? 1 : 0;
}

/** Groups whose name has a word that begins like what was typed, with those who are in them. */
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

/** A contact counts as used a few times more: it is there because somebody wanted it. */
const CONTACT_USE = 3;

/** The best ones for what is typed; somebody in both lists comes once, under the contact's name. */
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
