// Text with `format=flowed` (RFC 3676): joins the lines that the sender wrapped, per quotation
// depth. Character sets are decoded earlier.

import type { StructuredValue } from './parameters.ts';

type Paragraph = {
  depth: number;
  pieces: string[];
};

const SIGNATURE = '-- ';

/** Reports whether a part declares flowed lines. */
export const isFlowed = ({ value, params }: StructuredValue): boolean =>
  value === 'text/plain' && (params.get('format') ?? '').trim().toLowerCase() === 'flowed';

function quoteDepth(line: string): number {
  let depth = 0;
  while (line[depth] === '>') depth++;
  return depth;
}

function writeParagraph({ depth, pieces }: Paragraph): string {
  const text = pieces.join('');
  if (depth > 0) return `${'>'.repeat(depth)} ${text}`.trimEnd();
  // A literal ">" at the start of a line is not a quotation: it keeps the blank that marks it so.
  return text.startsWith('>') ? ` ${text}` : text;
}

/**
 * Returns the text with one line per paragraph and quotations as `>`, `>>` and a blank. Line ends
 * become `\n`.
 */
export function joinFlowedLines(text: string, delSp: boolean): string {
  const written: string[] = [];
  let open: Paragraph | null = null;
  const close = () => {
    if (open !== null) written.push(writeParagraph(open));
    open = null;
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const depth = quoteDepth(line);
    const stuffed = line.slice(depth);
    const words = stuffed.startsWith(' ') ? stuffed.slice(1) : stuffed;
    if (words === SIGNATURE) {
      close();
      written.push(depth > 0 ? `${'>'.repeat(depth)} ${SIGNATURE}` : SIGNATURE);
      continue;
    }
    if (open !== null && (open as Paragraph).depth !== depth) close();
    const flows = words.endsWith(' ') && words.trim() !== '';
    const paragraph: Paragraph = open ?? { depth, pieces: [] };
    paragraph.pieces.push(flows && delSp ? words.slice(0, -1) : words);
    open = paragraph;
    if (!flows) close();
  }
  close();
  return written.join('\n');
}

/** Returns the text of a part, joined if the part declares flowed lines. */
export const readFlowed = (text: string, type: StructuredValue): string =>
  isFlowed(type)
    ? joinFlowedLines(text, (type.params.get('delsp') ?? '').trim().toLowerCase() === 'yes')
    : text;
