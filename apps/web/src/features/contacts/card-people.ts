// Contacts in the form that files use: one card for all addresses that were imported from one card.
// Pure.
import type { CardPerson } from '@keyfold/mail/vcard';
import { type Group, groupsByEmail, type Person } from '../../session/trust/pins.ts';

/**
 * Returns contacts in the form that files use: addresses that came from one card share a card
 * again.
 */
export function cardPeopleOf(people: readonly Person[], groups: readonly Group[]): CardPerson[] {
  const names = groupsByEmail(groups);
  const known = new Set(people.map(({ email }) => email));
  const others = new Map<string, string[]>();
  for (const { email, cardOf } of people)
    if (cardOf !== undefined) others.set(cardOf, [...(others.get(cardOf) ?? []), email]);
  return people
    .filter(({ cardOf }) => cardOf === undefined || !known.has(cardOf))
    .map(({ email, name, note, lines }) => ({
      name,
      emails: [email, ...(others.get(email) ?? [])],
      note,
      groups: names.get(email) ?? [],
      ...(lines === undefined || lines.length === 0 ? {} : { lines }),
    }));
}
