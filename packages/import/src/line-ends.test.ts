import { expect, test } from 'vitest';
import { toMailLines } from './line-ends.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (given: Uint8Array) => new TextDecoder().decode(given);

test('bare line ends become CRLF, correct ones stay, and correct text is not copied', () => {
  expect(text(toMailLines(bytes('A: 1\nB: 2\r\n\nx\ny')))).toBe('A: 1\r\nB: 2\r\n\r\nx\r\ny');
  const right = bytes('A: 1\r\n\r\nx\r\n');
  expect(toMailLines(right)).toBe(right);
});

test('removes one quote sign before From in a body, as in mboxrd', () => {
  const quoted = 'A: 1\n\n>From me\n>>From him\n> From\nFrom x\n';
  expect(text(toMailLines(bytes(quoted), true))).toBe(
    'A: 1\r\n\r\nFrom me\r\n>From him\r\n> From\r\nFrom x\r\n',
  );
  expect(text(toMailLines(bytes(quoted)))).toContain('>From me\r\n>>From him');
  expect(text(toMailLines(bytes('>From x\nA: 1\n\n'), true))).toBe('A: 1\r\n\r\n');
});
