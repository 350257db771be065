import { expect, test } from 'vitest';
import { joinHtml, joinText, quoteLines, quoteText, splitHtml } from './message-body.ts';

const quote = {
  html: '<div>On Monday, Bob wrote:</div><blockquote type="cite"><div>one<br>two</div></blockquote>',
  text: 'On Monday, Bob wrote:\n> one\n> two',
};

test('a message with a quote splits into the parts that it was joined from', () => {
  const html = joinHtml('<p>Yes</p>', quote);
  expect(splitHtml(`${html}\n`)).toEqual({ html: '<p>Yes</p>', quote });
  expect(splitHtml('<p>No quote</p>')).toEqual({ html: '<p>No quote</p>', quote: null });
});

test('a quote that contains another quote stays whole', () => {
  const nested = {
    html: `<div>head</div><blockquote type="cite">${joinHtml('<p>a</p>', quote)}</blockquote>`,
    text: '',
  };
  expect(splitHtml(joinHtml('<p>b</p>', nested)).quote?.html).toBe(nested.html);
});

test('plain text is quoted line by line below a line that names the author', () => {
  expect(quoteLines('a\n\n> b\n')).toBe('> a\n>\n>> b');
  expect(quoteText(quote.html)).toBe(quote.text);
  expect(joinText('Yes\n', quote)).toBe(`Yes\n\n${quote.text}`);
});
