// Compares the index with a naive scan over random messages: letters of many scripts, accents,
// right-to-left text, emoji, naughty strings. Both must find exactly the same messages, regardless
// of segments and merges.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';
import {
  createBuilder,
  createIndex,
  DOC_FLAGS,
  type IndexedMail,
  type MailIndex,
  mergeSegments,
} from './index.ts';
import { parseQuery } from './query.ts';

/** A small seeded generator, so that failures are reproducible. */
function seeded(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    below: (n: number): number => Math.floor(next() * n),
    pick: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T,
  };
}

const VOCABULARY = [
  'invoice',
  'invoices',
  'in',
  'Über',
  'uber',
  'Straße',
  'strasse',
  'naïve',
  'CAFÉ',
  'İstanbul',
  'ﬁne',
  'x',
  '42',
  '2024',
  'שלום',
  'שָׁלוֹם',
  'مرحبا',
  'مَرْحَبًا',
  'Привет',
  'Ελληνικός',
  'हिन्दी',
  'हिन्द',
  '안녕하세요',
  '😀',
  '👍🏽',
  'don’t',
  "don't",
  'Ⅻ',
  'ａｂｃ',
  'abc',
];
const DENSE = ['日本語', '日本', '本語', '東京都', '京', 'テスト', 'ﾃｽﾄ', '中文字', 'ภาษาไทย', '𠮷野家'];

const uid = (n: number): Uint8Array =>
  Uint8Array.from({ length: 16 }, (_, at) => (n >> (8 * (at % 4))) & 255);

/** Words as the scan sees them: an independent implementation with regular expressions. */
const DENSE_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u;
const scanWords = (text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/gu) ?? []).flatMap(
    run =>
      run.match(
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu,
      ) ?? [],
  );
function pairs(run: string): string[] {
  const all = [...run];
  return all.length === 1 ? all : all.slice(1).map((next, at) => `${all[at]}${next}`);
}
/** Reports whether one field contains every part of a query word. */
function scanField(text: string, wanted: string): boolean {
  const words = scanWords(text);
  return scanWords(wanted).every((piece, at, { length }) =>
    DENSE_SCRIPT.test(piece)
      ? pairs(piece).every(pair => words.some(word => DENSE_SCRIPT.test(word) && word.includes(pair)))
      : words.some(
          word => !DENSE_SCRIPT.test(word) && (at === length - 1 ? word.startsWith(piece) : word === piece),
        ),
  );
}
const scan = (
  mails: readonly IndexedMail[],
  words: readonly string[],
  field: keyof IndexedMail['texts'] | null,
): string[] =>
  mails
    .filter(({ texts }) =>
      words.every(word =>
        (field === null ? Object.values(texts) : [texts[field]]).some(text => scanField(text, word)),
      ),
    )
    .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);

const find = (index: MailIndex, query: string): string[] =>
  index.search(parseQuery(query), 10_000, null).hits.map(({ id }) => id);

function build(mails: readonly IndexedMail[], n: number): Uint8Array {
  const builder = createBuilder();
  for (const mail of mails) builder.add(mail);
  return builder.finish(uid(n));
}

function mergeAll(index: MailIndex, n: number, chosen: readonly string[]): void {
  const living = chosen.map(one => index.living(one)).filter(one => one !== null);
  const work = mergeSegments(living, uid(n), []);
  let step = work.next();
  while (!step.done) step = work.next();
  index.replace(step.value, chosen);
}

function mailOf(random: ReturnType<typeof seeded>, id: string, at: number): IndexedMail {
  const text = (most: number): string =>
    Array.from({ length: random.below(most) }, () =>
      random.pick(random.below(4) === 0 ? DENSE : VOCABULARY),
    ).join(random.pick([' ', ', ', '\n', ' / ']));
  return {
    id,
    at,
    flags: random.below(8),
    texts: { from: text(3), to: text(3), subject: text(6), body: text(40), filename: text(3) },
  };
}

test('the index returns the same results as a scan, across segments, merges and removals', () => {
  for (const seed of [1, 2, 3, 4]) {
    const random = seeded(seed);
    const index = createIndex();
    let mails: IndexedMail[] = [];
    for (let n = 0; n < 12; n++) {
      const fresh = Array.from({ length: 1 + random.below(20) }, (_, at) =>
        mailOf(
          random,
          random.below(2)
            ? `mail-${n}-${at}`
            : `00000000-0000-7000-8000-${String(n * 100 + at).padStart(12, '0')}`,
          random.below(50),
        ),
      );
      index.add(build(fresh, n + 1));
      mails.push(...fresh);
      if (random.below(3) === 0) {
        const gone = random.pick(mails);
        index.remove(gone.id);
        mails = mails.filter(mail => mail !== gone);
      }
      if (random.below(3) === 0)
        mergeAll(
          index,
          1_000 + n,
          index
            .segments()
            .map(one => one.uid)
            .slice(0, 4),
        );
    }
    expect(index.mailCount()).toBe(mails.length);
    const fields = [null, 'from', 'subject', 'body'] as const;
    for (let round = 0; round < 150; round++) {
      const words = Array.from({ length: 1 + random.below(2) }, () => {
        const word = random.pick([...VOCABULARY, ...DENSE]);
        return [...word].slice(0, 1 + random.below([...word].length)).join('');
      }).filter(word => scanWords(word).length > 0 && word !== '-');
      if (words.length === 0) continue;
      const field = random.pick(fields);
      const query = words.map(word => (field === null ? word : `${field}:${word}`)).join(' ');
      if (field === 'body') continue;
      expect(find(index, query), query).toEqual(scan(mails, words, field));
    }
  }
});

test('pages have no gap or repeat, even when many messages share a second', () => {
  const random = seeded(9);
  const index = createIndex();
  const mails = Array.from({ length: 90 }, (_, n) => ({
    ...mailOf(random, `m${n}`, random.below(4)),
    texts: { from: '', to: '', subject: 'same', body: '', filename: '' },
  }));
  for (let n = 0; n < 3; n++) index.add(build(mails.slice(n * 30, n * 30 + 30), n + 1));
  const seen: string[] = [];
  let after: { at: number; id: string } | null = null;
  for (;;) {
    const { hits, total } = index.search(parseQuery('same'), 7, after);
    expect(total).toBe(90);
    if (hits.length === 0) break;
    seen.push(...hits.map(({ id }) => id));
    after = hits.at(-1) ?? null;
  }
  expect(seen).toEqual(scan(mails, ['same'], null));
});

test('searches by date, attachment, negation and alternatives', () => {
  const day = (n: number) => Math.floor(new Date(2024, 0, n).getTime() / 1000);
  const texts = (subject: string) => ({ from: '', to: '', subject, body: '', filename: '' });
  const index = createIndex();
  index.add(
    build(
      [
        { id: 'a', at: day(1), flags: DOC_FLAGS.attachment, texts: texts('red') },
        { id: 'b', at: day(2), flags: 0, texts: texts('red green') },
        { id: 'c', at: day(3), flags: DOC_FLAGS.attachment, texts: texts('blue') },
      ],
      1,
    ),
  );
  expect(find(index, 'has:attachment')).toEqual(['c', 'a']);
  expect(find(index, '-has:attachment')).toEqual(['b']);
  expect(find(index, 'after:2024-01-02')).toEqual(['c', 'b']);
  expect(find(index, 'before:2024-01-02')).toEqual(['a']);
  expect(find(index, 'red -green')).toEqual(['a']);
  expect(find(index, 'green OR blue')).toEqual(['c', 'b']);
  expect(find(index, '(green OR blue) has:attachment')).toEqual(['c']);
  // Conditions that depend on row data keep a message in the results, negated or not.
  expect(find(index, 'red is:unread')).toEqual(['b', 'a']);
  expect(find(index, 'red -is:unread')).toEqual(['b', 'a']);
  expect(find(index, '')).toEqual([]);
});

test('the newest version of a message replaces older ones, in any order', () => {
  const draft = (at: number, subject: string): IndexedMail => ({
    id: 'd',
    at,
    flags: DOC_FLAGS.draft,
    texts: { from: '', to: '', subject, body: '', filename: '' },
  });
  for (const order of [
    [1, 2],
    [2, 1],
  ]) {
    const index = createIndex();
    for (const n of order) index.add(build([draft(n, n === 1 ? 'old' : 'young')], n));
    expect(find(index, 'old')).toEqual([]);
    expect(find(index, 'young')).toEqual(['d']);
    expect(index.mailCount()).toBe(1);
    mergeAll(
      index,
      9,
      index.segments().map(one => one.uid),
    );
    expect(find(index, 'young')).toEqual(['d']);
    index.remove('d');
    expect(find(index, 'young')).toEqual([]);
    index.add(build([draft(3, 'third')], 3));
    expect(find(index, 'third')).toEqual(['d']);
  }
});

test('addresses and hosts are found whole, in parts, and while being typed', () => {
  const index = createIndex();
  index.add(
    build(
      [
        {
          id: 'a',
          at: 1,
          flags: 0,
          texts: {
            from: 'Ines <ines.o@mail.example.org>',
            to: '',
            subject: 'e-mail 1.234,50',
            body: 'https://www.keyfold.test/a?b=c',
            filename: 'Übersicht_2026.final.pdf',
          },
        },
        {
          id: 'b',
          at: 2,
          flags: 0,
          texts: { from: 'example@ines.test', to: '', subject: 'email 1234', body: '', filename: '' },
        },
      ],
      1,
    ),
  );
  for (const query of [
    'from:ines.o@mail.example.org',
    'from:mail.example',
    'example.org',
    'o@mail',
    'keyfold.test',
    'e-mail',
    '1.234',
    '1.234,5',
    'filename:pdf',
    'filename:ubersicht_2026',
    'final.pdf',
  ])
    expect(find(index, query), query).toEqual(['a']);
  expect(find(index, 'from:ines')).toEqual(['b', 'a']);
  expect(find(index, 'from:example.test')).toEqual([]);
  expect(find(index, '"e"')).toEqual(['a']);
  expect(find(index, '"exampl"')).toEqual([]);
});

test('words with characters on both sides of U+FFFF are found, before and after a merge', () => {
  const low = [...'﨎﨏﨑﨓﨔﨟﨡﨣﨤﨧﨨﨩'];
  const high = Array.from({ length: 40 }, (_, n) => String.fromCodePoint(0x1_3000 + n));
  const index = createIndex();
  for (const [n, words] of [low, high, [...low, ...high]].entries())
    index.add(
      build(
        words.map((body, at) => ({
          id: `${n}-${at}`,
          at,
          flags: 0,
          texts: { from: '', to: '', subject: '', body, filename: '' },
        })),
        n + 1,
      ),
    );
  for (let round = 0; round < 2; round++) {
    for (const word of [...low, ...high]) expect(find(index, word), word).toHaveLength(2);
    mergeAll(
      index,
      9,
      index.segments().map(one => one.uid),
    );
  }
});

test('hostile text is indexed and searched in linear time', () => {
  const index = createIndex();
  const hostile = [
    'a.'.repeat(200_000),
    'x'.repeat(400_000),
    '日'.repeat(400_000),
    '\ud800'.repeat(1_000),
    '@'.repeat(100_000),
    'é́́'.repeat(50_000),
    '\u0000'.repeat(1_000),
  ];
  const started = performance.now();
  index.add(
    build(
      hostile.map((body, n) => ({
        id: `h${n}`,
        at: n,
        flags: 0,
        texts: { from: body, to: body, subject: body, body, filename: body },
      })),
      1,
    ),
  );
  for (const text of hostile) index.search(parseQuery(text), 10, null);
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(find(index, 'x'.repeat(60))).toEqual(['h1']);
});

test('damaged data is refused, never partly read', () => {
  const random = seeded(5);
  const whole = build([mailOf(random, 'a', 1), mailOf(random, 'b', 2)], 1);
  for (const bytes of [
    whole.subarray(0, 3),
    whole.subarray(0, whole.length - 1),
    new Uint8Array(0),
    Uint8Array.from([...whole, 0]),
  ])
    expect(() => createIndex().add(bytes)).toThrow(RangeError);
  for (let at = 0; at < whole.length; at += 3) {
    const bytes = whole.slice();
    bytes[at] = (bytes[at] as number) ^ 0x55;
    const index = createIndex();
    try {
      index.add(bytes);
      find(index, 'invoice');
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
});

const naughty = new URL('../../../../shared/data/text/blns-even.json', import.meta.url);
test.skipIf(!existsSync(naughty))('naughty strings are found by their own words (needs ../shared)', () => {
  const strings = JSON.parse(readFileSync(naughty, 'utf8')) as { strings?: string[] } | string[];
  const list = (Array.isArray(strings) ? strings : (strings.strings ?? [])).map(one =>
    typeof one === 'string' ? one : String((one as { value?: unknown }).value ?? ''),
  );
  expect(list.length).toBeGreaterThan(50);
  const mails = list.map(
    (body, n): IndexedMail => ({
      id: `n${n}`,
      at: n,
      flags: 0,
      texts: { from: '', to: '', subject: '', body, filename: '' },
    }),
  );
  const index = createIndex();
  index.add(build(mails, 1));
  for (const [n, text] of list.entries()) {
    parseQuery(text);
    for (const word of scanWords(text).slice(0, 10))
      expect(find(index, `"${word}"`), word).toContain(`n${n}`);
  }
});
