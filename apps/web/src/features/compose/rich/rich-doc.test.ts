import { expect, test } from 'vitest';
import {
  findLinkTarget,
  hasFormatting,
  htmlOfText,
  type RichNode,
  writeHtml,
  writeText,
} from './rich-doc.ts';

const text = (words: string, ...marks: string[]): RichNode => ({
  type: 'text',
  text: words,
  marks: marks.map(type => ({ type })),
});
const line = (...content: RichNode[]): RichNode => ({ type: 'paragraph', content });
const doc = (...content: RichNode[]): RichNode => ({ type: 'doc', content });

test('text is escaped, and marks nest in their order', () => {
  expect(writeHtml(line(text('<b>&"', 'bold', 'italic')))).toBe(
    '<p dir="auto" style="margin:0"><strong><em>&lt;b&gt;&amp;&quot;</em></strong></p>',
  );
  expect(writeHtml(line())).toBe('<p dir="auto" style="margin:0"><br></p>');
});

test('what the schema does not know is not written', () => {
  expect(writeHtml({ type: 'doc', content: [{ type: 'script', text: 'x' }] })).toBe('x');
  const hostile = {
    type: 'text',
    text: 'a',
    marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }],
  };
  expect(writeHtml(line(hostile))).not.toContain('javascript');
  const picture = { type: 'image', attrs: { cid: 'a" onerror="x', alt: '"><script>' } };
  expect(writeHtml(line(picture))).not.toMatch(/<script|" onerror/);
});

test('plain text keeps lists, quotes, links and pictures readable', () => {
  const link = {
    type: 'text',
    text: 'here',
    marks: [{ type: 'link', attrs: { href: 'https://a.example/x' } }],
  };
  const item = (words: string): RichNode => ({ type: 'listItem', content: [line(text(words))] });
  expect(
    writeText(
      doc(
        line(text('See '), link),
        line(),
        { type: 'bulletList', content: [item('one'), item('two')] },
        { type: 'orderedList', attrs: { start: 3 }, content: [item('three')] },
        {
          type: 'blockquote',
          content: [line(text('said')), { type: 'blockquote', content: [line(text('before'))] }],
        },
        line({ type: 'image', attrs: { cid: 'x', alt: 'cat.png' } }),
        { type: 'signature', content: [line(text('Ana'))] },
      ),
    ),
  ).toBe('See here <https://a.example/x>\n\n- one\n- two\n3. three\n> said\n>> before\n[cat.png]\n-- \nAna');
});

test('a link to what its text says is written once', () => {
  const link = {
    type: 'text',
    text: 'a.example',
    marks: [{ type: 'link', attrs: { href: 'https://a.example/' } }],
  };
  expect(writeText(doc(line(link)))).toBe('a.example');
});

test('links lead to the web and to mail only', () => {
  expect(findLinkTarget('example.com')).toBe('https://example.com/');
  expect(findLinkTarget('example.com:8080/x')).toBe('https://example.com:8080/x');
  expect(findLinkTarget('ana@a.example')).toBe('mailto:ana@a.example');
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', 'word', '', 'ftp://a.example'])
    expect(findLinkTarget(bad)).toBeNull();
});

test('only what plain text would lose counts as formatting', () => {
  expect(hasFormatting(doc(line(text('a')), { type: 'signature', content: [line(text('b'))] }))).toBe(false);
  expect(hasFormatting(doc(line(text('a', 'bold'))))).toBe(true);
  expect(hasFormatting(doc({ type: 'heading', content: [text('a')] }))).toBe(true);
});

test('plain text becomes a paragraph a line', () => {
  expect(htmlOfText('a <b>\n\nc')).toBe('<p>a &lt;b&gt;</p><p><br></p><p>c</p>');
});
