// Contacts for screens: those of the sealed address book, with those that another client added on the server, and what the
// directory says of their keys now.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatLocale } from '../../lib/language.ts';
import { contactsClient } from '../../session/calls/clients/contacts.ts';
import { useUser } from '../../session/state/current-user.ts';
import { loadAddressBook, refreshAddressBook, useAddressBook } from '../../session/trust/address-book.ts';
import {
  emptyBook,
  findPerson,
  type Group,
  nobody,
  type Person,
  type Trust,
} from '../../session/trust/pins.ts';
import { findKeys, trustOf } from '../../session/trust/recipient-keys.ts';

export const contactsKey = ['contacts'] as const;

/** The server's list and the book, asked anew. */
const contactsQuery = {
  queryKey: contactsKey,
  queryFn: async () => {
    const [{ data }] = await Promise.all([contactsClient.list({}), refreshAddressBook()]);
    return data;
  },
};

export type ContactList = {
  readonly people: readonly Person[];
  readonly groups: readonly Group[];
  readonly isBonusAvailable: boolean;
};

/** Sorted by one collator: there may be tens of thousands. */
function byName(people: readonly Person[]): readonly Person[] {
  const { compare } = new Intl.Collator(formatLocale());
  return people.toSorted((a, b) => compare(a.name || a.email, b.name || b.email));
}

/** All contacts but oneself, by name. */
export function useContacts() {
  const book = useAddressBook() ?? emptyBook;
  const user = useUser();
  const query = useQuery(contactsQuery);
  const { data } = query;
  const list = useMemo((): ContactList => {
    const own = new Set([user?.email, user?.kdf_email, ...(user?.addresses ?? [])]);
    const known = book.people.filter(one => one.isContact && !own.has(one.email));
    const knownEmails = new Set(known.map(({ email }) => email));
    const others = (data?.contacts ?? [])
      .filter(({ email }) => !own.has(email) && !knownEmails.has(email))
      .map(
        ({ email, name }): Person => ({
          ...(findPerson(book, email) ?? { ...nobody(email), isContact: true }),
          name,
        }),
      );
    return {
      people: byName([...known, ...others]),
      groups: book.groups,
      isBonusAvailable: data?.bonus_available ?? false,
    };
  }, [book, user, data]);
  return { ...query, list };
}

const hostOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/**
 * How far the keys of contacts are trusted, by address; absent while it is asked for. The directory is asked about people
 * who are pinned, are on the server's list, or have an address of this service: it need not hear who else one knows.
 */
export function useTrust(people: readonly Person[]): ReadonlyMap<string, Trust> {
  useAddressBook();
  const user = useUser();
  const listed = useQuery(contactsQuery).data?.contacts ?? [];
  const known = new Set(listed.map(({ email }) => email));
  const hosts = new Set([user?.email ?? '', ...(user?.addresses ?? [])].map(hostOf));
  const asked = people.flatMap(({ email, pin }) =>
    pin !== null || known.has(email) || hosts.has(hostOf(email)) ? [email] : [],
  );
  const isAsked = new Set(asked);
  const { data } = useQuery({
    queryKey: ['contact-keys', ...asked],
    enabled: asked.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      await loadAddressBook();
      return findKeys(asked);
    },
  });
  return new Map([
    ...people.flatMap(({ email }) => (isAsked.has(email) ? [] : [[email, 'plain'] as const])),
    ...(data ?? []).map(keys => [keys.email, trustOf(keys.email, keys)] as const),
  ]);
}
