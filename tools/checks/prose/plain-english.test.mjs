import { describe, expect, it } from 'vitest';
import { findCountProblems, lowerCounts } from './counts.mjs';
import { applyExceptions, findProseFaults } from './plain-english.mjs';
import { PROSE_RULES } from './rules.mjs';

/** The canary: a sentence that each rule must find. A rule without a sentence fails. */
const CANARIES = [
  ['anew', 'the list is read anew'],
  ['for ever', 'kept for\n * ever'],
  ['not to be had', 'the file is not to be had'],
  ['is no admin', 'Bob is no admin'],
  ['of our own making', 'an error of our own making'],
  ['Whoever', 'Whoever asks gets it'],
  ['are told', 'Devices are told of mail'],
  ['hears of', 'the client hears of it'],
  ['stands in', 'It stands in the menu'],
  ['stand beside', 'buttons stand beside it'],
  ['lies in', 'the row lies in the table'],
  ['nobody but', 'nobody but its owner'],
  ['Who has', 'All is well. Who has neither is lost.'],
  ['taken in', 'a file was taken in'],
  ['goes on', 'the import goes on'],
  ['desk', 'asks the desk'],
  ['door', 'through the door'],
  ['rooms', 'the rooms of the server'],
  ['letters', 'new letters come'],
  ['half-done sign-in', 'a half-done sign-in'],
  ['twin', 'its twin'],
  ['organisations', 'two organisations'],
];

/** What these words mean elsewhere. */
const INNOCENT = [
  'Who has the key? Nobody knows.',
  'users who have neither',
  'a mock may stand in for the clock',
  'PL stands for Poland',
  'it goes on to say',
  'there is room for ten',
  'the first letter and small letters, letters and digits, a lowercase letter',
  'a conference room',
  'styles of ::first-letter',
  'rows are told apart by their weight',
  'texts are kept to the letter',
  'unknown servers are greylisted, analyses are promised',
  'the column `stands in` and stands-in.ts and docs/letters.md',
];

const wordsOf = (file, source) => findProseFaults(file, source).map(({ words }) => words);

describe('the rules of plain English', () => {
  it.each(CANARIES)('find %s', (words, sentence) => {
    expect(wordsOf('a.ts', `first();\n/** ${sentence} */`)).toEqual([words]);
  });

  it('each have a canary', () => {
    const isCovered = ({ pattern }) =>
      CANARIES.some(([, sentence]) => sentence.replace('* ', '').match(pattern));
    expect(PROSE_RULES.filter(rule => !isCovered(rule)).map(({ name }) => name)).toEqual([]);
  });

  it.each(INNOCENT)('accept: %s', sentence => {
    expect(wordsOf('a.ts', `/** ${sentence} */`)).toEqual([]);
  });
});

describe('checked texts', () => {
  it.each([
    ['a comment', 'a.ts', '// ok\n// read anew', 2],
    ['a comment over two lines', 'a.ts', '// what lies\n// in it', 1],
    ['a text', 'a.ts', "fail('is read anew');", 1],
    ['a text with values', 'a.ts', `fail(\`\${count} are\n read anew\`);`, 2],
    ['a message of one word', 'a.tsx', "t('Colour');", 1],
    ['a text in an element', 'a.tsx', 'const a = <p>\n  Read anew {name}\n</p>;', 2],
    ['a name of a test', 'a.test.ts', "test.each([1])('reads anew', run);", 1],
    ['a name of a group', 'a.test.ts', 'describe(`anew`, run);', 1],
    ['a document', 'a.md', '# Title\n\nread anew', 3],
    ['a cell', 'a.md', '| a |\n| - |\n| Who gets it pays |', 3],
    ['an item', 'a.md', 'Users:\n\n- Who gets it pays', 3],
    ['a comment of a style sheet', 'a.css', '/* read anew */', 1],
    ['a comment of a workflow', 'a.yml', 'on: push\n# read anew', 2],
  ])('include %s', (_what, file, source, line) => {
    const faults = findProseFaults(file, source);
    expect(faults).toHaveLength(1);
    expect(faults[0].message).toContain(`${file}:${line}: `);
  });

  it.each([
    ['code', 'a.ts', 'const anew = letter + room;'],
    ['one word that is a value', 'a.ts', "status('anew');"],
    ['classes', 'a.tsx', 'const a = <p className="anew for ever" />;'],
    ['statements of SQL', 'a.ts', 'sql`select room from letters`;'],
    ['example mail in a test', 'a.test.ts', "test('is kept', () => send('read anew'));"],
    ['values in a text', 'a.ts', `fail(\`at \${letter} of \${room}\`);`],
    [
      'code and addresses in a document',
      'a.md',
      '`anew` [a](docs/anew-x.html) https://a.example/anew\n\n```\nanew\n```\n',
    ],
    ['catalogs', 'apps/web/src/locales/de.json', '{ "read anew": "anew" }'],
  ])('do not include %s', (_what, file, source) => {
    expect(findProseFaults(file, source)).toEqual([]);
  });

  it('come with a suggested replacement', () => {
    expect(findProseFaults('a.ts', '// The app is told.')[0].message).toBe(
      'a.ts:1: “is told” in a comment: programs report; write “is notified”, “receives”, “reports”, “logs”',
    );
  });
});

describe('exceptions', () => {
  const found = {
    'a.ts': [
      { words: 'Door', message: 'a.ts:1' },
      { words: 'desk', message: 'a.ts:2' },
    ],
  };

  it('allow their words only in their file', () => {
    const exceptions = [{ files: ['a.ts'], words: ['door'], reason: 'fixed' }];
    expect(applyExceptions(found, exceptions)).toEqual({ faults: { 'a.ts': ['a.ts:2'] }, needless: [] });
  });

  it('need a reason and a word that they allow', () => {
    const exceptions = [{ files: ['a.ts', 'b.ts'], words: ['door', 'room'], reason: '' }];
    const { needless } = applyExceptions(found, exceptions);
    expect(needless.join('\n')).toMatch(
      /gives no reason\n.*b\.ts needs no exception.*\n.*“room” is not in a\.ts, b\.ts/,
    );
  });

  it('may allow the files of a folder', () => {
    const nested = { 'a/b.ts': found['a.ts'], 'ab.ts': found['a.ts'] };
    const exceptions = [{ files: ['a/'], words: ['door', 'desk'], reason: 'fixed' }];
    expect(applyExceptions(nested, exceptions)).toEqual({
      faults: { 'ab.ts': ['a.ts:1', 'a.ts:2'] },
      needless: [],
    });
  });
});

describe('fault counts', () => {
  const problems = (count, allowed) =>
    findCountProblems(
      { 'a.ts': Array.from({ length: count }, (_, at) => `a.ts:${at}: fault`) },
      allowed,
      'list',
    );

  it('allow a file as many faults as listed, and none without an entry', () => {
    expect(problems(2, { 'a.ts': 2 })).toEqual([]);
    expect(problems(1, {})).toEqual(['a.ts:0: fault']);
    expect(problems(3, { 'a.ts': 2 })).toHaveLength(4);
  });

  it('must be lowered when a file has fewer faults', () => {
    expect(problems(1, { 'a.ts': 2 })[0]).toContain('list allows 2 for a.ts, which has 1.');
    expect(findCountProblems({}, { 'gone.ts': 2 }, 'list')[0]).toContain('which has 0.');
  });

  it('are lowered, never raised', () => {
    const lowered = lowerCounts(
      { 'a.ts': 3, 'b.ts': 1, 'new.ts': 1 },
      { 'a.ts': 2, 'b.ts': 4, 'c.ts': 1 },
      () => true,
    );
    expect(lowered).toEqual({ 'a.ts': 2, 'b.ts': 1 });
  });

  it('move with a file that is moved or split, without growing', () => {
    const exists = file => file !== 'old.ts';
    expect(lowerCounts({ 'x.ts': 1, 'y.ts': 2 }, { 'old.ts': 3 }, exists)).toEqual({ 'x.ts': 1, 'y.ts': 2 });
    expect(lowerCounts({ 'x.ts': 2, 'y.ts': 2 }, { 'old.ts': 3 }, exists)).toEqual({ 'x.ts': 2 });
  });
});
