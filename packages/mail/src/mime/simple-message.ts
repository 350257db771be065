// Fast reader for the most common messages: one text, or the same text as plain and HTML.
// Summaries, made for every incoming message, use it at a tenth of the cost of a full parse.
// Anything not clearly of that form is left to parse.ts. A test holds both to the same result on
// every message of the corpora.

import { textOfPart } from './before-parse.ts';
import { readFlowed } from './flowed.ts';
import { findBodyLabel } from './headers.ts';
import { restoreInert } from './inert.ts';
import { type ParsedMessage, parseHeadersOnly } from './parse.ts';
import { decodeTextBody } from './plain-tail.ts';
import { type MimePart, scanStructure } from './structure.ts';

const ENCODINGS = new Set(['', '7bit', '8bit', 'binary', 'quoted-printable', 'base64']);

function isPlainText(part: MimePart): boolean {
  const { value, params } = part.contentType;
  return (
    (value === 'text/plain' || value === 'text/html') &&
    !params.has('name') &&
    part.disposition.value === '' &&
    !part.children.length &&
    ENCODINGS.has(part.encoding)
  );
}

/** Returns the texts of a simple message, or null for any other. */
function findTexts(root: MimePart): MimePart[] | null {
  if (isPlainText(root)) return [root];
  if (root.contentType.value !== 'multipart/alternative') return null;
  const [plain, html, more] = root.children;
  if (!plain || !html || more || !isPlainText(plain) || !isPlainText(html)) return null;
  return plain.contentType.value === 'text/plain' && html.contentType.value === 'text/html'
    ? [plain, html]
    : null;
}

/**
 * Returns the result of {@link parseMessage} for a simple message, as far as a summary needs it;
 * null for any other.
 */
export function readSimpleMessage(payload: Uint8Array): ParsedMessage | null {
  const raw = restoreInert(payload);
  const { root, truncated } = scanStructure(raw);
  const texts = truncated ? null : findTexts(root);
  if (!texts) return null;
  const message = parseHeadersOnly(raw.subarray(0, root.headersEnd), findBodyLabel(raw));
  for (const part of texts) {
    const body = raw.subarray(part.bodyStart, part.bodyEnd);
    const bytes = decodeTextBody(body, part.encoding, part.contentType.value);
    const text = textOfPart(bytes, part);
    if (part.contentType.value === 'text/html') message.html = text || null;
    else message.text = readFlowed(text, part.contentType) || null;
  }
  // A message that looks empty may be damaged: the full reader handles recovery.
  return message.text?.trim() || message.html?.trim() ? message : null;
}
