import { describe, expect, it } from 'vitest';
import { findSpecProblems, readSpecRows } from './spec-map.mjs';

const exists = file => ['a.ts', 'a.test.ts'].includes(file);
const problemsOf = text => findSpecProblems(readSpecRows(text), exists);
const done = '| 1.01 | Mail is sealed | done | `a.ts` | `a.test.ts` |';

describe('the specification map', () => {
  it('accepts done rows with files and tests, and later rows without', () => {
    expect(
      problemsOf(`| id | statement | status | files | tests |\n${done}\n| 1.02 | Push | later: push | | |`),
    ).toEqual([]);
  });

  it('keeps a bar that is part of a statement', () => {
    expect(readSpecRows('| 9.01 | d\\|\\|z | later | | |')).toMatchObject([
      { statement: 'd\\|\\|z', columns: 5 },
    ]);
  });

  it.each([
    ['an id used twice', `${done}\n${done}`, 'is a duplicate'],
    ['done without a source file', '| 1.01 | x | done | | `a.test.ts` |', 'names no source file'],
    ['done without a test', '| 1.01 | x | done | `a.ts` | |', 'names no test'],
    ['a file that is not there', '| 1.01 | x | part | `gone.ts` | |', 'gone.ts, which does not exist'],
    ['a test that is none', '| 1.01 | x | done | `a.ts` | `a.ts` |', 'as a test, but it is not a test file'],
    ['an unknown status', '| 1.01 | x | perhaps | | |', "the status 'perhaps'"],
    ['a missing column', '| 1.01 | x | later | |', '4 columns'],
    ['an empty document', 'nothing', 'has no rows'],
  ])('refuses %s', (_, text, message) => {
    expect(problemsOf(text).join()).toContain(message);
  });
});
