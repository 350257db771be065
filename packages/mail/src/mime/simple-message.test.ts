import { describe, expect, test } from 'vitest';
import { corpusMessages, hasCorpora, NO_CORPORA } from '../../test-support/corpora.ts';
import { utf8 } from '../bytes.ts';
import { parseMessage } from './parse.ts';
import { readSimpleMessage } from './simple-message.ts';
import { makeSummary } from './summary.ts';

const NOW = '2026-11-21T10:00:00.000Z';
async function summaryBoth(raw: Uint8Array) {
  const simple = readSimpleMessage(raw);
  return simple
    ? { simple: makeSummary(simple, NOW), full: makeSummary(await parseMessage(raw), NOW) }
    : null;
}
const head = 'From: Al <al@sender.test>\r\nTo: bob@keyfold.test\r\nSubject: =?utf-8?q?h=C3=A9llo?=\r\n';

test.each([
  ['no type at all', `${head}\r\nHello Bob,\r\n\r\nhow are you?\r\n`],
  [
    'flowed text',
    `${head}Content-Type: text/plain; format=flowed\r\n\r\n> Shall \r\n> we?\r\nYes, \r\nBob\r\n`,
  ],
  ['8-bit text', `${head}Content-Type: text/plain; charset=utf-8\r\n\r\nGrüße\r\n`],
  [
    'quoted-printable',
    `${head}Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe =\r\nan alle\r\n`,
  ],
  [
    'base64 HTML',
    `${head}Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+SGVsbG8gPGI+Qm9iPC9iPjwvcD4=\r\n`,
  ],
  [
    'both kinds',
    `${head}Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nplain words\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>HTML words</p>\r\n--b--\r\n`,
  ],
])('%s is read as by the full parser', async (_, raw) => {
  const both = await summaryBoth(utf8(raw));
  expect(both).not.toBe(null);
  expect(both?.simple).toEqual(both?.full);
  expect(both?.simple.snippet).not.toBe('');
});

test.each([
  ['a file', `${head}Content-Type: application/pdf\r\n\r\nx`],
  ['a text that is a file', `${head}Content-Disposition: attachment\r\n\r\nx`],
  ['an invitation', `${head}Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR`],
  ['several parts', `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--\r\n`],
  ['an unknown encoding', `${head}Content-Transfer-Encoding: x-uuencode\r\n\r\nx`],
  ['nothing', ''],
  ['an empty text', `${head}\r\n \r\n`],
])('%s is left to the full parser', (_, raw) => {
  expect(readSimpleMessage(utf8(raw))).toBe(null);
});

describe.skipIf(!hasCorpora)(`corpora (${NO_CORPORA})`, () => {
  test('summaries of simple messages match those of the full parser', async () => {
    const different: string[] = [];
    let count = 0;
    for (const { path, raw } of corpusMessages()) {
      const both = await summaryBoth(raw);
      if (!both) continue;
      count++;
      if (JSON.stringify(both.simple) !== JSON.stringify(both.full))
        different.push(`${path}\n  ${JSON.stringify(both.simple)}\n  ${JSON.stringify(both.full)}`);
    }
    expect(count).toBeGreaterThan(150);
    expect(different).toEqual([]);
  });
});
