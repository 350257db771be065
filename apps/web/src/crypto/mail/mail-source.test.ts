import { expect, test } from 'vitest';
import { underSentId } from './mail-source.ts';

const inner = `<${'0a'.repeat(16)}@keyfold.test>`;
const sent = `<${'f1'.repeat(16)}@keyfold.example>`;
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (raw: Uint8Array) => new TextDecoder().decode(raw);
const message = (id: string) =>
  `Subject: Grüße\r\nMessage-ID: ${id}\r\nTo: b@keyfold.test\r\n\r\nAbout ${inner}\r\n`;

test('a message written by the client gets the id it was sent with and is otherwise unchanged', () => {
  expect(text(underSentId(bytes(message(inner)), sent))).toBe(message(sent));
  const folded = bytes(message(`\r\n ${inner}`));
  expect(text(underSentId(folded, sent))).toBe(message(`\r\n ${sent}`));
});

test.each([
  ['known by its own', message(inner), inner],
  ['of another program', message('<1@outside.test>'), sent],
  ['named by an import', message(inner), '<1@import.invalid>'],
  ['never sent', message(inner), ''],
  ['without one', 'Subject: x\r\n\r\nMessage-ID: <1@x.test>\r\n', sent],
])('mail %s stays byte for byte', (_, source, id) => {
  const raw = bytes(source);
  expect(underSentId(raw, id)).toBe(raw);
});
