import { expect, test } from 'vitest';
import { emptyBook } from '../../session/pins.ts';
import { groupsOf, withGroupsOf } from './groups.ts';

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
