// Splits a plain-text body into paragraphs, and separates quoted lines from new ones.
import { countAttributionLines, findEarlierMail, isFooter } from '@keyfold/mail/mime/reply-heads';

export type TextBlock = {
  quoted: boolean;
  /** Whether the block is folded behind "···". */
  folded: boolean;
  text: string;
};

const isEmpty = (block: TextBlock): boolean => block.text.trim() === '';

/** Splits lines into runs that start with ">" and runs that do not. */
function runsOf(lines: readonly string[]): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (const line of lines) {
    const quoted = line.startsWith('>');
    const last = blocks.at(-1);
    if (last !== undefined && last.quoted === quoted) last.text += `\n${line}`;
    else blocks.push({ quoted, folded: false, text: line });
  }
  return blocks.filter(block => !isEmpty(block));
}

/** Folds the last quotation with its attribution, unless nothing else would stay visible. */
function foldLast(shown: readonly TextBlock[], hasFooter: boolean): TextBlock[] {
  const footer = hasFooter ? shown.slice(-1) : [];
  const body = shown.slice(0, shown.length - footer.length);
  const last = body.at(-1);
  const before = body.at(-2);
  if (last === undefined || before === undefined || !last.quoted) return [...shown];
  const above = before.text.split('\n');
  const moved = countAttributionLines(above);
  const kept = { ...before, text: above.slice(0, above.length - moved).join('\n') };
  if (isEmpty(kept) && body.length === 2) return [...shown];
  const head = above.slice(above.length - moved);
  const text = [...head, last.text].filter(line => line !== '').join('\n');
  return [...body.slice(0, -2), kept, { ...last, text, folded: true }, ...footer].filter(
    block => !isEmpty(block),
  );
}

/**
 * Returns the runs of quoted lines (starting with ">") and of new ones, in order. The quoted
 * message at the end of a reply is `folded`, with its attribution line. Quotations in inline
 * replies are not.
 */
export function splitQuotes(text: string, isForward = false): TextBlock[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const earlier = isForward ? null : findEarlierMail(lines);
  if (isForward || earlier?.isForward === true) return runsOf(lines);
  if (earlier !== null) {
    const written = runsOf(lines.slice(0, earlier.start));
    const rest = { quoted: true, folded: true, text: lines.slice(earlier.start).join('\n') };
    return written.length === 0 ? [{ ...rest, quoted: false, folded: false }] : [...written, rest];
  }
  const shown = runsOf(lines);
  const last = shown.at(-1);
  const hasFooter = last !== undefined && !last.quoted && isFooter(last.text.split('\n'));
  return foldLast(shown, hasFooter);
}
