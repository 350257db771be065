// The beginning of a body that is too long to be laid out at once: a page that lays out a megabyte answers to nothing for
// seconds. What makes it long is its text and its elements; bytes of pictures and styles cost no layout.

/** Characters and elements of an HTML body that are laid out at once. */
const HEAD_CHARACTERS = 40_000;
const HEAD_ELEMENTS = 3_000;
/** Characters of a text that are laid out at once, and those of a text that is shown without being asked for. */
export const AT_ONCE_CHARACTERS = 10_000;
export const HEAD_TEXT_CHARACTERS = 200_000;

/** Where to cut a text that ends at `end` or later: after a line, or else a word, near there. */
function cutAt(text: string, start: number, end: number): number {
  const nearest = start + (end - start) / 2;
  for (const mark of ['\n', ' ']) {
    const at = text.lastIndexOf(mark, end - 1) + 1;
    if (at > nearest) return at;
  }
  // Never between the halves of a character.
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end;
}

/** A text in pieces that have at most so many characters, each but the last with the line end that it ends with. */
export function* piecesOfText(text: string, most: number): Generator<string, void> {
  let start = 0;
  while (text.length - start > most) {
    const end = cutAt(text, start, start + most);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** Where an element begins whose content is no text of the page, that content ends. */
function afterUnseen(html: string, tagStart: number, tagEnd: number): number {
  const name = /^<(style|script|title)\b/i.exec(html.slice(tagStart, tagStart + 8))?.[1];
  if (name === undefined) return tagEnd;
  const close = new RegExp(`</${name}`, 'gi');
  close.lastIndex = tagEnd;
  return close.exec(html)?.index ?? html.length;
}

/** The beginning of an HTML body; null when the body is short enough. */
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
