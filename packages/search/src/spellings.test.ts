// Words match under the spellings that people type, and compounds match by their tails. Exact terms
// are not expanded.
import { describe, expect, test } from 'vitest';
import { createBuilder, createIndex, type IndexedMail } from './index.ts';
import { holdsPhrase, phraseIndexes } from './phrase.ts';
import { judge, parseQuery } from './query.ts';

const textsOf = (body: string): IndexedMail['texts'] => ({
  from: '',
  to: '',
  subject: '',
  body,
  filename: '',
});

/**
 * Reports whether a message with this text is found, checking the text where the index cannot
 * decide.
 */
function isFound(text: string, typed: string): boolean {
  const builder = createBuilder();
  const texts = textsOf(text);
  builder.add({ id: 'a', at: 1, flags: 0, texts });
  const index = createIndex();
  index.add(builder.finish(new Uint8Array(16)));
  const query = parseQuery(typed);
  const [hit] = index.search(query, 1, null).hits;
  if (hit === undefined || query.formula === null) return false;
  const asked = phraseIndexes(query);
  return (
    judge(query.formula, at => {
      const condition = query.conditions[at];
      if (condition === undefined || (hit.truths & (1 << at)) === 0) return false;
      return !asked.includes(at) || holdsPhrase(condition, texts);
    }) === true
  );
}

test.each([
  ['Herr Özbay kommt', 'Oezbay'],
  ['Herr Oezbay kommt', 'Özbay'],
  ['Mueller mueller@firm.example', 'Müller'],
  ['Müller', 'Mueller'],
  ['Müller', 'muller'],
  ['Jérôme', 'jerome'],
  ['jerome', 'Jérôme'],
  ['das ist übel', 'uebel'],
  ['das ist übel', 'übel'],
  ['für alle', 'fuer'],
  ['Grüße aus der Straße', 'gruesse'],
  ['Grüße aus der Straße', 'Strasse'],
  ['Strasse', 'Straße'],
  ['Søren Kjær', 'soeren'],
  ['Soeren', 'Søren'],
  ['Søren Kjær', 'soren'],
  ['Århus', 'Aarhus'],
  ['Aarhus', 'Århus'],
  ['Łódź', 'lodz'],
  ['Lodz', 'Łódź'],
  ['Đorđe', 'dorde'],
  ['ёлка', 'елка'],
  ['елка', 'Ёлка'],
  ['Οδός Ερμού', 'οδοσ'],
  ['ΟΔΟΣ', 'οδός'],
  ['İstanbul', 'istanbul'],
  ['ışık', 'isik'],
])('%s: %s', (text, typed) => {
  expect(isFound(text, typed)).toBe(true);
});

test.each([
  ['Ihre Stromrechnung für März', 'rechnung'],
  ['Ihre Stromrechnungen', 'Rechnung'],
  ['Krankenversicherung', 'Versicherung'],
  ['Krankenversicherung', 'versich'],
  ['im Krankenhaus', 'Haus'],
  ['Mietvertrag', 'vertrag'],
  ['der Stromzähler', 'Zähler'],
  ['der Stromzähler', 'zaehler'],
  ['zorgverzekering', 'verzekering'],
  ['ziekenhuis', 'huis'],
  ['bilförsäkring', 'försäkring'],
  ['sykeforsikring', 'forsikring'],
])('the compound %s is found by its tail %s', (text, typed) => {
  expect(isFound(text, typed)).toBe(true);
});

test.each([
  ['وصلت الفاتورة اليوم', 'فاتورة'],
  ['وصلت فاتورة اليوم', 'الفاتورة'],
  ['دفعت بالفاتورة', 'فاتورة'],
  ['والفاتورة', 'فاتورة'],
  ['للفاتورة', 'الفاتورة'],
  ['الفاتوره', 'فاتورة'],
  ['فَاتُورَةٌ', 'فاتورة'],
  ['أحمد', 'احمد'],
  ['إلى المدرسة', 'مدرسة'],
  ['مستشفى', 'مستشفي'],
  ['كتاب', 'الكتاب'],
  ['یک کتاب', 'يك'],
  ['الرقم ٢٠٢٤', '2024'],
  ['החשבונית צורפה', 'חשבונית'],
  ['חשבונית צורפה', 'החשבונית'],
  ['בחשבונית', 'חשבונית'],
  ['והחשבונית', 'חשבונית'],
  ['שֶׁהַחשבונית', 'חשבונית'],
  ['서울시청 방문', '시청'],
  ['서울시청에서 만나요', '시청'],
  ['청구서를 보냅니다', '청구서'],
  ['청구서 보냅니다', '청구서를'],
  ['東京都庁', '都庁'],
  ['ﾃｽﾄ', 'テスト'],
  ['カタカナ', 'かたかな'],
  ['ありがとう', 'アリガトウ'],
  ['ＡＢＣ', 'abc'],
])('%s: %s, in other scripts', (text, typed) => {
  expect(isFound(text, typed)).toBe(true);
});

test.each([
  ['IBAN DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['IBAN DE89 3704 0044 0532 0130 00', 'de8937040044'],
  ['IBAN DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
  ['IBAN DE89 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130 00'],
  ['IBAN GB29 NWBK 6016 1331 9268 19', 'GB29NWBK60161331926819'],
  ['Tel. 030 / 123 45 67', '0301234567'],
  ['Tel. (030) 123-4567', '0301234567'],
  ['Tel. +49 30 1234567', '+49301234567'],
  ['Tel. 0301234567', '030 123 45 67'],
  ['Tel. 030.123.45.67', '030-1234567'],
  ['card 4111-1111-1111-1111', '4111111111111111'],
  ['card 4111111111111111', '4111 1111 1111 1111'],
  ['years 2024 and 2025', '2024 2025'],
])('%s: %s, with grouped digits', (text, typed) => {
  expect(isFound(text, typed)).toBe(true);
});

describe('a text that does not match', () => {
  test.each([
    ['during the duty', 'due'],
    ['the blunt dossier', 'blue'],
    ['a smart start', 'art'],
    ['our report', 'port'],
    ['Stromrechnung', '"rechnung"'],
    ['Müller', '"mueller"'],
    ['12 34 99 56 78', '12345678'],
    ['DE89 3704 0044 0532 9999 0130 00', 'DE89370400440532013000'],
    ['Rechnungswesen', 'wesenrechnung'],
    ['kal', 'الكلام'],
    ['exact words here', '"words exact"'],
  ])('%s: %s', (text, typed) => {
    expect(isFound(text, typed)).toBe(false);
  });
});

test('an exact phrase matches only whole, adjacent words', () => {
  expect(isFound('please pay the open invoice today', '"open invoice"')).toBe(true);
  expect(isFound('please open the invoice today', '"open invoice"')).toBe(false);
  expect(isFound('please pay the open invoices today', '"open invoice"')).toBe(false);
});
