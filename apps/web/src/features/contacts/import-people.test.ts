import { runInSlices } from '@keyfold/mail/slices';
import { readCards, writeCards } from '@keyfold/mail/vcard';
import { expect, test } from 'vitest';
import {
  BOOK_PEOPLE_MAX,
  type Book,
  emptyBook,
  groupsByEmail,
  removeContact,
} from '../../session/trust/pins.ts';
import { cardPeopleOf } from './card-people.ts';
import { groupsOf } from './groups.ts';
import { takeIn, takeInSteps } from './import-people.ts';

const stranger = (email: string) => ({
  email,
  name: '',
  note: '',
  isContact: false,
  pin: null,
  former: [],
  mismatchAt: null,
});
let made = 0;
const newId = () => `g${++made}`;
const card = (name: string, emails: readonly string[], groups: readonly string[] = []) => ({
  name,
  emails,
  note: '',
  groups,
});

test('each address becomes a contact, existing contacts are unchanged, and known addresses keep their pin', () => {
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
  const { book, added, known, over } = takeIn(before, people, newId);
  expect([added, known, over]).toEqual([2, 1, 0]);
  expect(book.people.map(({ email, name, isContact, pin: kept }) => [email, name, isContact, kept])).toEqual([
    ['known@a.example', 'Kept', true, null],
    ['seen@a.example', 'Ann', true, pin],
    ['new@a.example', 'Ann', true, null],
  ]);
  expect(groupsOf(book.groups, 'known@a.example')).toEqual(['Club']);
  expect(groupsOf(book.groups, 'seen@a.example')).toEqual(['Club', 'Work']);
  expect(groupsOf(book.groups, 'new@a.example')).toEqual(['Club', 'Work']);
});

test('imports only up to the limit, and reads each existing contact at most twice', () => {
  let reads = 0;
  const watched = Array.from({ length: 900 }, (_, index) => ({
    ...stranger(''),
    isContact: true,
    get email() {
      reads += 1;
      return `old${index}@a.example`;
    },
  }));
  const people = Array.from({ length: 30_000 }, (_, index) =>
    card('', [`p${index}@a.example`, `old${index % 900}@a.example`], ['All']),
  );
  const { book, added, known, over } = takeIn({ ...emptyBook, people: watched }, people, newId);
  expect([added, known, over]).toEqual([BOOK_PEOPLE_MAX - 900, 900, 30_000 - BOOK_PEOPLE_MAX + 900]);
  expect(book.people).toHaveLength(BOOK_PEOPLE_MAX);
  expect(book.groups[0]?.emails).toHaveLength(BOOK_PEOPLE_MAX - 900);
  expect(reads).toBeLessThanOrEqual(2 * 900);
});

test('contacts beyond the size limit of the address book are left out, and the others are added', () => {
  const people = Array.from({ length: 400 }, (_, index) => ({
    ...card('', [`p${index}@a.example`]),
    lines: [`PHOTO:data:image/jpeg;base64,${'A'.repeat(120_000)}`],
  }));
  const { added, over, book } = takeIn(emptyBook, [...people, card('Small', ['small@a.example'])], newId);
  expect(added + over).toBe(401);
  expect(over).toBeGreaterThan(40);
  expect(book.people.at(-1)?.email).toBe('small@a.example');
});

test('a card with several addresses is stored once and exported as one card', () => {
  const ann = { ...card('Ann', ['ann@a.example', 'ann@b.example']), lines: ['TEL:1234567', 'X-ODD:1'] };
  const { book } = takeIn(emptyBook, [ann], newId);
  expect(book.people).toMatchObject([
    { email: 'ann@a.example', lines: ann.lines },
    { email: 'ann@b.example', cardOf: 'ann@a.example' },
  ]);
  expect(cardPeopleOf(book.people, book.groups)).toEqual([ann]);
  // When the first contact is removed, the second one keeps the card.
  const rest = removeContact(book, 'ann@a.example');
  expect(cardPeopleOf(rest.people, rest.groups)).toEqual([{ ...ann, emails: ['ann@b.example'] }]);
});

test('a contact without details gets those from the file and keeps its own data', () => {
  const { book } = takeIn(emptyBook, [card('Ann', ['ann@a.example'])], newId);
  const file = { ...card('Other name', ['ann@a.example']), lines: ['TEL:1234567'] };
  const first = takeIn(book, [file], newId);
  expect(first).toMatchObject({ added: 0, known: 1, isChanged: true });
  expect(first.book.people).toMatchObject([{ name: 'Ann', lines: ['TEL:1234567'] }]);
  expect(takeIn(first.book, [{ ...file, lines: ['TEL:7654321'] }], newId).isChanged).toBe(false);
});

test('a contact in many groups keeps them all after export and import', () => {
  const names = Array.from({ length: 25 }, (_, index) => `Group ${index}`);
  const { book } = takeIn(emptyBook, [card('Ann', ['ann@a.example'], names)], newId);
  const named = groupsByEmail(book.groups);
  const cards = book.people.map(({ email, name, note }) => ({
    name,
    emails: [email],
    note,
    groups: named.get(email) ?? [],
  }));
  const again = readCards(writeCards(cards));
  expect(again.isCut).toBe(false);
  const { book: back } = takeIn(emptyBook, again.people, newId);
  expect(back.people).toEqual(book.people);
  expect(back.groups.map(({ name, emails }) => [name, emails])).toEqual(
    book.groups.map(({ name, emails }) => [name, emails]),
  );
});

test('the user’s own address does not become a contact', () => {
  const people = [card('Me and Ann', ['me@a.example', 'ann@a.example'])];
  const { book, added, known } = takeIn(emptyBook, people, newId, email => email === 'me@a.example');
  expect([added, known]).toEqual([1, 0]);
  expect(book.people.map(({ email }) => email)).toEqual(['ann@a.example']);
});

test('20,000 people are imported into a book of 5,000 in slices that yield to other work', async () => {
  const there = Array.from({ length: 5_000 }, (_, at) => ({
    ...stranger(`o${at}@a.example`),
    isContact: true,
  }));
  const before: Book = { ...emptyBook, people: there };
  const people = Array.from({ length: 20_000 }, (_, at) => card(`P${at}`, [`p${at}@a.example`], ['All']));
  let slices = 0;
  let waiting = 0;
  const taken = await runInSlices(takeInSteps(before, people, newId), async () => {
    expect(waiting).toBe(0);
    slices += 1;
    waiting += 1;
    await null;
    waiting -= 1;
  });
  expect(taken.added).toBe(20_000);
  expect(taken.book.people.at(-1)).toMatchObject({ email: 'p19999@a.example', name: 'P19999' });
  expect(slices).toBeGreaterThanOrEqual(250);
});
