import { expect, test } from 'vitest';
import { type Book, bookPeopleMax, emptyBook } from '../../session/pins.ts';
import { groupsOf } from './groups.ts';
import { takeIn } from './take-in.ts';

const stranger = (email: string) => ({ email, name: '', note: '', isContact: false, pin: null, former: [] });
let made = 0;
const newId = () => `g${++made}`;
const card = (name: string, emails: readonly string[], groups: readonly string[] = []) => ({
  name,
  emails,
  note: '',
  groups,
});

test('each address becomes a contact; who is one stays as they are, and who was written to keeps the pin', () => {
  const pin = { dh: 'x', digest: 'y', at: 1, verified: null };
  const before: Book = {
    serial: 3,
    people: [
      { ...stranger('seen@a.example'), pin },
      { ...stranger('known@a.example'), isContact: true, name: 'Kept' },
    ],
    groups: [{ id: 'a', name: 'Club', emails: ['known@a.example'] }],
  };
  const people = [
    card('Ann', ['Seen@A.example', 'new@a.example'], ['Club', 'Work']),
    card('Other', ['known@a.example', 'new@a.example'], ['Work']),
  ];
  const { book, added, known } = takeIn(before, people, newId);
  expect([added, known]).toEqual([2, 2]);
  expect(book.people.map(({ email, name, isContact, pin: kept }) => [email, name, isContact, kept])).toEqual([
    ['known@a.example', 'Kept', true, null],
    ['seen@a.example', 'Ann', true, pin],
    ['new@a.example', 'Ann', true, null],
  ]);
  expect(groupsOf(book.groups, 'known@a.example')).toEqual(['Club']);
  expect(groupsOf(book.groups, 'seen@a.example')).toEqual(['Club', 'Work']);
  expect(groupsOf(book.groups, 'new@a.example')).toEqual(['Club', 'Work']);
});

test('no more come in than the book has room for, and thousands of addresses read nobody of it twice', () => {
  let reads = 0;
  const watched = Array.from({ length: 900 }, (_, index) => ({
    ...stranger(''),
    isContact: true,
    get email() {
      reads += 1;
      return `old${index}@a.example`;
    },
  }));
  const people = Array.from({ length: 5_000 }, (_, index) =>
    card('', [`p${index}@a.example`, `old${index % 900}@a.example`], ['All']),
  );
  const { book, added, known } = takeIn({ ...emptyBook, people: watched }, people, newId);
  expect([added, known, book.people.length]).toEqual([bookPeopleMax - 900, 5_000, bookPeopleMax]);
  expect(book.groups[0]?.emails).toHaveLength(bookPeopleMax - 900);
  expect(reads).toBeLessThanOrEqual(2 * 900);
});
