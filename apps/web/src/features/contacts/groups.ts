// Groups of contacts: names and members, in the sealed address book alone. Pure.
import type { Book, Group } from '../../session/pins.ts';

/** The book in which somebody is in exactly the groups of these names; new names become groups, empty groups go. */
export function withGroupsOf(book: Book, email: string, names: readonly string[], newId: () => string): Book {
  const wanted = new Set(names.map(name => name.trim()).filter(name => name !== ''));
  const groups = book.groups.map((group): Group => {
    const others = group.emails.filter(one => one !== email);
    return { ...group, emails: wanted.delete(group.name) ? [...others, email] : others };
  });
  const made = [...wanted].map((name): Group => ({ id: newId(), name, emails: [email] }));
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
