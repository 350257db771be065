import { expect, test } from 'vitest';
import { splitLinks } from './links-in-text.ts';

test('finds links without the punctuation of the sentence', () => {
  expect(splitLinks('See https://a.example/x?y=1, or (http://b.example/z).')).toEqual([
    { text: 'See ' },
    { text: 'https://a.example/x?y=1', href: 'https://a.example/x?y=1' },
    { text: ', or (' },
    { text: 'http://b.example/z', href: 'http://b.example/z' },
    { text: ').' },
  ]);
});

test('keeps brackets that belong to a link', () => {
  expect(splitLinks('https://w.example/Key_(mail)')[0]?.href).toBe('https://w.example/Key_(mail)');
});

test('leaves other schemes as plain text', () => {
  expect(splitLinks('javascript:alert(1) ftp://x')).toEqual([{ text: 'javascript:alert(1) ftp://x' }]);
});

test('splits a long hostile line in one pass', () => {
  const started = performance.now();
  splitLinks('http://'.repeat(20_000));
  splitLinks(`https://a.example/${')'.repeat(20_000)}`);
  expect(performance.now() - started).toBeLessThan(2_000);
});

const linksOf = (text: string) =>
  splitLinks(text).flatMap(part => (part.href === undefined ? [] : [[part.text, part.href]]));

test.each([
  ['www.firma.de/weg', 'See www.firma.de/weg.', 'https://www.firma.de/weg'],
  ['www.boats.example:8080', 'www.boats.example:8080.', 'https://www.boats.example:8080'],
  ['Www.Bücher.example', '(Www.Bücher.example)', 'https://Www.Bücher.example'],
  ['example.com', 'On example.com, today', 'https://example.com'],
  ['example.org/a?b=1#c', '(example.org/a?b=1#c)', 'https://example.org/a?b=1#c'],
  ['ines@a.de', 'Write to ines@a.de!', 'mailto:ines@a.de'],
  ['ines.almeida+x@a-b.org', '<ines.almeida+x@a-b.org>', 'mailto:ines.almeida+x@a-b.org'],
  ['mailto:ines@a.de', 'mailto:ines@a.de,', 'mailto:ines@a.de'],
  ['https://münchen.example/größe', '„https://münchen.example/größe“', 'https://münchen.example/größe'],
  ['https://例え.example/パス', '見て https://例え.example/パス 。', 'https://例え.example/パス'],
  ['http://localhost:8080/x', 'http://localhost:8080/x', 'http://localhost:8080/x'],
  ['http://127.0.0.1/x', 'http://127.0.0.1/x;', 'http://127.0.0.1/x'],
  ['https://a.example/x_(y)', '(https://a.example/x_(y))', 'https://a.example/x_(y)'],
  ['https://a.example/x', '*https://a.example/x*', 'https://a.example/x'],
  ['https://a.example/x', '[https://a.example/x]', 'https://a.example/x'],
  ['https://a.example/x', '"https://a.example/x"', 'https://a.example/x'],
  ['https://a.example/x', 'https://a.example/x...', 'https://a.example/x'],
  ['https://a.example/a,b;c', 'https://a.example/a,b;c, and', 'https://a.example/a,b;c'],
])('%s is found as a link in its sentence', (text, sentence, href) => {
  expect(linksOf(sentence)).toEqual([[text, href]]);
});

test.each([
  String.raw`C:\Users\ines\www.txt`,
  String.raw`C:\Users\example.com\x and D:/example.com/x`,
  String.raw`\\server\share\example.com`,
  '//server/share, //example.com/x',
  'file:///C:/x.com, file://server.example.com/share',
  'and/or, he/she',
  'javascript:alert(1) data:text/html,x vbscript:x',
  'README.md, main.rs, a.sh, done.It is, e.g.this, v1.2.3',
  'Zeile.Nächste, fin.Puis, 10.30',
  'ftp://a.example',
  '@ines wrote #tag',
  'www. is short, www.x too, //www.a.example',
])('%s has no link', text => {
  expect(linksOf(text)).toEqual([]);
});

test('a link ends before invisible characters', () => {
  expect(linksOf('https://a.example/\u202egpj.exe')).toEqual([['https://a.example/', 'https://a.example/']]);
  expect(linksOf('https://a.example/x\u200b\u2066y')).toEqual([
    ['https://a.example/x', 'https://a.example/x'],
  ]);
});

test('the parts add up to the text', () => {
  const text = `${'word '.repeat(5_000)}https://a.example/x\n\n${'x'.repeat(30_000)} www.b.org\nc@d.org`;
  const parts = splitLinks(text);
  expect(parts.map(part => part.text).join('')).toBe(text);
  expect(parts.flatMap(part => part.href ?? [])).toEqual([
    'https://a.example/x',
    'https://www.b.org',
    'mailto:c@d.org',
  ]);
});

test('splits any hostile text in bounded time', () => {
  const started = performance.now();
  for (const word of ['a@', 'a.', 'www.', 'x.com/', '(', 'http://a.example/(', '@a.b ', 'a.com:', '[{("'])
    splitLinks(word.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(10_000);
});
