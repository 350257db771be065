import { expect, test } from 'vitest';
import { type Book, emptyBook, groupsByEmail } from '../../session/trust/pins.ts';
import { groupsOf, isNameTaken, withGroupName, withGroupsOf } from './groups.ts';

let made = 0;
const newId = () => `g${++made}`;
const ann = 'ann@keyfold.test';
const bob = 'bob@keyfold.test';

const put = (book: Book, email: string, names: readonly string[]) =>
  withGroupsOf(book, new Map([[email, names]]), newId);

test('a person is in exactly the named groups', () => {
  const one = put(emptyBook, ann, ['Friends', ' Club ', '']);
  const two = put(one, bob, ['Club']);
  expect(groupsOf(two.groups, ann)).toEqual(['Friends', 'Club']);
  expect(groupsOf(two.groups, bob)).toEqual(['Club']);
  const three = put(two, ann, ['Club']);
  expect(three.groups.map(({ name, emails }) => [name, emails])).toEqual([['Club', [bob, ann]]]);
  expect(put(three, ann, ['Club']).groups).toHaveLength(1);
});

test('renaming a group keeps its members, and an empty or taken name changes nothing', () => {
  const book = put(put(emptyBook, ann, ['Club']), bob, ['Friends']);
  const id = book.groups[0]?.id ?? '';
  const renamed = withGroupName(book, id, ' Chess club ');
  expect(groupsOf(renamed.groups, ann)).toEqual(['Chess club']);
  expect(withGroupName(book, id, '  ')).toBe(book);
  expect(withGroupName(book, id, 'Friends')).toBe(book);
  expect(isNameTaken(book.groups, id, ' Friends ')).toBe(true);
  expect(isNameTaken(book.groups, id, 'Club')).toBe(false);
  expect(withGroupName(book, 'gone', 'Other')).toEqual(book);
});

test('adding many people to many groups reads each group at most twice', () => {
  const people = Array.from({ length: 500 }, (_, index) => `p${index}@keyfold.test`);
  const names = (index: number) => Array.from({ length: 20 }, (_, group) => `${index} ${group}`);
  const namesByEmail = new Map(people.map((email, index) => [email, [...names(index), 'All']]));
  const first = withGroupsOf(emptyBook, namesByEmail, newId);
  expect(first.groups).toHaveLength(500 * 20 + 1);
  let reads = 0;
  const watched: Book = {
    ...first,
    groups: first.groups.map(group => ({
      ...group,
      get emails() {
        reads += 1;
        return group.emails;
      },
    })),
  };
  const again = withGroupsOf(watched, namesByEmail, newId);
  expect(reads).toBeLessThanOrEqual(2 * first.groups.length);
  expect(again.groups.map(({ name, emails }) => [name, emails])).toEqual(
    first.groups.map(({ name, emails }) => [name, emails]),
  );
  reads = 0;
  const found = groupsByEmail(watched.groups);
  expect(reads).toBeLessThanOrEqual(first.groups.length);
  expect(found.get('p7@keyfold.test')).toEqual(['All', ...names(7)]);
});
