// Recovery extraction (docs/spec-map.md 4.11): when a message cannot be parsed, or parsing gave
// neither text nor HTML, searches the raw characters for anything that reads as a text part.
// Lenient by design, and therefore never used first. Limits are characters of the raw string
// (docs/spec-map.md 9.21; docs/interpretations.md#27).

import { bytesOfLatin1 } from '../bytes.ts';
import { RECOVERY_MAX_PART_CHARACTERS, RECOVERY_MAX_RAW_CHARACTERS } from '../limits.ts';
import { decodeText } from './charsets.ts';
import { unfold } from './headers.ts';
import { htmlToText } from './html-text.ts';
import { parseStructured } from './parameters.ts';
import { decodeTransfer } from './transfer.ts';

/**
 * Shown in place of an unreadable message; the specification fixes the words. docs/spec-map.md
 * 4.11.
 */
export const UNREADABLE_TEXT = '(Email content could not be processed)';

/** Content found by recovery; a missing field was not present. */
export type RecoveredContent = {
  text: string | null;
  html: string | null;
};

const HEADER_LINE = /^[A-Za-z][A-Za-z0-9-]{1,60}[ \t]*:/;
// Longer folded fields are truncated: unbounded appending would be quadratic.
const FIELD_MAX_CHARACTERS = 16_384;
const MAX_SECTIONS = 2_000;

type Section = {
  headers: Map<string, string>;
  body: string;
};

// A section may begin with stray blank lines, and its header block may lack the terminating blank
// line.
function readSection(chunk: string): Section {
  const headers = new Map<string, string>();
  const lead = /^(?:[ \t]*\r?\n)*/.exec(chunk)?.[0].length ?? 0;
  let position = lead;
  let key = '';
  while (position < chunk.length) {
    const found = chunk.indexOf('\n', position);
    const end = found < 0 ? chunk.length : found + 1;
    const line = chunk.slice(position, Math.min(end, position + 8_192));
    if (!line.trim()) {
      position = end;
      break;
    }
    if (/^[ \t]/.test(line) && key) {
      const value = headers.get(key) ?? '';
      if (value.length < FIELD_MAX_CHARACTERS) headers.set(key, `${value} ${line.trim()}`);
    } else if (HEADER_LINE.test(line)) {
      key = line.slice(0, line.indexOf(':')).trim().toLowerCase();
      if (!headers.has(key)) headers.set(key, unfold(line.slice(line.indexOf(':') + 1)));
    } else break;
    position = end;
  }
  return headers.size ? { headers, body: chunk.slice(position) } : { headers, body: chunk.slice(lead) };
}

function decodeSection(section: Section): string {
  const type = parseStructured(section.headers.get('content-type') ?? '');
  // The characters come from a 1:1 view of the bytes; windows-1252 characters above 0xff are
  // already lost to damage.
  const bytes = decodeTransfer(
    bytesOfLatin1(section.body),
    section.headers.get('content-transfer-encoding') ?? '',
  );
  return decodeText(bytes, type.params.get('charset'));
}

// Mostly unprintable text is a file that lost its headers, not prose.
function isReadable(text: string): boolean {
  const sample = text.slice(0, 4_000);
  const strange = sample.match(/(?!\s)[\p{Cc}\ufffd]/gu)?.length ?? 0;
  const longest = sample.split(/\s+/).reduce((length, word) => Math.max(length, word.length), 0);
  const isBase64 = longest >= 60 && /^[A-Za-z0-9+/=\s]+$/.test(sample.trim());
  return sample.trim().length > 0 && strange * 10 < sample.length && !isBase64;
}

/**
 * Returns the readable parts of a raw message, or null when it is too long or nothing in it reads
 * as text. Never fails. `fileTypes` are the types of files that were already read: a message that
 * consists only of a calendar or a card is not damaged text.
 */
export function recoverContent(
  raw: string,
  fileTypes: ReadonlySet<string> = new Set(),
): RecoveredContent | null {
  if (raw.length > RECOVERY_MAX_RAW_CHARACTERS) return null;
  // Any line that looks like a delimiter counts: the declared boundary may be the damaged part.
  const chunks = raw.split(/(?:^|\r?\n)--[^\s-][^\r\n]{0,200}(?=\r?\n|$)/, MAX_SECTIONS);
  const texts: string[] = [];
  let html: string | null = null;
  chunks.forEach((chunk, index) => {
    if (chunk.length > RECOVERY_MAX_PART_CHARACTERS) return;
    const section = readSection(chunk);
    const type = parseStructured(section.headers.get('content-type') ?? '').value;
    const disposition = parseStructured(section.headers.get('content-disposition') ?? '').value;
    if (disposition === 'attachment' || (type && !type.startsWith('text/') && !type.startsWith('multipart/')))
      return;
    if (fileTypes.has(type) && type !== 'text/plain' && type !== 'text/html') return;
    // Text between the message header and the first part, or in parts without any header, is not
    // content.
    if (
      chunks.length > 1 &&
      (index === 0 || section.headers.size === 0) &&
      type !== 'text/plain' &&
      type !== 'text/html'
    )
      return;
    const text = decodeSection(section);
    if (!isReadable(text)) return;
    if (type === 'text/html' || (type === '' && /<(?:html|body|div|p|table)\b/i.test(text.slice(0, 2_000)))) {
      html ??= text;
    } else if (text.trim() !== UNREADABLE_TEXT) texts.push(text.trim());
  });
  if (!texts.length && html === null) return null;
  return { text: texts.join('\n\n') || htmlToText(html ?? '') || null, html };
}
