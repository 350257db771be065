import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { VCARD_CARDS_MAX, VCARD_FILE_MAX_CHARACTERS } from './limits.ts';
import { readCards, writeCards } from './vcard.ts';

const card = (...lines: string[]) => `BEGIN:VCARD\r\n${lines.join('\r\n')}\r\nEND:VCARD\r\n`;
const only = (text: string) => readCards(text).people[0];

test('a card of version 4 is read, the preferred address first', () => {
  expect(
    only(
      card(
        'VERSION:4.0',
        'FN:Ann Example',
        'EMAIL;TYPE=home;PREF=2:Ann@Home.example',
        'EMAIL;TYPE=work;PREF=1:ann@work.example',
        'NOTE:Two lines\\nand a comma\\, too',
        'CATEGORIES:Friends,Book club',
      ),
    ),
  ).toEqual({
    name: 'Ann Example',
    emails: ['ann@work.example', 'ann@home.example'],
    note: 'Two lines\nand a comma, too',
    groups: ['Friends', 'Book club'],
  });
});

test('a card of version 3 is read, with folded lines, groups of properties, and a name in parts', () => {
  expect(
    only(
      card(
        'VERSION:3.0',
        'N:Müller;Jürgen;;;',
        'FN:Jürgen ',
        ' Müller',
        'item1.EMAIL;TYPE=INTERNET,pref:j@a.example',
        'EMAIL;TYPE=INTERNET:other@a.example',
        'X-ODD;X=1:whatever',
      ),
    ),
  ).toMatchObject({ name: 'Jürgen Müller', emails: ['j@a.example', 'other@a.example'] });
  expect(only(card('VERSION:3.0', 'N:Smith;Zoe;;;', 'EMAIL:z@a.example'))?.name).toBe('Zoe Smith');
});

test('cards without an address, and broken ones, are counted; the others are read', () => {
  const text = [
    'garbage before',
    card('VERSION:4.0', 'FN:No address'),
    card('VERSION:4.0', 'FN:Bad', 'EMAIL:not an address', 'EMAIL:a@b@c'),
    card('VERSION:4.0', 'no colon here', 'EMAIL;x@a.example'),
    card('VERSION:4.0', 'FN:Good', 'EMAIL:good@a.example'),
    'BEGIN:VCARD\nVERSION:4.0\nEMAIL:open@a.example\n',
  ].join('\n');
  const { people, skipped } = readCards(text);
  expect(people.map(({ name }) => name)).toContain('Good');
  expect(people.length + skipped).toBe(4);
  expect(readCards('')).toEqual({ people: [], skipped: 0 });
});

test('control characters do not get through, and long texts are cut', () => {
  const found = only(
    card(
      'VERSION:4.0',
      `FN:A\u0000\u202eB${'x'.repeat(5_000)}`,
      'EMAIL:a@a.example',
      `NOTE:${'n'.repeat(50_000)}`,
    ),
  );
  expect(found?.name).toHaveLength(100);
  expect(found?.name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(found?.note).toHaveLength(2_000);
});

test('files are bounded in size and in cards', () => {
  expect(() => readCards('x'.repeat(VCARD_FILE_MAX_CHARACTERS + 1))).toThrow(RangeError);
  const many = card('VERSION:4.0', 'EMAIL:a@a.example').repeat(VCARD_CARDS_MAX + 3);
  const { people, skipped } = readCards(many);
  expect([people.length, skipped]).toEqual([VCARD_CARDS_MAX, 1]);
});

test('of a card with thousands of groups and lines the first are kept, and only so many are looked at', () => {
  const groups = Array.from({ length: 50_000 }, (_, index) => `g${index}`);
  const text = card(
    'VERSION:4.0',
    ...Array.from({ length: 20_000 }, () => 'X-LONG:x'),
    'EMAIL:a@a.example',
    `CATEGORIES:${groups.join(',')}`,
    ...groups.map(name => `CATEGORIES:${name}`),
  );
  const trim = vi.spyOn(String.prototype, 'trim');
  const found = only(text);
  const looks = trim.mock.calls.length;
  trim.mockRestore();
  expect(found).toMatchObject({ emails: ['a@a.example'], groups: groups.slice(0, 20) });
  // One for each line of the file to find its cards, and a few hundred for what is in them.
  expect(looks).toBeLessThan(text.split('\r\n').length + 1_000);
});

test('escapes are undone once, and a backslash before a comma does not hide it', () => {
  const found = only(
    card(
      'VERSION:4.0',
      'FN:\\;a\\\\\\;b;c\\:d\\x',
      'EMAIL:a@a.example',
      'NOTE:one\\Ntwo\\\\n\\',
      'CATEGORIES:up\\\\,down\\,left,;',
    ),
  );
  expect(found).toMatchObject({
    name: ';a\\;b;c:d\\x',
    note: 'one\ntwo\\n\\',
    groups: ['up\\', 'down,left', ';'],
  });
});

test('what is written is read again as it was', () => {
  const text = fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('\\', ';', ',', ':', 'n', ' ', '"'), maxLength: 12 }),
    )
    .map(value => value.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim());
  const person = fc.record({
    name: text.filter(value => value !== ''),
    emails: fc.uniqueArray(fc.constantFrom('a@a.example', 'b@b.example', 'c+d@c.example'), { minLength: 1 }),
    note: text,
    groups: fc.uniqueArray(
      text.filter(value => value !== ''),
      { maxLength: 3 },
    ),
  });
  fc.assert(
    fc.property(fc.array(person, { maxLength: 4 }), people => {
      expect(readCards(writeCards(people))).toEqual({ people, skipped: 0 });
    }),
    { numRuns: 300 },
  );
});

test('lines that are written have at most 75 bytes', () => {
  const file = writeCards([
    { name: 'ü'.repeat(90), emails: ['a@a.example'], note: '漢'.repeat(90), groups: [] },
  ]);
  for (const line of file.split('\r\n'))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
});
