import { expect, test } from 'vitest';
import { groupsFor, rankPeople, rememberPeople } from './people-rank.ts';

const now = Date.UTC(2026, 10, 22);
const DAY = 24 * 60 * 60 * 1000;

test('frequent and recent recipients come first', () => {
  let known = rememberPeople([], [{ name: 'Old Otto', address: 'otto@a.example' }], now - 200 * DAY);
  for (let time = 0; time < 3; time++)
    known = rememberPeople(known, [{ name: 'Olga', address: 'OLGA@a.example' }], now - time * DAY);
  known = rememberPeople(known, [{ name: '', address: 'olga@a.example' }], now);
  expect(known[0]).toMatchObject({ name: 'Olga', address: 'olga@a.example', count: 4 });
  expect(rankPeople([], known, 'o', now).map(one => one.address)).toEqual([
    'olga@a.example',
    'otto@a.example',
  ]);
});

test('a match at the start of a name wins, accents are ignored, and contacts keep their names', () => {
  const known = rememberPeople([], [{ name: 'x', address: 'ines@a.example' }], now);
  const contacts = [
    { name: 'Inês Almeida', address: 'ines@a.example' },
    { name: 'Mara', address: 'mara@lines.example' },
  ];
  expect(rankPeople(contacts, known, 'ine', now)).toEqual([
    { name: 'Inês Almeida', address: 'ines@a.example' },
    { name: 'Mara', address: 'mara@lines.example' },
  ]);
  expect(rankPeople(contacts, known, 'alm', now)).toHaveLength(1);
  expect(rankPeople(contacts, known, 'zzz', now)).toEqual([]);
});

test('a group is found by its name and lists its members under their contact names', () => {
  const groups = [
    { name: 'Book club', emails: ['ines@a.example', 'out@b.example'] },
    { name: 'Empty', emails: [] },
  ];
  const contacts = [{ name: 'Inês Almeida', address: 'ines@a.example' }];
  expect(groupsFor(groups, contacts, 'clu')).toEqual([
    {
      name: 'Book club',
      address: '',
      members: [
        { name: 'Inês Almeida', address: 'ines@a.example' },
        { name: '', address: 'out@b.example' },
      ],
    },
  ]);
  expect(groupsFor(groups, contacts, 'ine')).toEqual([]);
  expect(groupsFor(groups, contacts, 'empty')).toEqual([]);
});
