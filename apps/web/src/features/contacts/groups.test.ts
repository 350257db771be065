import { expect, test } from 'vitest';
import { emptyBook } from '../../session/pins.ts';
import { groupsOf, isNameTaken, withGroupName, withGroupsOf } from './groups.ts';

let made = 0;
const newId = () => `g${++made}`;
const ann = 'ann@keyfold.test';
const bob = 'bob@keyfold.test';

test('somebody is in the groups that are named, and in no others', () => {
  const one = withGroupsOf(emptyBook, ann, ['Friends', ' Club ', ''], newId);
  const two = withGroupsOf(one, bob, ['Club'], newId);
  expect(groupsOf(two.groups, ann)).toEqual(['Friends', 'Club']);
  expect(groupsOf(two.groups, bob)).toEqual(['Club']);
  const three = withGroupsOf(two, ann, ['Club'], newId);
  expect(three.groups.map(({ name, emails }) => [name, emails])).toEqual([['Club', [bob, ann]]]);
  expect(withGroupsOf(three, ann, ['Club'], newId).groups).toHaveLength(1);
});

test('a group gets another name and keeps its members; an empty name or another group’s changes nothing', () => {
  const book = withGroupsOf(withGroupsOf(emptyBook, ann, ['Club'], newId), bob, ['Friends'], newId);
  const id = book.groups[0]?.id ?? '';
  const renamed = withGroupName(book, id, ' Chess club ');
  expect(groupsOf(renamed.groups, ann)).toEqual(['Chess club']);
  expect(withGroupName(book, id, '  ')).toBe(book);
  expect(withGroupName(book, id, 'Friends')).toBe(book);
  expect(isNameTaken(book.groups, id, ' Friends ')).toBe(true);
  expect(isNameTaken(book.groups, id, 'Club')).toBe(false);
  expect(withGroupName(book, 'gone', 'Other')).toEqual(book);
});
