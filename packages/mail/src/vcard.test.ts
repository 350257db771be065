import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { CONTACT_FILE_GROUPS_MAX, VCARD_CARDS_MAX, VCARD_FILE_MAX_CHARACTERS } from './limits.ts';
import { readCards, writeCards } from './vcard.ts';

const card = (...lines: string[]) => `BEGIN:VCARD\r\n${lines.join('\r\n')}\r\nEND:VCARD\r\n`;
const only = (text: string) => readCards(text).people[0];

test('reads a version 4 card, the preferred address first', () => {
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
    lines: ['EMAIL;TYPE=home;PREF=2:Ann@Home.example', 'EMAIL;TYPE=work;PREF=1:ann@work.example'],
  });
});

test('reads a version 3 card with folded lines, groups and a structured name', () => {
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

test('reports broken cards and cards without an address, and reads the others', () => {
  const text = [
    'garbage before',
    card('VERSION:4.0', 'FN:No address'),
    card('VERSION:4.0', 'FN:Bad', 'EMAIL:not an address', 'EMAIL:a@b@c'),
    card('VERSION:4.0', 'no colon here', 'EMAIL;x@a.example'),
    card('VERSION:4.0', 'FN:Good', 'EMAIL:good@a.example'),
    'BEGIN:VCARD\nVERSION:4.0\nEMAIL:open@a.example\n',
  ].join('\n');
  const { people, without } = readCards(text);
  expect(people.map(({ name }) => name)).toContain('Good');
  // An unterminated card ends with the file.
  expect(people.length + without.length).toBe(5);
  expect(people.map(({ emails }) => emails[0])).toContain('open@a.example');
  expect(without.slice(0, 2)).toEqual([
    { row: 1, name: 'No address' },
    { row: 2, name: 'Bad' },
  ]);
  expect(readCards('')).toEqual({ people: [], without: [], leftOut: [], isCut: false });
});

test('removes control characters and cuts long texts', () => {
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
  expect(found?.note).toHaveLength(10_000);
});

test('limits the size and the cards of a file', () => {
  expect(() => readCards('x'.repeat(VCARD_FILE_MAX_CHARACTERS + 1))).toThrow(RangeError);
  const many = card('VERSION:4.0', 'EMAIL:a@a.example').repeat(VCARD_CARDS_MAX + 3);
  const { people, isCut } = readCards(many);
  expect([people.length, isCut]).toEqual([VCARD_CARDS_MAX, true]);
});

test('keeps unknown properties unchanged and reports those that are too large', () => {
  const { people, leftOut } = readCards(
    card(
      'VERSION:3.0',
      'FN:Ann',
      'EMAIL:a@a.example',
      'item1.TEL;TYPE=CELL:+1 555',
      'ADR;TYPE=HOME:;;1 Street;Town;;;',
      'ORG:;',
      'X-BDAY:x',
      'photo;ENCODING=b:AAAA',
      `LOGO;ENCODING=b:${'A'.repeat(200_000)}`,
    ),
  );
  expect(people[0]?.lines).toEqual([
    'item1.TEL;TYPE=CELL:+1 555',
    'ADR;TYPE=HOME:;;1 Street;Town;;;',
    'X-BDAY:x',
    'PHOTO:data:image/jpeg;base64,AAAA',
  ]);
  expect(leftOut).toEqual(['picture']);
});

test('keeps joiners only within a name, and only single ones', () => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
  const persian = '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645';
  expect(only(card(`FN:${family} ${persian}\u202e`, 'EMAIL:a@a.example'))?.name).toBe(`${family} ${persian}`);
  const many = '\u200d'.repeat(6_000);
  expect(only(card(`FN:${many} ${many}a${many}b`, 'EMAIL:a@a.example'))?.name).toBe('a\u200db');
});

test('a contact without a name has none after export and import', () => {
  const person = { name: '', emails: ['a@a.example'], note: 'one\n\ttwo', groups: [] };
  expect(readCards(writeCards([person])).people).toEqual([person]);
});

test('an address book with the maximum number of groups survives export and import', () => {
  const groups = Array.from({ length: 3_500 }, (_, index) => `${index}, ${'g;'.repeat(8)}`);
  const some = (count: number, offset: number) => groups.slice(offset, offset + count);
  const people = [
    { name: 'Everywhere', emails: ['all@a.example'], note: '', groups },
    ...Array.from({ length: 500 }, (_, index) => ({
      name: `P${index}`,
      emails: [`p${index}@a.example`],
      note: '',
      groups: some(50, index),
    })),
  ];
  const { isCut, ...found } = readCards(writeCards(people));
  expect(isCut).toBe(false);
  expect(found.people).toEqual(people);
});

test('a file with too many groups keeps the first ones, in bounded work', () => {
  const groups = Array.from({ length: 4_000 }, (_, index) => `g${index}`);
  const text = card(
    'VERSION:4.0',
    ...Array.from({ length: 2_000 }, () => 'X-LONG:x'),
    'EMAIL:a@a.example',
    `CATEGORIES:${groups.join(',')}`,
    ...groups.slice(0, 500).map(name => `CATEGORIES:${name}`),
  );
  const file = text.repeat(30);
  const trim = vi.spyOn(String.prototype, 'trim');
  const { people, isCut } = readCards(file);
  const looks = trim.mock.calls.length;
  trim.mockRestore();
  expect(isCut).toBe(true);
  expect(people).toHaveLength(30);
  expect(people[0]?.groups[0]).toBe('g0');
  expect(people.reduce((sum, one) => sum + one.groups.length, 0)).toBeLessThanOrEqual(
    CONTACT_FILE_GROUPS_MAX,
  );
  // A few for each line of the file, and one for each examined group.
  expect(looks).toBeLessThan(4 * file.split('\r\n').length + CONTACT_FILE_GROUPS_MAX + 1_000);
});

test('unescapes once, and a backslash before a comma does not hide it', () => {
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

test('written cards are read back unchanged', () => {
  const text = fc
    .oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('\\', ';', ',', ':', 'n', ' ', '"'), maxLength: 12 }),
    )
    .map(value => value.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim());
  const person = fc.record({
    name: text.filter(value => value !== ''),
    emails: fc.uniqueArray(fc.constantFrom('a@a.example', 'b@b.example', 'c+d@c.example'), { minLength: 1 }),
    note: fc.oneof(text, fc.constant('two\n\tlines')),
    groups: fc.uniqueArray(
      text.filter(value => value !== ''),
      { maxLength: 3 },
    ),
  });
  fc.assert(
    fc.property(fc.array(person, { maxLength: 4 }), people => {
      expect(readCards(writeCards(people))).toMatchObject({ people, without: [] });
    }),
    { numRuns: 300 },
  );
});

test('writes lines of at most 75 bytes', () => {
  const file = writeCards([
    { name: 'ü'.repeat(90), emails: ['a@a.example'], note: '漢'.repeat(90), groups: [] },
  ]);
  for (const line of file.split('\r\n'))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
});

test.each([
  ['beginnings without an end', 'BEGIN:VCARD\n'.repeat(300_000), 0],
  ['cards with nothing in them', 'BEGIN:VCARD\nEND:VCARD\n'.repeat(100_000), 0],
  ['empty lines', card('EMAIL:a@a.example', '\n'.repeat(3_000_000)), 1],
  ['one folded line', card(`EMAIL:a@a.example\r\nNOTE:x${'\r\n x'.repeat(500_000)}`), 1],
  ['parameters', card(`EMAIL${';A=1'.repeat(1_000_000)}:a@a.example`), 0],
  ['quotation marks', card(`EMAIL;A="${'"'.repeat(3_000_000)}:a@a.example`), 0],
  ['escapes', card('EMAIL:a@a.example', `NOTE:${'\\'.repeat(3_000_000)}`), 1],
  ['carriage returns', `BEGIN:VCARD\rEMAIL:a@a.example\r${'\r'.repeat(3_000_000)}END:VCARD\r`, 1],
])('reads megabytes of %s', (_, text, people) => {
  expect(readCards(text).people).toHaveLength(people);
});
