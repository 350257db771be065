// Message source as text for display. Each part has its own character set, and so do raw bytes in
// the header.

import { decodeText, findCleanUtf8 } from './charsets.ts';

const NEWLINE = 0x0a;
const HYPHEN = 0x2d;
/** Maximum number of parts kept separate; the rest is read as one. */
const SECTIONS_MAX = 1_000;
/** Number of bytes of a part, or of the message, searched for its character set. */
const HEAD_BYTES = 8_192;

/** Returns the pieces between lines that begin like boundaries. */
function sectionsOf(bytes: Uint8Array): Uint8Array[] {
  const sections: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, end + 1)) {
    if (bytes[end + 1] !== HYPHEN || bytes[end + 2] !== HYPHEN) continue;
    if (sections.length === SECTIONS_MAX) break;
    sections.push(bytes.subarray(start, end + 1));
    start = end + 1;
  }
  return [...sections, bytes.subarray(start)];
}

/** Returns the first named character set, or null. */
function findLabel(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES));
  return /\bcharset\*?\s*=\s*["']*([\w.:()-]{2,40})/i.exec(head)?.[1] ?? null;
}

/** Returns the source as text. Never fails. */
export function sourceText(bytes: Uint8Array): string {
  const whole = findCleanUtf8(bytes);
  if (whole !== null) return whole;
  const sections = sectionsOf(bytes);
  const labels = sections.map(findLabel);
  const first = labels.find(label => label !== null) ?? null;
  return sections
    .map((section, index) => {
      const isRaw = section.some(byte => byte >= 0x80);
      // Pure ASCII sections are shown unchanged.
      return isRaw ? decodeText(section, labels[index], first) : decodeText(section);
    })
    .join('');
}
