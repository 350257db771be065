// Bounds the cost of indexing, finding and showing a hostile message: work must grow no faster than
// its size.
import { expect, test } from 'vitest';
import { fold } from './fold.ts';
import { findMarks, marksOf } from './highlight.ts';
import { createBuilder, createIndex, UID_BYTES } from './index.ts';
import { holdsPhrase } from './phrase.ts';
import { parseQuery } from './query.ts';

const LIMIT_MS = 5_000;
const marks = (query: string) => marksOf(parseQuery(query), ['body']);

test.each<[string, () => unknown]>([
  ['marks piled up on a letter', () => fold(`a${'\u0300'.repeat(150_000)}${'\u0316'.repeat(150_000)}`)],
  ['a run of the very character', () => findMarks('漢'.repeat(200_000), marks('漢'))],
  ['a run of the very word', () => findMarks('漢字'.repeat(100_000), marks('漢字'))],
  ['a word of accents', () => findMarks(`a${'\u0301'.repeat(100_000)}b`, marks('ab'))],
  ['accents behind the word', () => findMarks(`ab${'\u0301'.repeat(100_000)}`, marks('ab'))],
  [
    'a phrase in megabytes',
    () => {
      const { conditions } = parseQuery('"no such words"');
      const texts = { from: '', to: '', subject: '', filename: '', body: 'a ä '.repeat(2_000_000) };
      return conditions.map(condition => holdsPhrase(condition, texts));
    },
  ],
  ['a word with a long head', () => findMarks(`${'ä'.repeat(150_000)}treffen`, marks('treffen'))],
])('handles %s in linear time', (_, work) => {
  const startedAt = performance.now();
  work();
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
});

test('a pasted word of any length is never found by mistake', () => {
  const letters = (count: number) =>
    Array.from({ length: count }, (_, at) => 'abcdefg'[(at * at) % 7]).join('');
  const builder = createBuilder();
  const body = Array.from({ length: 200 }, (_, at) => `wortende${letters(20 + (at % 12))}gesellschaft`).join(
    ' ',
  );
  const texts = { from: '', to: '', subject: '', filename: '', body };
  builder.add({ id: crypto.randomUUID(), at: 1, flags: 0, texts });
  const index = createIndex();
  index.add(builder.finish(crypto.getRandomValues(new Uint8Array(UID_BYTES))));
  const found = (query: string) => index.search(parseQuery(query), 10, null).total;
  expect(found('gesellschaft')).toBe(1);
  for (const count of [64, 255, 256, 257, 511, 512, 513, 768])
    for (const word of [letters(count), 'a'.repeat(count), `z${letters(count - 1)}`])
      expect(found(word)).toBe(0);
});

test('names of Object properties are ordinary words', () => {
  const { conditions } = parseQuery('in:constructor is:constructor is:__proto__ in:toString');
  expect(conditions).toMatchObject([
    { kind: 'in', place: 'constructor' },
    { kind: 'words', text: 'is constructor' },
    { kind: 'words', text: 'is __proto__' },
    { kind: 'in', place: 'toString' },
  ]);
});

test.each([
  ['a mark covers letters with their accents', 'e\u0301te\u0301 x', 'ete', 'e\u0301te\u0301'],
  ['and a part of a word with them', 'e\u0301te\u0301s', 'ét', 'e\u0301t'],
  ['one letter that stands for two', 'Straße', 'stras', 'Straß'],
  [
    'syllables that are written in their letters',
    '\u1112\u1161\u11ab\u1100\u116e\u11a8',
    '한',
    '\u1112\u1161\u11ab',
  ],
  ['invisible signs within', 'so\u00adlu\u200btion', 'solution', 'so\u00adlu\u200btion'],
])('%s', (_, text, query, marked) => {
  const [range] = findMarks(text, marks(query));
  expect(text.slice(range?.start, range?.end)).toBe(marked);
});
