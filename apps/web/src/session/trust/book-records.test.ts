// A book of any size is restored unchanged from its records, and a change writes few of them.
import { RECORD_B64_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { expect, test } from 'vitest';
import { FIRST_RECORD_PEOPLE_MAX, joinBook, layOut, readFurther } from './book-records.ts';
import { type Book, bookSchema, emptyBook, nobody, type Person, removeContact, withPerson } from './pins.ts';

const contact = (index: number, more: Partial<Person> = {}): Person => ({
  ...nobody(`person${index}@a.example`),
  isContact: true,
  name: `Person ${index}`,
  note: index % 7 === 0 ? 'Met at the fair' : '',
  ...(index % 3 === 0 ? { lines: [`TEL;TYPE=cell:+1 555 ${index}`, 'ORG:Farm'] } : {}),
  ...more,
});
const pin = { dh: 'x', digest: 'y', at: 1, verified: null };
function stored({ first, further }: ReturnType<typeof layOut>) {
  const [one, ...others] = [first, ...further].map(value => JSON.parse(JSON.stringify(value)) as unknown);
  return { first: bookSchema.parse(one), further: others.map(readFurther) };
}
const byEmail = (book: Book) => new Map(book.people.map(one => [one.email, one]));

const large: Book = {
  serial: 4,
  people: [
    ...Array.from({ length: 20_000 }, (_, index) => contact(index)),
    { ...nobody('pinned@a.example'), pin },
  ],
  groups: [
    {
      id: 'a',
      name: 'Everybody',
      emails: Array.from({ length: 20_000 }, (_, at) => `person${at}@a.example`),
    },
    { id: 'b', name: 'Late', emails: ['person19999@a.example'] },
  ],
};

test('20,000 people fit, each record stays within its limit, and cards and groups survive', () => {
  const layout = layOut(large, []);
  for (const record of [layout.first, ...layout.further])
    expect((JSON.stringify(record).length * 4) / 3).toBeLessThan(RECORD_B64_MAX_CHARACTERS);
  expect(layout.first.people.length).toBeLessThanOrEqual(FIRST_RECORD_PEOPLE_MAX);
  expect(byEmail(layout.first).has('pinned@a.example')).toBe(true);
  const { first, further } = stored(layout);
  const back = joinBook(first, further);
  expect(byEmail(back)).toEqual(byEmail(large));
  expect(back.groups.map(({ id, name, emails }) => [id, name, emails.length])).toEqual([
    ['a', 'Everybody', 20_000],
    ['b', 'Late', 1],
  ]);
});

test('unchanged records are not written again, even after a reload', () => {
  const { first, further } = stored(layOut(large, []));
  const book = joinBook(first, further);
  const same = layOut({ ...book, serial: 5 }, further);
  expect(same.further.every((record, at) => record === further[at])).toBe(true);
  const changed = layOut(
    withPerson(book, 'person15000@a.example', one => ({ ...one, note: 'new' })),
    further,
  );
  expect(changed.further.filter((record, at) => record !== further[at])).toHaveLength(1);
});

test('a book in the old format is read, and an older client loses no other records', () => {
  const old: Book = { ...emptyBook, serial: 1, people: [contact(1), contact(3)] };
  const plain = bookSchema.parse(
    JSON.parse(JSON.stringify({ ...old, people: old.people.map(({ lines: _, ...one }) => one) })),
  );
  expect(joinBook(plain, []).people).toHaveLength(2);
  const { first, further } = stored(layOut(large, []));
  // It writes only the first record, as far as it knows its fields.
  const theirs = bookSchema.parse({
    ...first,
    serial: 9,
    people: first.people.map(one => ({ ...one, name: 'Theirs' })),
  });
  const book = joinBook(theirs, further);
  expect(book.people).toHaveLength(20_001);
  expect(byEmail(book).get('person0@a.example')).toMatchObject({
    name: 'Theirs',
    lines: [expect.any(String), 'ORG:Farm'],
  });
  expect(byEmail(book).get('person19998@a.example')).toMatchObject({ name: 'Person 19998' });
});

test('a removed contact stays removed, and one that moves to the first record is never lost', () => {
  const { first, further } = stored(layOut(large, []));
  const book = joinBook(first, further);
  const removed = removeContact(book, 'person15000@a.example');
  const after = stored(layOut(removed, further));
  expect(byEmail(joinBook(after.first, after.further)).has('person15000@a.example')).toBe(false);
  const pinned = withPerson(book, 'person15000@a.example', one => ({ ...one, pin }));
  const layout = stored(layOut(pinned, further));
  expect(byEmail(layout.first).get('person15000@a.example')?.pin).toEqual(pin);
  // Only the further records, as if the first could not be written.
  expect(byEmail(joinBook(first, layout.further)).get('person15000@a.example')?.name).toBe('Person 15000');
});

test('damaged records lose only their damaged parts', () => {
  expect(readFurther(null).people).toEqual([]);
  expect(
    readFurther({ people: [null, 1, {}, { email: 'a@a.example', lines: ['x', 3], isContact: true }] }).people,
  ).toEqual([{ email: 'a@a.example', lines: ['x'], isContact: true }]);
});
