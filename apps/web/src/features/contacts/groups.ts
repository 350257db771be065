// Contact groups: names and members, stored only in the sealed address book. Pure.
import type { Book, Group } from '../../session/trust/pins.ts';

/**
 * Returns the address book in which contacts, by address, are in exactly the named groups. New
 * names become groups; empty groups are removed. Iterates over the groups once, regardless of the
 * number of contacts.
 */
export function withGroupsOf(
  book: Book,
  namesByEmail: ReadonlyMap<string, readonly string[]>,
  newId: () => string,
): Book {
  const joining = new Map<string, string[]>();
  for (const [email, names] of namesByEmail)
    for (const name of new Set(names.map(typed => typed.trim()))) {
      if (name === '') continue;
      const emails = joining.get(name);
      if (emails === undefined) joining.set(name, [email]);
      else emails.push(email);
    }
  const groups = book.groups.map(({ id, name, emails }): Group => {
    const joined = joining.get(name) ?? [];
    joining.delete(name);
    return { id, name, emails: [...emails.filter(one => !namesByEmail.has(one)), ...joined] };
  });
  const made = [...joining].map(([name, emails]): Group => ({ id: newId(), name, emails }));
  return { ...book, groups: [...groups, ...made].filter(({ emails }) => emails.length > 0) };
}

/** Returns the names of the groups that contain a contact. */
export const groupsOf = (groups: readonly Group[], email: string): string[] =>
  groups.flatMap(({ name, emails }) => (emails.includes(email) ? [name] : []));

/** Returns whether another group has this name. */
export const isNameTaken = (groups: readonly Group[], id: string, name: string): boolean =>
  groups.some(group => group.id !== id && group.name === name.trim());

/** Returns the address book with a renamed group; unchanged when the name is empty or taken. */
export function withGroupName(book: Book, id: string, typed: string): Book {
  const name = typed.trim();
  if (name === '' || isNameTaken(book.groups, id, name)) return book;
  return { ...book, groups: book.groups.map(group => (group.id === id ? { ...group, name } : group)) };
}
