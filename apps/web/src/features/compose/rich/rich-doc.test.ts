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

test('escapes text and nests marks in order', () => {
  expect(writeHtml(line(text('<b>&"', 'bold', 'italic')))).toBe(
    '<p dir="auto" style="margin:0"><strong><em>&lt;b&gt;&amp;&quot;</em></strong></p>',
  );
  expect(writeHtml(line())).toBe('<p dir="auto" style="margin:0"><br></p>');
});

test('omits unknown nodes and hostile attributes', () => {
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

test('plain text keeps lists, quotes, links and images readable', () => {
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

const cell = (words: string, attrs: RichNode['attrs'] = {}, type = 'tableCell'): RichNode => ({
  type,
  attrs: { colspan: 1, rowspan: 1, colwidth: null, align: null, ...attrs },
  content: [line(...(words === '' ? [] : [text(words)]))],
});
const table = (...rows: RichNode[][]): RichNode => ({
  type: 'table',
  content: rows.map(content => ({ type: 'tableRow', content })),
});

test('writes a table with inline borders, spans and alignment', () => {
  const html = writeHtml(
    table(
      [cell('Name', {}, 'tableHeader'), cell('Sum', { colspan: 2, align: 'right' })],
      [cell('A"<', { rowspan: 2 }), cell('')],
    ),
  );
  const style = ' dir="auto" style="border:1px solid silver;padding:3px 7px;vertical-align:top"';
  expect(html).toBe(
    '<table border="1" cellspacing="0" style="border-collapse:collapse">' +
      `<tr><th${style}>Name</th><td colspan="2" align="right"${style}>Sum</td></tr>` +
      `<tr><td rowspan="2"${style}>A&quot;&lt;</td><td${style}><br></td></tr></table>`,
  );
  const hostile = cell('x', { colspan: '"><script>', align: '"onclick' });
  expect(writeHtml(table([hostile]))).not.toMatch(/script|onclick/);
  expect(hasFormatting(doc(table([cell('a')])))).toBe(true);
});

test('plain text shows a table in columns, or with tabs when it is too wide for a line', () => {
  const small = table(
    [cell('A1'), cell('Apples'), cell('12', { align: 'right' })],
    [cell('A20'), cell('東京'), cell('3', { align: 'right' })],
  );
  expect(writeText(doc(small))).toBe('A1   Apples  12\nA20  東京     3');
  const merged = table(
    [cell('Fruit', { colspan: 2 }), cell('Sum')],
    [cell('red', { rowspan: 2 }), cell('apple'), cell('1')],
    [cell('cherry'), cell('2')],
  );
  expect(writeText(doc(merged))).toBe('Fruit        Sum\nred  apple   1\n     cherry  2');
  const long = 'long '.repeat(20).trim();
  expect(
    writeText(doc(table([cell(long), cell('b')], [cell('c', { rowspan: 2 }), cell('d')], [cell('e')]))),
  ).toBe(`${long}\tb\nc\td\n\te`);
});

test('a link whose text is its address is written once', () => {
  const link = {
    type: 'text',
    text: 'a.example',
    marks: [{ type: 'link', attrs: { href: 'https://a.example/' } }],
  };
  expect(writeText(doc(line(link)))).toBe('a.example');
});

test('links lead only to the web or to mail addresses', () => {
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

test('plain text becomes one paragraph per line', () => {
  expect(htmlOfText('a <b>\n\nc')).toBe('<p>a &lt;b&gt;</p><p><br></p><p>c</p>');
});
