import { expect, test } from 'vitest';
import { utf8 } from '../bytes.ts';
import { joinFlowedLines } from './flowed.ts';
import { parseMessage } from './parse.ts';
import { summarize } from './summary.ts';

const message = (params: string, body: string, head = '') =>
  utf8(
    `From: Ines <ines@a.example>\r\nSubject: x\r\n${head}Content-Type: text/plain; charset=utf-8${params}\r\n\r\n${body}`,
  );

test.each([
  [
    'written lines',
    'One paragraph that was \r\nbroken.\r\nAnother.',
    'One paragraph that was broken.\nAnother.',
  ],
  ['quoted lines', '> Shall we go \n> to the lake?\nYes.', '> Shall we go to the lake?\nYes.'],
  ['lines without a blank after the mark', '>Shall we go \n>to the lake?', '> Shall we go to the lake?'],
  ['older quotations', '>> Shall \n>> we?\n> Not \n> today.', '>> Shall we?\n> Not today.'],
  [
    'lines of another depth apart',
    '> Shall we \n>> earlier words\nYes ',
    '> Shall we\n>> earlier words\nYes ',
  ],
  ['stuffed lines', ' From here on\n  indented\n >no quotation', 'From here on\n indented\n >no quotation'],
  ['stuffed lines that go on', 'See \n >this', 'See >this'],
  ['the signature', 'Until then \n-- \nInes \nPorto', 'Until then \n-- \nInes Porto'],
  ['a quoted signature', '> Until then \n> -- \n> Ines', '> Until then\n> -- \n> Ines'],
  ['empty lines', 'One \n\ntwo\n> \n>\n> three', 'One \ntwo\n>\n>\n> three'],
  ['blank lines', 'One\n  \ntwo', 'One\n \ntwo'],
])('joins %s', (_, raw, joined) => {
  expect(joinFlowedLines(raw, false)).toBe(joined);
});

test('DelSp removes the trailing blank', () => {
  expect(joinFlowedLines('これは長い \n文章です。\n> 引用 \n> です', true)).toBe(
    'これは長い文章です。\n> 引用です',
  );
  expect(joinFlowedLines('two  \nwords\n-- \nInes', true)).toBe('two words\n-- \nInes');
});

test('a flowed message is joined in its text and its summary', async () => {
  const raw = message(
    '; format=flowed',
    '> quoted text that was also \r\n> flowed\r\n From here it is \r\nstuffed\r\n-- \r\nAnna \r\nStreet 1\r\n',
  );
  expect((await parseMessage(raw)).text).toBe(
    '> quoted text that was also flowed\nFrom here it is stuffed\n-- \nAnna Street 1\n',
  );
  expect((await summarize(raw, '2026-03-03T10:00:00Z')).snippet).toBe('From here it is stuffed');
  const japanese = message('; FORMAT="Flowed"; DelSp=YES', '明日は \r\n晴れ\r\n');
  expect((await parseMessage(japanese)).text).toBe('明日は晴れ\n');
  expect((await summarize(japanese, '2026-03-03T10:00:00Z')).snippet).toBe('明日は晴れ');
});

test('encoded text, and text beside other parts, is joined, too', async () => {
  const encoded = message(
    '; format=flowed; delsp=yes',
    'Gr=C3=BC=C3=9Fe aus=20=20\r\nPorto\r\n',
    'Content-Transfer-Encoding: quoted-printable\r\n',
  );
  expect((await parseMessage(encoded)).text).toBe('Grüße aus Porto\n');
  const mixed = utf8(
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; format=flowed\r\n\r\n' +
      '> one \r\n> two\r\nthree\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>four</p>\r\n--b--\r\n',
  );
  expect((await parseMessage(mixed)).text).toMatch(/^> one two\nthree\n/);
});

test('text without format=flowed keeps its lines', async () => {
  expect((await parseMessage(message('', 'One \r\ntwo\r\n'))).text).toBe('One \ntwo\n');
  expect((await parseMessage(message('; format=fixed', 'One \r\ntwo\r\n'))).text).toBe('One \ntwo\n');
});

test('a long paragraph is joined in one pass', () => {
  const startedAt = performance.now();
  expect(joinFlowedLines('> word \n'.repeat(200_000), false).length).toBeGreaterThan(900_000);
  joinFlowedLines('>'.repeat(1_000_000), false);
  expect(performance.now() - startedAt).toBeLessThan(30_000);
});
