// Writes content lines (RFC 5545 section 3.1): escaped, in UTF-8, folded at 75 bytes, ended with
// CRLF. No value can start a line or a parameter of its own. Callers decide what the lines say.
import { utf8 } from '../bytes.ts';

const FOLD_BYTES = 75;

/** Escapes a TEXT value. */
export const escapeText = (text: string): string =>
  text
    .replace(/\r\n|\r/g, '\n')
    .replace(/[\\;,]/g, found => `\\${found}`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be written
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ')
    .replaceAll('\n', '\\n');

/**
 * Returns a parameter value without quotes and control characters, which have no form that every
 * program reads.
 */
function parameterValue(text: string): string {
  const clean = text.replace(/"/g, "'").replace(/\p{Cc}+/gu, ' ');
  return /^[A-Za-z0-9._-]*$/.test(clean) ? clean : `"${clean}"`;
}

function fold(line: string): string {
  if (utf8(line).length <= FOLD_BYTES) return `${line}\r\n`;
  let out = '';
  let bytes = 0;
  for (const character of line) {
    const size = utf8(character).length;
    if (bytes + size > FOLD_BYTES) {
      out += '\r\n ';
      bytes = 1;
    }
    out += character;
    bytes += size;
  }
  return `${out}\r\n`;
}

export type Parameters = Readonly<Record<string, string | null | undefined>>;

/**
 * Returns one line with the value as given except for line breaks: dates, addresses, keywords of
 * the standard.
 */
export function formatLine(name: string, value: string, parameters: Parameters = {}): string {
  const given = Object.entries(parameters)
    .flatMap(([key, text]) =>
      text === null || text === undefined || text === '' ? [] : [`;${key}=${parameterValue(text)}`],
    )
    .join('');
  return fold(`${name}${given}:${value.replace(/\p{Cc}+/gu, ' ')}`);
}

/** Returns one line with human-readable text, or nothing when the text is blank. */
export const formatTextLine = (name: string, text: string): string =>
  text.trim() === '' ? '' : fold(`${name}:${escapeText(text)}`);

/** `20260301T100000Z`. */
export const formatInstant = (instant: Date): string =>
  `${instant.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/** Returns a calendar around components that are already written. */
export const formatCalendar = (method: string, components: readonly string[]): string =>
  [
    'BEGIN:VCALENDAR\r\n',
    'VERSION:2.0\r\n',
    'PRODID:-//Keyfold//Keyfold//EN\r\n',
    'CALSCALE:GREGORIAN\r\n',
    formatLine('METHOD', method),
    ...components,
    'END:VCALENDAR\r\n',
  ].join('');
