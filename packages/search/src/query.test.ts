import { expect, test } from 'vitest';
import { chipText, joinQuery, operatorAtEnd, operatorsFor, replaceLast, splitQuery } from './chips.ts';
import { deviceCalendar } from './dates.ts';
import { findMarks, marksOf } from './highlight.ts';
import { holdsPhrase, phraseIndexes } from './phrase.ts';
import { type Condition, judge, parseQuery } from './query.ts';
import { matchesRow, type RowFacts } from './row-predicate.ts';

const now = deviceCalendar(new Date(2026, 10, 22, 12));
const only = (text: string): Condition | undefined => parseQuery(text, now).conditions[0];
const day = (year: number, month: number, date: number): number => new Date(year, month - 1, date).getTime();

test('reads every operator under all its names', () => {
  expect(only('from:ines')).toEqual({ kind: 'words', field: 'from', text: 'ines', isExact: false });
  expect(only('FROM:"Ines O"')).toEqual({ kind: 'words', field: 'from', text: 'Ines O', isExact: true });
  expect(only('cc:bob')).toMatchObject({ field: 'to' });
  expect(only('has:attachment')).toEqual({ kind: 'attachment' });
  expect(only('has:files')).toEqual({ kind: 'attachment' });
  expect(only('is:unread')).toEqual({ kind: 'is', state: 'unread' });
  expect(only('is:star')).toEqual({ kind: 'is', state: 'starred' });
  expect(only('in:Inbox')).toEqual({ kind: 'in', place: 'recieved' });
  expect(only('in:trash')).toEqual({ kind: 'in', place: 'deleted' });
  expect(only('tag:"Tax 2024"')).toEqual({ kind: 'tag', name: 'Tax 2024' });
  expect(only('larger:5M')).toEqual({ kind: 'size', min: 5 * 1024 ** 2, max: null });
  expect(only('smaller:1.5kb')).toEqual({ kind: 'size', min: 0, max: 1_536 });
  expect(only('filename:pdf')).toMatchObject({ field: 'filename' });
  expect(only('sender:x')).toMatchObject({ field: 'from' });
});

test('reads dates in the usual formats', () => {
  const from = (text: string): number | null => {
    const condition = only(`after:${text}`);
    return condition?.kind === 'date' ? condition.from : null;
  };
  expect(from('2024-03-05')).toBe(day(2024, 3, 5));
  expect(from('2024/3/5')).toBe(day(2024, 3, 5));
  expect(from('2024-03')).toBe(day(2024, 3, 1));
  expect(from('2024')).toBe(day(2024, 1, 1));
  expect(from('5.3.2024')).toBe(day(2024, 3, 5));
  expect(from('3/5/2024')).toBe(day(2024, 3, 5));
  expect(from('25/3/24')).toBe(day(2024, 3, 25));
  expect(from('today')).toBe(day(2026, 11, 22));
  expect(from('yesterday')).toBe(day(2026, 11, 21));
  expect(from('7d')).toBe(day(2026, 11, 15));
  expect(from('1y')).toBe(day(2025, 11, 22));
  expect(from('2024-02-30')).toBeNull();
  expect(only('before:2024-03-05')).toEqual({ kind: 'date', from: null, to: day(2024, 3, 5) });
});

test('bad input never throws', () => {
  const odd = [
    '',
    ' ',
    '"',
    '"a',
    '-',
    '--',
    '- a',
    '((((',
    '))))',
    'OR',
    'a OR',
    'OR OR a',
    'from:',
    'from:"',
    'is:',
    'is:what',
    'before:never',
    'larger:much',
    'x:y',
    'http://a.b',
    '-()',
    '-(a',
    'a'.repeat(5_000),
    '('.repeat(2_000),
    'a '.repeat(500),
    '__proto__:x',
    'constructor:x',
    'in:__proto__',
    '\ud800',
    '“a b',
    'from:(a',
  ];
  for (const text of odd) {
    const query = parseQuery(text, now);
    if (query.formula !== null) judge(query.formula, () => null);
    expect(query.conditions.length).toBeLessThanOrEqual(24);
    splitQuery(text, true);
    splitQuery(text, false);
  }
  expect(only('is:what')).toMatchObject({ kind: 'words', text: 'is what' });
  expect(only('x:y')).toMatchObject({ kind: 'words', field: null, text: 'x:y' });
});

test('combines AND, OR, negation and brackets correctly', () => {
  const truth = (text: string, known: Readonly<Record<string, boolean | null>>): boolean | null => {
    const { formula, conditions } = parseQuery(text, now);
    return formula === null
      ? null
      : judge(
          formula,
          index => known[(conditions[index] as Extract<Condition, { kind: 'words' }>).text] ?? null,
        );
  };
  expect(truth('a b', { a: true, b: false })).toBe(false);
  expect(truth('a OR b', { a: false, b: true })).toBe(true);
  expect(truth('a -b', { a: true, b: false })).toBe(true);
  expect(truth('-(a OR b) c', { a: false, b: false, c: true })).toBe(true);
  expect(truth('a b OR c', { a: true, b: true, c: false })).toBe(true);
  expect(truth('a b', { a: true, b: null })).toBe(null);
  expect(truth('a b', { a: false, b: null })).toBe(false);
});

test('operators become chips, and chips become the same query again', () => {
  expect(splitQuery('from:ines has:attachment', true)).toEqual({
    chips: [
      { operator: 'from', value: 'ines', isNegated: false },
      { operator: 'has', value: 'attachment', isNegated: false },
    ],
    text: '',
  });
  // The last piece is unfinished while the user types.
  expect(splitQuery('from:ines has:att', false)).toMatchObject({
    chips: [{ operator: 'from' }],
    text: 'has:att',
  });
  expect(splitQuery('from:ines ', false)).toMatchObject({ chips: [{ value: 'ines' }], text: '' });
  expect(splitQuery('hello from:ines wor', false)).toMatchObject({
    chips: [{ value: 'ines' }],
    text: 'hello wor',
  });
  expect(splitQuery('from:a OR from:b', true)).toEqual({ chips: [], text: 'from:a OR from:b' });
  expect(splitQuery('hello ', false)).toEqual({ chips: [], text: 'hello ' });
  for (const text of [
    'from:ines has:attachment report',
    'tag:"Tax 2024" -is:read',
    'subject:"a b" c',
    'before:2024-03-05',
  ])
    expect(joinQuery(splitQuery(text, true))).toBe(text);
  expect(chipText({ operator: 'tag', value: 'a "b" c', isNegated: true })).toBe('-tag:"a b c"');
});

test('suggests operators and values for the end of the query', () => {
  expect(operatorsFor('ha')).toEqual(['has']);
  expect(operatorsFor('hello f')).toEqual(['from', 'filename']);
  expect(operatorsFor('hello ')).toHaveLength(12);
  expect(operatorAtEnd('x from:in')).toEqual({ operator: 'from', value: 'in' });
  expect(operatorAtEnd('x in')).toBeNull();
  expect(replaceLast('hello fr', 'from:')).toBe('hello from:');
  expect(replaceLast('fr', 'from:')).toBe('from:');
});

test('highlights cover the visible letters', () => {
  const marked = (text: string, query: string): string[] =>
    findMarks(text, marksOf(parseQuery(query, now), ['subject', 'body'])).map(({ start, end }) =>
      text.slice(start, end),
    );
  expect(marked('Über die Übersicht', 'uber')).toEqual(['Über', 'Über']);
  expect(marked('Über die Übersicht', 'ubersicht')).toEqual(['Übersicht']);
  expect(marked('Straßen', 'strasse')).toEqual(['Straße']);
  expect(marked('invoices from:x', 'invoice')).toEqual(['invoice']);
  expect(marked('invoices invoice', '"invoice"')).toEqual(['invoice']);
  expect(marked('これは日本語です', '日本語')).toEqual(['日本語']);
  expect(marked('cafe\u0301s', 'cafe')).toEqual(['cafe\u0301']);
  expect(marked('ines and bob', 'from:ines bob -and')).toEqual(['bob']);
  expect(marked('nothing', '')).toEqual([]);
});

test('a phrase needs its words side by side in one field', () => {
  const query = parseQuery('"green tea" "red" "subject line"', now);
  expect(phraseIndexes(query)).toEqual([0, 2]);
  const texts = { from: '', to: '', subject: 'Tea, green', body: 'a cup of GREEN  tea.', filename: '' };
  const [first] = query.conditions;
  expect(holdsPhrase(first as Condition, texts)).toBe(true);
  expect(holdsPhrase(first as Condition, { ...texts, body: 'green and tea' })).toBe(false);
  expect(holdsPhrase(first as Condition, { ...texts, body: 'evergreen teapot' })).toBe(false);
});

test('rows answer conditions on state, folder, tag and size', () => {
  const row: RowFacts = {
    sent: false,
    read: false,
    starred: true,
    flagged: false,
    archived: false,
    deleted: false,
    draft: false,
    snoozed: false,
    scheduled: false,
    size: 10_000,
    tags: ['Tax'],
    attachments: [],
  };
  const truth = (text: string, facts = row): boolean | null => matchesRow(only(text) as Condition, facts);
  expect(truth('is:unread')).toBe(true);
  expect(truth('is:read')).toBe(false);
  expect(truth('is:starred')).toBe(true);
  expect(truth('tag:tax')).toBe(true);
  expect(truth('in:inbox')).toBe(true);
  expect(truth('in:inbox', { ...row, archived: true })).toBe(false);
  expect(truth('in:tax')).toBe(true);
  expect(truth('larger:9k')).toBe(true);
  expect(truth('smaller:9k')).toBe(false);
  expect(truth('word')).toBeNull();
});
