import { parseAnswer, rowsOf } from '@keyfold/contract/rows';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { requireWhole } from './whole-list.ts';

test('a list received without its bad rows cannot be saved back', () => {
  const parsed = parseAnswer(rowsOf(z.string()), ['a', 7]);
  if ('error' in parsed) throw parsed.error;
  expect(() => requireWhole(['a'], parsed.data)).toThrow('nothing was changed');
  expect(() => requireWhole(['a'], [])).not.toThrow();
});
