// Pictures of a quoted message, and that no attribute value becomes markup, even where browsers
// serialize its characters unescaped.
import { expect, test } from 'vitest';
import { fitForQuote } from './quote-tags.ts';

test('removes style sheets and blocked images, and points inline images to their Content-ID', () => {
  const clean =
    '<style>p{color:red}</style><div class="mail-body"><p style="color:red">a &lt; b</p>' +
    '<img alt="x" data-blocked="remote"><img src="blob:cid/a%40b" alt="1"></div>';
  expect(fitForQuote(clean)).toBe(
    '<div class="mail-body"><p style="color:red">a &lt; b</p><img src="cid:a@b" alt="1"></div>',
  );
});

test.each([
  '<img alt=" data-blocked=><img src=x onerror=alert(1)>" src="data:image/png;base64,AA==">',
  '<b title="<img alt="><b title=" data-blocked=>"><i></i>',
  '<a title="<img data-blocked=x>" href="https://x.test">x</a>',
  '<img alt=" src=&quot;blob:cid/x" title="><script>">',
])('does not cut off an attribute value: %s', clean => {
  expect(fitForQuote(clean)).toBe(clean);
});

test('a Content-ID cannot end its attribute', () => {
  expect(fitForQuote('<img src="blob:cid/%22%3E%3Cscript%3E">')).toBe(
    '<img src="cid:&quot;&gt;&lt;script&gt;">',
  );
});

test('handles large and malformed input quickly', () => {
  const startedAt = performance.now();
  for (const piece of ['<img alt="x" data-blocked="remote">', '<p title="<img >">x</p>', '"'])
    fitForQuote(piece.repeat(20_000));
  for (const piece of ['<', '<a "', '<img data-blocked=']) fitForQuote(piece.repeat(1_000));
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
