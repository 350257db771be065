// Text with `format=flowed` (RFC 3676): joins the lines that a sender broke, per depth of quotation. Says nothing about
// character sets, which are decoded before.

import type { StructuredValue } from './parameters.ts';

type Paragraph = {
  depth: number;
  pieces: string[];
};

const SIGNATURE = '-- ';

/** Whether a part says that its lines flow. */
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
  // A sign of its own at the start of a line is no quotation: it keeps the blank that said so.
  return text.startsWith('>') ? ` ${text}` : text;
}

/** The text as it was written: one line a paragraph, quotations as `>`, `>>` and a blank. Line ends become `\n`. */
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

/** Text of a part: joined when the part says that its lines flow. */
export const readFlowed = (text: string, type: StructuredValue): string =>
  isFlowed(type)
    ? joinFlowedLines(text, (type.params.get('delsp') ?? '').trim().toLowerCase() === 'yes')
    : text;
