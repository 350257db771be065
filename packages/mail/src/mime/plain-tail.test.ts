import { expect, test } from 'vitest';
import { toBase64, utf8 } from '../bytes.ts';
import { parseMessage } from './parse.ts';
import { findPlainTail } from './plain-tail.ts';
import { summarize } from './summary.ts';

const list = '_______________________________________________\r\nLake mailing list\r\nlake@lists.example\r\n';
const lines = (text: string) => toBase64(utf8(text)).replace(/.{76}/g, '$&\r\n');
const message = (type: string, body: string) =>
  utf8(
    `Subject: x\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}`,
  );

test.each(['Grüße!', 'Grüße, wir', 'Grüße an alle. '.repeat(20)])(
  'a list footer below base64 is read as text (%s)',
  async words => {
    for (const footer of [list, `\r\n${list}`, `Regards\r\n${list}`]) {
      const isPadded = lines(words).endsWith('=');
      if (footer.startsWith('Regards') && !isPadded) continue;
      const raw = message('text/plain', `${lines(words)}\r\n${footer}`);
      const { text } = await parseMessage(raw);
      expect(text?.replaceAll('\r\n', '\n').replace(/\n+/g, '\n')).toBe(
        `${words}\n${footer}`.replaceAll('\r\n', '\n').replace(/\n+/g, '\n'),
      );
      expect((await summarize(raw, '2026-03-03T10:00:00Z')).snippet.slice(0, 6)).toBe(words.slice(0, 6));
    }
  },
);

test('a list footer below base64 HTML is text, too', async () => {
  const raw = message('text/html', `${lines('<p>Grüße</p>')}\r\n${list}<b>&`);
  const { html } = await parseMessage(raw);
  expect(html).toContain('<p>Grüße</p>\n<pre>____');
  expect(html).toContain('lake@lists.example');
  expect(html).toContain('&lt;b&gt;&amp;</pre>');
});

test('damaged or split base64 has no footer', () => {
  const long = lines('word '.repeat(100));
  for (const body of [
    long,
    `${long}==\r\n${long}`,
    `${long}\r\n!!\r\n${long}`,
    `Dear Mara,\r\n${long}`,
    '',
    `${lines('x')}\r\n`,
  ])
    expect(findPlainTail(utf8(body), 'base64')).toBe(-1);
  expect(findPlainTail(utf8(list), '7bit')).toBe(-1);
});
