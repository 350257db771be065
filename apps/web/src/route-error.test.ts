import { expect, test } from 'vitest';
import { chunkFailureText } from './RouteError.tsx';

test.each([
  ['missing', /does not have this file/],
  ['timeout', /within two minutes/],
  ['error', /could not be fetched or run/],
] as const)('%s says why, and nothing of a new version', (reason, words) => {
  expect(chunkFailureText(reason)).toMatch(words);
  expect(chunkFailureText(reason)).not.toMatch(/version|ready/i);
});
