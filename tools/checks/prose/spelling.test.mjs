import { describe, expect, it } from 'vitest';
import { findDictionaryProblems, findUnknownWords, listWords } from './spelling.mjs';
import { readProse } from './texts.mjs';

const unknownIn = async (file, source) => [
  ...(await findUnknownWords([...listWords(readProse(file, source)).keys()])).values(),
];

describe('the spelling check', () => {
  it.each([
    ['a comment', 'a.ts', '// a mispelled word', ['mispelled']],
    ['a text', 'a.ts', "fail('a mispelled word');", ['mispelled']],
    ['a part of a declared name', 'a.ts', 'const hasMispelledName = true;', ['Mispelled']],
    ['a name in a type', 'a.ts', 'type Box = { mispelled: string };', ['mispelled']],
    ['a document', 'a.md', 'One mispelled word.', ['mispelled']],
    ['a British spelling', 'a.md', 'Much vapour.', ['vapour']],
    ['no name of another program', 'a.ts', "import { mispelled } from 'a'; mispelled('mispelled');", []],
    ['no word of another language', 'a.md', 'Grüße, 你好', []],
    ['no word of the dictionary', 'a.md', "Keyfold and Keyfold's", []],
    ['no spelling that “plain English” counts', 'a.md', 'An organisation of colours.', []],
  ])('finds %s', async (_what, file, source, words) => {
    expect(await unknownIn(file, source)).toEqual(words);
  });

  it('reports the first position of a word', () => {
    expect(listWords([{ kind: 'comment', start: 10, text: 'one word, one word' }]).get('word')).toBe(14);
  });

  it('keeps the dictionary sorted and without duplicates', () => {
    expect(findDictionaryProblems('alpha\nbeta\n')).toEqual([]);
    expect(findDictionaryProblems('beta\nalpha\n')[0]).toContain('tools/dictionary.txt:1: not sorted');
    expect(findDictionaryProblems('alpha\nalpha\nbeta\n')[0]).toContain('tools/dictionary.txt:2: not sorted');
  });
});
