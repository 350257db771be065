// [Note: Strict policy] A page whose policy forbids inline styles and requires Trusted Types counts
// style attributes, event handlers, style and script elements as violations even in a document that
// is only parsed, and logs each one. Before parsing, this module therefore renames style attributes
// and event handlers, moves stylesheets out of the text, and drops scripts, base and track
// elements, and excessively nested elements. This is not a security boundary, and a missed place is
// not dangerous: the rest reaches the tree and is judged there, under either name. It only keeps
// the console empty (docs/acceptance.md 83).

import { randomHex } from '../bytes.ts';

/** A stylesheet found in the markup. */
export type FoundSheet = {
  css: string;
  media: string;
};

/** Markup that parses without violations, and the stylesheets it contained. */
export type QuietMarkup = {
  html: string;
  sheets: FoundSheet[];
};

/** Returns a random name for the style attribute that no message can know. */
export function createStyleName(): string {
  return `data-style-${randomHex(8)}`;
}

// Elements whose content is text up to their own end tag. Similar elements (title, textarea and
// such) are read like any other: their content never stays, and in foreign markup they hold
// elements.
const RAW_TEXT = new Set(['style', 'script']);
const TAKEN_OUT = new Set(['style', 'script', 'base', 'track']);

/** End tag of a text-only element in a place where only a quoted value belongs. */
const ENDS_TEXT = /<\/(?:textarea|title|noscript|noembed|noframes|xmp|iframe)/i;

// Browsers need seconds for tens of thousands of unclosed elements; no message has a thousand.
// Elements that are empty, or closed by the next of their kind, do not count.
const MAX_OPEN = 1_000;
const UNCOUNTED = new Set(
  'p li dt dd td th tr tbody thead tfoot colgroup option br img hr wbr area col input link meta base embed source track'.split(
    ' ',
  ),
);

const ATTRIBUTE = /[\s/]*(=?[^\s/>=]*)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*))?)?/y;

type Attribute = {
  name: string;
  value: string;
  nameStart: number;
  end: number;
};

function readAttribute(html: string, position: number): Attribute | null {
  ATTRIBUTE.lastIndex = position;
  const found = ATTRIBUTE.exec(html);
  if (!found?.[1]) return null;
  const nameStart = position + found[0].length - (found[2]?.length ?? 0) - found[1].length;
  const value = found[3] ?? found[4] ?? found[5] ?? '';
  return { name: found[1].toLowerCase(), value, nameStart, end: position + found[0].length };
}

function endOfComment(html: string, open: number): number {
  if (/^<!--(?:-?>)/.test(html.slice(open, open + 6))) return html.indexOf('>', open) + 1;
  const match = /--!?>/g;
  match.lastIndex = open + 4;
  const end = match.exec(html);
  return end ? end.index + end[0].length : html.length;
}

function endOfRawText(html: string, start: number, element: string): number {
  const match = new RegExp(`</${element}(?=[\\s/>])`, 'gi');
  match.lastIndex = start;
  return match.exec(html)?.index ?? html.length;
}

/** Transforms the markup as described in [Note: Strict policy]. Never fails. */
export function quietMarkup(html: string, styleName: string): QuietMarkup {
  const pieces: string[] = [];
  const sheets: FoundSheet[] = [];
  let copied = 0;
  let position = 0;
  let openElements = 0;
  for (;;) {
    const open = html.indexOf('<', position);
    if (open < 0) break;
    if (html.startsWith('<!--', open)) {
      position = endOfComment(html, open);
      continue;
    }
    const tag = /^<(\/?)([a-z][^\s/>]*)/i.exec(html.slice(open, open + 100));
    if (!tag) {
      position = open + 1;
      continue;
    }
    const isEnd = tag[1] === '/';
    const element = (tag[2] as string).toLowerCase();
    if (!UNCOUNTED.has(element)) openElements = Math.max(0, openElements + (isEnd ? -1 : 1));
    const isTaken = !isEnd && (TAKEN_OUT.has(element) || openElements > MAX_OPEN);
    let media = '';
    let textEnd = -1;
    position = open + tag[0].length;
    for (let found = readAttribute(html, position); found; found = readAttribute(html, position)) {
      const ending = ENDS_TEXT.exec(found.value);
      if (ending) {
        // In a textarea this quotation is text, and markup continues inside it.
        textEnd = html.indexOf(ending[0], found.nameStart);
        break;
      }
      position = found.end;
      if (found.name === 'media') media ||= found.value;
      const isHandler = /^on[a-z]/.test(found.name);
      if (isTaken || !(isHandler || found.name === 'style')) continue;
      pieces.push(html.slice(copied, found.nameStart), isHandler ? 'data-off' : styleName);
      copied = found.nameStart + found.name.length;
    }
    const close = textEnd < 0 ? html.indexOf('>', position) + 1 : textEnd;
    position = close === 0 ? html.length : close;
    const contentStart = position;
    if (!isEnd && RAW_TEXT.has(element)) position = endOfRawText(html, position, element);
    if (!isTaken) continue;
    if (element === 'style') sheets.push({ css: html.slice(contentStart, position), media });
    // The end tag stays and has no meaning on its own.
    pieces.push(html.slice(copied, open), '<!---->');
    copied = position;
  }
  return { html: pieces.join('') + html.slice(copied), sheets };
}

/** Restores the name of the style attributes in HTML that a browser has just serialized. */
export function showStyleAttributes(html: string, styleName: string): string {
  return html.replaceAll(` ${styleName}="`, ' style="');
}
