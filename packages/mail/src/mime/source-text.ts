// The source of a message as text to look at. Each part is in a character set of its own, and so are raw bytes in the header.

import { decodeText, findCleanUtf8 } from './charsets.ts';

const NEWLINE = 0x0a;
const HYPHEN = 0x2d;
/** Parts that are told apart; the rest is read as one. */
const SECTIONS_MAX = 1_000;
/** Bytes of a part, or of the message, in which its character set is looked for. */
const HEAD_BYTES = 8_192;

/** The pieces between lines that begin as boundaries do. */
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

/** The character set that is named first, or null. */
function findLabel(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES));
  return /\bcharset\*?\s*=\s*["']*([\w.:()-]{2,40})/i.exec(head)?.[1] ?? null;
}

/** The text. Never fails. */
export function sourceText(bytes: Uint8Array): string {
  const whole = findCleanUtf8(bytes);
  if (whole !== null) return whole;
  const sections = sectionsOf(bytes);
  const labels = sections.map(findLabel);
  const first = labels.find(label => label !== null) ?? null;
  return sections
    .map((section, index) => {
      const isRaw = section.some(byte => byte >= 0x80);
      // What is in plain letters alone is shown as it stands.
      return isRaw ? decodeText(section, labels[index], first) : decodeText(section);
    })
    .join('');
}
