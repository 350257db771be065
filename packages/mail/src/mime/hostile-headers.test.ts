// Header fields that try to cost the reader time quadratic in their length, to hide from one reader
// what another sees, or to pass for a reference to a sealed file. parse.test.ts covers whole
// messages made to exhaust the parser.

import { expect, test } from 'vitest';
import { parseAddressList } from '../addresses.ts';
import { utf8 } from '../bytes.ts';
import { listExternal } from './external.ts';
import { readHeaders } from './headers.ts';
import { neutralizeReferences } from './inert.ts';
import { parseMessage } from './parse.ts';
import { summarize } from './summary.ts';

const LENGTH = 600_000;
// Linear work takes a tenth of this, quadratic work takes minutes.
const LIMIT_MS = 30_000;

const fields: Record<string, string> = {
  'blanks inside a value': `Subject: a${' '.repeat(LENGTH)}b`,
  'blanks inside a name': `A${' '.repeat(LENGTH)}B: x`,
  'lines of nothing': `Subject: a${'\r\n '.repeat(LENGTH / 3)}b`,
  'commas in a source route': `To: <${' '.repeat(LENGTH / 2)}@${','.repeat(LENGTH / 2)}`,
  'colons after an address': `To: ${'a'.repeat(LENGTH / 2)}@${':'.repeat(LENGTH / 2)}`,
  'stars in a character set': `Content-Type: text/plain; charset*=utf-8''${'*'.repeat(LENGTH)}%0Aa`,
};

for (const [name, field] of Object.entries(fields))
  test(`${name} are read in linear time`, async () => {
    const raw = utf8(`From: a@example.org\r\n${field}\r\n\r\ntext \u00e4`);
    const startedAt = performance.now();
    for (const { value } of readHeaders(raw)) parseAddressList(value);
    await parseMessage(raw);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
  });

const bodies: Record<string, string> = {
  'joiners without end': `Content-Type: text/plain; charset=utf-8\r\n\r\na${'\u200d'.repeat(190_000)}b`,
  'classes in one tag': `Content-Type: text/html\r\n\r\n<div ${'class=a '.repeat(24_000)}>a</div>`,
};

for (const [name, message] of Object.entries(bodies))
  test(`a summary of ${name} takes linear time`, async () => {
    const startedAt = performance.now();
    await summarize(utf8(`From: a@example.org\r\n${message}`), '2026-01-01T00:00:00Z');
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
  });

test('a byte order mark before a field name makes no field', () => {
  const raw = utf8('Subject: x\r\n\ufeffFrom: boss@bank.example\r\nFrom: a@example.org\r\n\r\n');
  expect(readHeaders(raw).filter(({ key }) => key === 'from')).toHaveLength(1);
});

const reference = (start: string, rest = ' access-type="x-keyfold";') =>
  utf8(
    'From: a@example.org\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\n' +
      `${start}message/external-body;${rest} id="some-id"; size=5; key="${'A'.repeat(43)}="\r\n\r\n` +
      'Content-Type: application/pdf\r\n\r\n\r\n--q--\r\n',
  );

test.for([
  ['Content-Type: '],
  ['content-type : '],
  [' Content-Type: '],
  ['\tContent-Type: '],
  ['\ufeffContent-Type: '],
  ['Content-Type:\r\n '],
  ['Content-Type: ', '\raccess-type="x-keyfold";'],
])('a foreign message cannot imitate a reference: %j', ([start = '', rest]) => {
  expect(listExternal(neutralizeReferences(reference(start, rest)))).toEqual([]);
});

test('a genuine reference is still recognized', () => {
  expect(listExternal(reference('Content-Type: '))).toHaveLength(1);
});

test('the author is the From entry with an address, the one that servers check', async () => {
  const raw = utf8('From: Bank, Your <a@example.org>\r\n\r\nx');
  expect((await parseMessage(raw)).from).toEqual({ name: 'Your', address: 'a@example.org' });
});

const at = '2026-01-01T00:00:00.000Z';
/** Maximum size of a summary before sealing: calls accept no larger one. */
const SUMMARY_MAX_BYTES = 90_000;

test.each<[string, string]>([
  ['a name of a megabyte', `From: "${'n'.repeat(1_000_000)}" <ann@sender.example>\r\nTo: bo@reader.example`],
  [
    'many people with long names',
    `From: ann@sender.example\r\n${['To', 'Cc'].map(key => `${key}: ${Array.from({ length: 80 }, (_, one) => `"${'\u6f22'.repeat(3_000)}" <p${one}@reader.example>`).join(',\r\n ')}`).join('\r\n')}`,
  ],
  ['names of characters in two halves', `From: "${'\u{1f600}'.repeat(5_000)}" <ann@sender.example>`],
  [
    'long addresses',
    `From: ann@sender.example\r\nTo: ${Array.from({ length: 50 }, (_, one) => `${'\u6f22'.repeat(900)}${one}@reader.example`).join(', ')}`,
  ],
])('a summary stays small despite %s', async (_, headers) => {
  const summary = await summarize(utf8(`${headers}\r\nSubject: Hello\r\n\r\nHello\r\n`), at);
  expect(utf8(JSON.stringify(summary)).length).toBeLessThan(SUMMARY_MAX_BYTES);
  expect(summary.from.address).toBe('ann@sender.example');
  expect(JSON.stringify(summary)).not.toContain('\\ud83d');
});

test('an overlong address is dropped, never truncated', async () => {
  for (const tail of ['', '.other.example'.repeat(100)]) {
    const { from, to } = await summarize(
      utf8(`From: ann@bank.example${tail}\r\nTo: bo@bank.example${tail}\r\n\r\nHello\r\n`),
      at,
    );
    expect([from.address, to.length]).toEqual(tail === '' ? ['ann@bank.example', 1] : ['', 0]);
  }
});

test('ordinary mail keeps every name', async () => {
  const people = Array.from(
    { length: 50 },
    (_, one) => `"Person Number ${one}, Department" <p${one}@reader.example>`,
  );
  const { to } = await summarize(
    utf8(`From: a@b.example\r\nTo: ${people.join(',\r\n ')}\r\n\r\nHello\r\n`),
    at,
  );
  expect(to.length).toBe(50);
  expect(to[49]).toEqual({ name: 'Person Number 49, Department', address: 'p49@reader.example' });
});
