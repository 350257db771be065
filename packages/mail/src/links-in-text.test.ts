import { expect, test } from 'vitest';
import { splitLinks } from './links-in-text.ts';

test('links are found and lose the punctuation of the sentence', () => {
  expect(splitLinks('See https://a.example/x?y=1, or (http://b.example/z).')).toEqual([
    { text: 'See ' },
    { text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
    { text: ', or (' },
    { text: 'http://b.example/z', href: 'http://b.example/z' },
    { text: ').' },
  ]);
});

test('brackets that belong to a link stay', () => {
  expect(splitLinks('https://w.example/Key_(mail)')[0]?.href).toBe('https://w.example/Key_(mail)');
});

test('other schemes are plain text', () => {
  expect(splitLinks('javascript:alert(1) ftp://x')).toEqual([{ text: 'javascript:alert(1) ftp://x' }]);
});

test('a long hostile line is cut in one pass', () => {
  const started = performance.now();
  splitLinks('http://'.repeat(20_000));
  splitLinks(`https://a.example/${')'.repeat(20_000)}`);
  expect(performance.now() - started).toBeLessThan(2_000);
});
