import { expect, test } from 'vitest';
import { INVISIBLE, INVISIBLE_ALONE, SHAPING } from './invisible.ts';

const alone = '\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u202e\u2060\u2066\u3164\ufeff\uffa0\u{e0061}';
const shaping = '\u200c\u200d\ufe0f\u{e0101}';

test('invisible characters are removed, and those that shape their neighbors can be spared', () => {
  expect(`a${alone}${shaping}b`.replace(INVISIBLE, '')).toBe('ab');
  expect(`a${alone}${shaping}b`.replace(INVISIBLE_ALONE, '')).toBe(`a${shaping}b`);
  expect(`a${shaping}b`.replace(SHAPING, '')).toBe('ab');
});

test('visible characters stay', () => {
  const seen = 'Ä é 東京 עברית \u0301 \u00a0 \u3000 …';
  expect(seen.replace(INVISIBLE, '')).toBe(seen);
});
