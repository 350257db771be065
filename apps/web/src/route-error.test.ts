import { expect, test } from 'vitest';
import { chunkFailureText } from './RouteError.tsx';

test.each([
  ['missing', /doesn’t have a program file/],
  ['timeout', /within 2 minutes/],
  ['error', /couldn’t be loaded or run/],
] as const)('the text for %s gives the reason and does not mention a new version', (reason, words) => {
  expect(chunkFailureText(reason)).toMatch(words);
  expect(chunkFailureText(reason)).not.toMatch(/version|ready/i);
});
