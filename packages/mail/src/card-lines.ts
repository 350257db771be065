// Splits a file of vCards into cards and lines lazily, because a file may contain millions of
// either. vcard.ts interprets them.
import { isPropertyLine, isQuotedPrintable } from './card-property.ts';

/** Yields the start and end of each line of a text; lazily, because a file may contain millions. */
export function* lineSpans(text: string): Generator<readonly [start: number, end: number]> {
  let start = 0;
  let lf = text.indexOf('\n');
  let cr = text.indexOf('\r');
  while (start <= text.length) {
    if (lf >= 0 && lf < start) lf = text.indexOf('\n', start);
    if (cr >= 0 && cr < start) cr = text.indexOf('\r', start);
    const end = cr < 0 || (lf >= 0 && lf < cr) ? lf : cr;
    yield [start, end < 0 ? text.length : end];
    if (end < 0) return;
    start = end + (end === cr && lf === cr + 1 ? 2 : 1);
  }
}

/** Longest line that can begin or end a card. */
const BOUNDARY_MAX = 100;
const DEPTH_MAX = 5;

/**
 * Yields each card from its BEGIN on, as stored in the file; text between cards is left out. An
 * unterminated card ends before the next one, and is skipped if it is empty. A card nested in
 * another (AGENT) is part of that card.
 */
export function* cardTexts(text: string): Generator<string> {
  let from: number | null = null;
  let depth = 0;
  let isAgent = false;
  let isEmpty = true;
  for (const [start, end] of lineSpans(text)) {
    if (end === start) continue;
    const word = end - start > BOUNDARY_MAX ? '' : text.slice(start, end).trim().toUpperCase();
    if (/^BEGIN:\s*VCARD$/.test(word)) {
      if (from !== null && isAgent && depth < DEPTH_MAX) depth += 1;
      else {
        if (from !== null && !isEmpty) yield `${text.slice(from, start).trimEnd()}\r\n`;
        from = start;
        depth = 0;
        isEmpty = true;
      }
    } else if (/^END:\s*VCARD$/.test(word) && from !== null) {
      if (depth > 0) depth -= 1;
      else {
        yield `${text.slice(from, end)}\r\n`;
        from = null;
      }
    } else isEmpty = false;
    isAgent = /^(?:[A-Z0-9_-]+\.)?AGENT(?:;[^:]*)?:$/.test(word);
  }
  if (from !== null && !isEmpty) yield `${text.slice(from).trimEnd()}\r\n`;
}

const isBase64 = (line: string): boolean => /^[A-Za-z0-9+/=]+$/.test(line);
const isEncoded = (line: string): boolean => /;(?:ENCODING=)?(?:b|base64)[;:]/i.test(line.slice(0, 500));

/**
 * Returns what may continue after such a first line: a nested card, or a text that was broken
 * without a marker.
 */
function headOf(line: string): 'agent' | 'text' | null {
  if (/^(?:[\w-]{1,200}\.)?AGENT(?:;[^:]*)?:$/i.test(line)) return 'agent';
  return /^(?:[\w-]{1,200}\.)?(?:NOTE|ADR|LABEL)\b/i.test(line) ? 'text' : null;
}

/**
 * Yields the lines of a card, unfolded: at a leading blank on the next line, at a trailing `=` in
 * quoted-printable, where base64 simply continues, and where a text was broken without a marker. A
 * nested card is one line.
 */
export function* unfoldedLines(card: string): Generator<string> {
  let pieces: string[] = [];
  let nested: string[] | null = null;
  let depth = 0;
  let [isSoft, isQuoted, isData] = [false, false, false];
  let head: 'agent' | 'text' | null = null;
  for (const [start, end] of lineSpans(card)) {
    const line = card.slice(start, end);
    if (nested !== null) {
      nested.push(line.trim());
      if (/^\s*BEGIN:\s*VCARD\s*$/i.test(line)) depth += 1;
      if (/^\s*END:\s*VCARD\s*$/i.test(line) && --depth === 0) {
        pieces.push(nested.join('\\n').replace(/[;,]/g, '\\$&'));
        nested = null;
      }
      continue;
    }
    if (pieces.length > 0) {
      const isFolded = /^[ \t]/.test(line);
      if (isSoft || isFolded || (isData && isBase64(line))) {
        const text = isFolded && !isSoft ? line.slice(1) : line;
        isSoft = isQuoted && text.endsWith('=');
        pieces.push(isSoft ? text.slice(0, -1) : isData ? text.trim() : text);
        continue;
      }
      if (head === 'agent' && /^BEGIN:\s*VCARD\s*$/i.test(line)) {
        nested = [line.trim()];
        depth = 1;
        continue;
      }
      if (head === 'text' && line.trim() !== '' && !isPropertyLine(line)) {
        pieces.push('\\n', line);
        continue;
      }
      yield pieces.join('');
      pieces = [];
    }
    if (line.trim() === '') continue;
    isQuoted = isQuotedPrintable(line);
    isData = isEncoded(line);
    isSoft = isQuoted && line.endsWith('=');
    pieces.push(isSoft ? line.slice(0, -1) : line.trimStart());
    head = headOf(line.trimStart());
  }
  if (pieces.length > 0) yield pieces.join('');
}
