// Finds the web addresses that are typed in a text, as everybody writes them: whole, with their scheme. Takes no part of a
// sentence for one. What they may lead to is decided by whoever makes links of them.

export interface TextPart {
  text: string;
  /** The address, when the part is a link. */
  href?: string;
}

const linkPattern = /\bhttps?:\/\/[^\s<>"'`]+/giu;

/** Punctuation at the end of a sentence does not belong to the link before it; a closing bracket only if it was opened. */
function trimLink(link: string): string {
  const opensRound = link.includes('(');
  const opensSquare = link.includes('[');
  let end = link.length;
  for (;;) {
    const last = link[end - 1] ?? '';
    if (/[.,;:!?*_~]/u.test(last)) end -= 1;
    else if (last === ')' && !opensRound) end -= 1;
    else if (last === ']' && !opensSquare) end -= 1;
    else return link.slice(0, end);
  }
}

/** The text with its links apart. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(linkPattern)) {
    const href = trimLink(match[0]);
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: href, href });
    from = match.index + href.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
