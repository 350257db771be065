// Groups of contacts: names and members, in the sealed address book alone. Pure.
import type { Book, Group } from '../../session/trust/pins.ts';

/**
 * The book in which people, by address, are in exactly the groups of these names; new names become groups, empty groups go.
 * Groups are gone through once, however many people there are.
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

/** The names of the groups that somebody is in. */
export const groupsOf = (groups: readonly Group[], email: string): string[] =>
  groups.flatMap(({ name, emails }) => (emails.includes(email) ? [name] : []));

/** Whether a group other than this one has this name. */
export const isNameTaken = (groups: readonly Group[], id: string, name: string): boolean =>
  groups.some(group => group.id !== id && group.name === name.trim());

/** The book in which a group has another name; as it was when the name is empty or another group's. */
export function withGroupName(book: Book, id: string, typed: string): Book {
  const name = typed.trim();
  if (name === '' || isNameTaken(book.groups, id, name)) return book;
  return { ...book, groups: book.groups.map(group => (group.id === id ? { ...group, name } : group)) };
}
