// Cost limits for hostile contact files and for names with stacked combining marks: work grows
// linearly with size. The time limit suits a busy machine; without the guards these inputs took
// minutes.
import { expect, test } from 'vitest';
import { normalizeAddress } from './address-form.ts';
import { guessRoles } from './contact-csv/columns.ts';
import { peopleOf } from './contact-csv/people.ts';
import { readContactTable } from './contact-csv/table.ts';
import { foldName } from './dates/names.ts';
import { findDisplayZone } from './ics/zone-names.ts';
import { fixedZone } from './ics/zones.ts';
import { withoutPiles } from './invisible.ts';
import { readRecipientList } from './recipient-list.ts';
import { readCardBytes, readCards } from './vcard.ts';

const LIMIT_MS = 5_000;
const card = (lines: string, version = '4.0') =>
  `BEGIN:VCARD\nVERSION:${version}\n${lines}\nEMAIL:ann@a.example\nEND:VCARD\n`;
const latin = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0));
function peopleIn(text: string) {
  const table = readContactTable(text);
  return peopleOf(table, guessRoles(table)).people;
}
/** Combining marks in the order that takes longest to normalize. */
const pile = '\u0300'.repeat(150_000) + '\u0316'.repeat(150_000);

test.each<[string, () => unknown]>([
  [
    'a text without an end behind a long group',
    () => readCards(card(`${'a'.repeat(200_000)}.NOTE:x\n${'y z\n'.repeat(100_000)}`)),
  ],
  ['parameters without end', () => readCards(card(`TEL${';a="'.repeat(250_000)}:1`))],
  ['cards that only begin', () => readCards('BEGIN:VCARD\nAGENT:\n'.repeat(50_000))],
  [
    'texts in character sets that nobody knows',
    () => readCardBytes(latin(card('NOTE;CHARSET=x-none:\xe4\xf6\n'.repeat(200), '2.1').repeat(150)), ''),
  ],
  [
    'columns with long names and many cells',
    () =>
      peopleIn(
        `email${`,street ${'x'.repeat(5_000)}`.repeat(400)}\n${`ann@a.example${',x'.repeat(400)}\n`.repeat(1_000)}`,
      ),
  ],
  [
    'one address out of hundreds of columns',
    () => peopleIn(`email${',street'.repeat(490)}\n${`ann@a.example${',x'.repeat(490)}\n`.repeat(2_000)}`),
  ],
  ['a column called by marks', () => peopleIn(`email,${pile}\nann@a.example,x\n`)],
  ['an address of marks', () => normalizeAddress(`${pile}@a.example`)],
  ['dots before an address', () => readRecipientList(`${'.'.repeat(200_000)}x@a.example`)],
  ['dots within one', () => readRecipientList(`ann@a${'.'.repeat(200_000)}x`)],
  [
    'thousands of words that are no addresses',
    () => readRecipientList(Array.from({ length: 100_000 }, (_, at) => `x${at}@`).join(',')),
  ],
  ['a name of marks', () => readRecipientList(`a${pile} <ann@a.example>`)],
  ['a month of marks', () => foldName(pile)],
  ['a time zone of brackets', () => findDisplayZone('('.repeat(90_000), fixedZone('own', 0))],
  ['a time zone of quotes', () => findDisplayZone(`x${'"'.repeat(90_000)}x`, fixedZone('own', 0))],
  ['a time zone of marks', () => findDisplayZone(pile, fixedZone('own', 0))],
])('reads %s in linear time', (_, work) => {
  const startedAt = performance.now();
  work();
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
});

test.each([
  'constructor',
  'constructor standard time',
  '(GMT+01:00) constructor',
  'a, constructor',
  '__proto__',
])('the time zone %s is unknown', name => {
  expect(() => findDisplayZone(name, fixedZone('own', 60))).not.toThrow();
  expect(findDisplayZone(name, fixedZone('own', 60))?.id ?? null).toBeNull();
});

test('combining marks are removed only where they pile up', () => {
  const words = 'e\u0301\u0323 \u0915\u093f \u0e01\u0e34\u0e48 z\u0351\u0340\u0302';
  expect(withoutPiles(words)).toBe(words);
  expect(withoutPiles(`z${'\u0351'.repeat(500)}a`)).toBe(`z${'\u0351'.repeat(30)}a`);
});

test('an unfolded continuation line still belongs to its grouped property', () => {
  const { people } = readCards(card('item1.NOTE:one\ntwo three'));
  expect(people[0]?.note).toBe('one\ntwo three');
});
