import { expect, test } from 'vitest';
import { findMarks, marksOf } from './highlight.ts';
import { parseQuery } from './query.ts';
import { snippetAt } from './snippet.ts';

const FIELDS = ['subject', 'body'] as const;
const marked = (text: string, query: string) =>
  findMarks(text, marksOf(parseQuery(query), FIELDS)).map(({ start, end }) => text.slice(start, end));
const snippet = (text: string, query: string) => snippetAt(text, marksOf(parseQuery(query), FIELDS));

test.each([
  ['Ihre Stromrechnungen für März', 'rechnung', ['rechnung']],
  ['der Stromzähler', 'zaehler', ['zähler']],
  ['Herr Özbay und Frau Oezbay', 'Oezbay', ['Özbay', 'Oezbay']],
  ['Mueller und Müller', 'Müller', ['Mueller', 'Müller']],
  ['وصلت الفاتورة', 'فاتورة', ['الفاتورة']],
  ['החשבונית צורפה', 'חשבונית', ['החשבונית']],
  ['서울시청에서', '시청', ['시청']],
  ['カタカナ', 'かたかな', ['カタカナ']],
  ['IBAN DE89 3704 0044 0532 0130 00.', 'DE89370400440532013000', ['DE89 3704 0044 0532 0130 00']],
  ['Tel. 030/123-45 67', '0301234567', ['030/123-45 67']],
  ['Tel. 0301234567', '030 123 45 67', ['0301234567']],
  ['Stromrechnung', '"rechnung"', []],
  ['our report', 'port', []],
])('%s: %s highlights the matches', (text, query, expected) => {
  expect(marked(text, query)).toEqual(expected);
});

test('a snippet moves to the match, from the beginning of a word', () => {
  const before = 'Dear all, '.repeat(20);
  const found = snippet(`${before}\n\nthe  Stromrechnung is here. ${'More. '.repeat(100)}`, 'rechnung');
  expect(found?.startsWith('… ')).toBe(true);
  expect(found).toContain('all, the Stromrechnung is here.');
  expect(found?.length).toBeLessThan(300);
  expect(found).not.toContain('\n');
});

test('a snippet stays when the match is visible or there is none', () => {
  expect(snippet('the bill is here', 'bill')).toBeNull();
  expect(snippet('words '.repeat(100), 'bill')).toBeNull();
  expect(snippet('', 'bill')).toBeNull();
  expect(snippet(`${'漢字'.repeat(100)}請求書${'漢字'.repeat(10)}`, '請求書')).toMatch(
    /^… (?:漢字){15,}請求書/,
  );
});
