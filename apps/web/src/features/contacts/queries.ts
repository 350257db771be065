// Contacts for the UI: those of the sealed address book, those that another client added on the
// server, and the directory's current keys.
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

/** The server's list and the address book, refetched. */
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

/** Sorts with one collator, because there may be tens of thousands of contacts. */
function byName(people: readonly Person[]): readonly Person[] {
  const { compare } = new Intl.Collator(formatLocale());
  return people.toSorted((a, b) => compare(a.name || a.email, b.name || b.email));
}

/** Returns all contacts except the user, by name. */
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
 * Returns the trust state of contacts' keys by address; absent while loading. Asks the directory
 * only about contacts that are pinned, on the server's list, or at an address of this service, so
 * that it does not learn about other contacts.
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
