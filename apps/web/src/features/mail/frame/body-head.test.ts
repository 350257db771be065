// Long bodies are laid out in pieces: no content is lost, no piece is too long, and content without
// layout cost does not count.
import { expect, test } from 'vitest';
import { headOfHtml, piecesOfText } from './body-head.ts';

test.each([
  ['lines', 'These are words of a long message.\r\n'.repeat(10_000)],
  ['one line of words', 'word '.repeat(100_000)],
  ['one word', 'ä'.repeat(300_000)],
  ['characters of two halves', 'x'.concat('😀'.repeat(150_000))],
  ['blank lines', `${'\n'.repeat(150_000)}end`],
])('splits a text of %s into short pieces without losing anything', (_, text) => {
  const pieces = [...piecesOfText(text, 20_000)];
  expect(pieces.join('')).toBe(text);
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces) {
    expect(piece.length).toBeLessThanOrEqual(20_000);
    expect(piece.isWellFormed()).toBe(true);
  }
});

test('a short text is one piece', () => {
  expect([...piecesOfText('Hello\n', 10)]).toEqual(['Hello\n']);
  expect([...piecesOfText('', 10)]).toEqual(['']);
});

test.each([
  ['many elements', '<p>These are <b>words</b>.</p>\n'.repeat(20_000)],
  ['much text', `<p>${'word '.repeat(200_000)}</p>`],
  ['many empty elements', '<br>'.repeat(100_000)],
  ['one word', `<div>${'x'.repeat(400_000)}</div>`],
])('shows only the beginning of HTML with %s', (_, html) => {
  const head = headOfHtml(html) ?? '';
  expect(html.startsWith(head)).toBe(true);
  expect(head.length).toBeGreaterThan(9_000);
  expect(head.replace(/<[^>]*>/g, '').length).toBeLessThanOrEqual(40_000);
  expect(head.match(/<[a-z]/g)?.length ?? 0).toBeLessThanOrEqual(3_000);
  // The cut is never inside a tag.
  expect(head.lastIndexOf('<')).toBeLessThanOrEqual(head.lastIndexOf('>'));
});

test.each([
  ['a short one', '<p>Hello</p>'],
  ['a picture in it', `<p>Hello</p><img src="data:image/png;base64,${'A'.repeat(2_000_000)}"><p>Bye</p>`],
  ['its styles', `<style>${'.a > b { color: red } '.repeat(10_000)}</style><p>Hello</p>`],
  ['comments', `<!-- ${'a > b <p> '.repeat(20_000)} --><p>Hello</p>`],
  ['attributes', '<td style="padding: 0 0 0 0; margin: 0 0 0 0; color: #000000">x</td>'.repeat(3_000)],
  ['a style that does not end', `<p>x</p><style>${'a{} '.repeat(50_000)}`],
])('does not shorten this HTML: %s', (_, html) => {
  expect(headOfHtml(html)).toBeNull();
});
