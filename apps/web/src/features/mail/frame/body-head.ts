// Finds the beginning of a body that is too long to lay out at once: laying out a megabyte blocks
// the page for seconds. Text and elements count; the bytes of pictures and styles have no layout
// cost.

/** Maximum number of characters and elements of an HTML body that are laid out at once. */
const HEAD_CHARACTERS = 40_000;
const HEAD_ELEMENTS = 3_000;
/**
 * Maximum number of characters of a plain text that are laid out at once, and that are shown before
 * the user asks for more.
 */
export const AT_ONCE_CHARACTERS = 10_000;
export const HEAD_TEXT_CHARACTERS = 200_000;

/** Returns where to cut a text at or before `end`: preferably after a line, else after a word. */
function cutAt(text: string, start: number, end: number): number {
  const nearest = start + (end - start) / 2;
  for (const mark of ['\n', ' ']) {
    const at = text.lastIndexOf(mark, end - 1) + 1;
    if (at > nearest) return at;
  }
  // Never splits a surrogate pair.
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}

/**
 * Splits a text into pieces of at most `most` characters. Every piece but the last includes the
 * line ending that it ends with.
 */
export function* piecesOfText(text: string, most: number): Generator<string, void> {
  let start = 0;
  while (text.length - start > most) {
    const end = cutAt(text, start, start + most);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** For an element whose content is not visible text, returns where that content ends. */
function afterUnseen(html: string, tagStart: number, tagEnd: number): number {
  const name = /^<(style|script|title)\b/i.exec(html.slice(tagStart, tagStart + 8))?.[1];
  if (name === undefined) return tagEnd;
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = tagEnd;
  return close.exec(html)?.index ?? html.length;
}

/** Returns the beginning of an HTML body, or null when the body is short enough. */
export function headOfHtml(html: string): string | null {
  if (html.length <= HEAD_CHARACTERS) return null;
  let [characters, elements, at] = [0, 0, 0];
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    const textEnd = tag < 0 ? html.length : tag;
    const left = HEAD_CHARACTERS - characters;
    if (textEnd - at > left) return html.slice(0, left === 0 ? at : cutAt(html, at, at + left));
    characters += textEnd - at;
    if (tag < 0) return null;
    const isElement = /[a-z]/i.test(html[tag + 1] ?? '');
    if (isElement && elements === HEAD_ELEMENTS) return html.slice(0, tag);
    if (isElement) elements += 1;
    const isComment = html.startsWith('<!--', tag);
    const close = html.indexOf(isComment ? '-->' : '>', tag);
    if (close < 0) return null;
    at = afterUnseen(html, tag, close + (isComment ? 3 : 1));
  }
  return null;
}
