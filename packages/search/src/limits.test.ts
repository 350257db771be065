// Pins the limits of the index. The limits on words and fields decide which terms a message has,
// and the segments of all devices must agree on them, so changing one is a new format.
import { expect, test } from 'vitest';
import * as limits from './limits.ts';

test('the limits of the index have their expected values', () => {
  expect({ ...limits }).toEqual({
    WORD_MAX_CHARACTERS: 40,
    JOINED_MAX_PARTS: 8,
    JOINED_MAX_CHARACTERS: 100,
    FIELD_MAX_TERMS: 30_000,
    FIELD_MAX_CHARACTERS: 400_000,
    SEGMENT_MAX_DOCS: 16_384,
    MERGE_FACTOR: 8,
    SMALL_SEGMENT_DOCS: 256,
    BLOCK_TERMS: 16,
    QUERY_MAX_CHARACTERS: 1_000,
    QUERY_MAX_CONDITIONS: 24,
    QUERY_MAX_DEPTH: 8,
  });
});
