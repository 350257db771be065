// Makes small pieces of HTML safe without a DOM, for the server (signatures;
// docs/interpretations.md#92): rewrites known harmless content tag by tag and drops everything
// else. Only its own output is trusted, so a misread input can lose formatting but cannot smuggle
// markup. Not for message bodies, which need a real parser (index.ts).

import { findDataImage, findSafeLink } from './addresses-in-html.ts';
import { filterDeclarations } from './css-filter.ts';

const TAGS = new Set(
  (
    'a b bdi big blockquote br caption center cite code col colgroup dd del div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ' +
    'ins li ol p pre q s small span strike strong sub sup table tbody td tfoot th thead tr tt u ul wbr'
  ).split(' '),
);
const VOID = new Set(['br', 'hr', 'img', 'col', 'wbr']);
const DROPPED_WITH_CONTENT = new Set(
  (
    'script style noscript template title head object embed applet iframe frame frameset noframes audio video canvas svg ' +
    'math xmp noembed plaintext select option datalist textarea button dialog portal fencedframe marquee'
  ).split(' '),
);
const ATTRIBUTES = new Set(
  'align alt bgcolor border cellpadding cellspacing color cols colspan dir face height lang rowspan size start title valign width'.split(
    ' ',
  ),
);
const DEPTH_MAX = 60;
const ATTRIBUTES_MAX = 40;

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  colon: ':',
  tab: '\t',
  newline: '\n',
};

const escapeText = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replaceAll('\0', '');
const escapeValue = (text: string): string => escapeText(text).replace(/"/g, '&quot;');

const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));?/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '';
  });

/** Returns text with its well-formed entities, and nothing that could begin a tag. */
const keepText = (text: string): string =>
  text
    .replace(/&(?!(?:#\d{1,7}|#x[\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});)/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replaceAll('\0', '');

type Tag = {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: string;
  readonly end: number;
};

const isNameEnd = (char: string | undefined): boolean => char === undefined || /[\s/>]/.test(char);

/**
 * Returns the tag that begins at `start`, or null when it is text. Parses quotes as browsers do.
 */
function readTag(html: string, start: number): Tag | null {
  const isEnd = html[start + 1] === '/';
  let index = start + (isEnd ? 2 : 1);
  const nameStart = index;
  if (!/[a-z]/i.test(html[index] ?? '')) return null;
  while (!isNameEnd(html[index])) index++;
  const name = html.slice(nameStart, index).toLowerCase();
  const attributesStart = index;
  let quote = '';
  for (; index < html.length; index++) {
    const char = html[index] as string;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '>') break;
    else if ((char === '"' || char === "'") && /=\s*$/.test(html.slice(Math.max(0, index - 20), index)))
      quote = char;
  }
  return { name, isEnd, attributes: html.slice(attributesStart, index), end: index + 1 };
}

const ATTRIBUTE = /([^\s"'<>/=]{1,60})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

function keepAttribute(tag: string, name: string, value: string): string | null {
  if (name === 'style') return filterDeclarations(value, () => null) || null;
  if (name === 'href') return tag === 'a' ? findSafeLink(value) : null;
  // Remote pictures would report every reader of every message to their server.
  if (name === 'src') return tag === 'img' ? findDataImage(value) : null;
  return ATTRIBUTES.has(name) ? value.slice(0, 500) : null;
}

function openTag({ name, attributes }: Tag): string {
  const kept = new Map<string, string>();
  let seen = 0;
  for (const [, written = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    if (++seen > ATTRIBUTES_MAX) break;
    const key = written.toLowerCase();
    const value = keepAttribute(name, key, decode(double ?? single ?? bare ?? ''));
    if (value !== null && !kept.has(key)) kept.set(key, value);
  }
  if (name === 'img' && !kept.has('src')) return '';
  return `<${name}${[...kept].map(([key, value]) => ` ${key}="${escapeValue(value)}"`).join('')}>`;
}

/** Returns where the content of a dropped element ends. */
function skipElement(html: string, name: string, from: number): number {
  const close = html.toLowerCase().indexOf(`</${name}`, from);
  if (close < 0) return html.length;
  const end = html.indexOf('>', close);
  return end < 0 ? html.length : end + 1;
}

/**
 * Returns the harmless part of a piece of HTML, well formed. Pictures stay only if they are
 * embedded (data:).
 */
export function rebuildHtml(html: string): string {
  let built = '';
  const open: string[] = [];
  let index = 0;
  while (index < html.length) {
    const next = html.indexOf('<', index);
    if (next < 0) return built + keepText(html.slice(index)) + closeAll(open);
    built += keepText(html.slice(index, next));
    if (html.startsWith('<!--', next)) {
      const end = html.indexOf('-->', next + 4);
      index = end < 0 ? html.length : end + 3;
      continue;
    }
    const tag = readTag(html, next);
    if (tag === null) {
      const isDeclaration = /[!?/]/.test(html[next + 1] ?? '');
      const end = isDeclaration ? html.indexOf('>', next) : next;
      if (!isDeclaration) built += '&lt;';
      index = end < 0 ? html.length : end + 1;
      continue;
    }
    index = tag.end;
    if (DROPPED_WITH_CONTENT.has(tag.name)) {
      if (!tag.isEnd) index = skipElement(html, tag.name, tag.end);
    } else if (!TAGS.has(tag.name)) continue;
    else if (tag.isEnd) built += closeTo(open, tag.name);
    else if (VOID.has(tag.name)) built += openTag(tag);
    else if (open.length < DEPTH_MAX) {
      built += openTag(tag);
      open.push(tag.name);
    }
  }
  return built + closeAll(open);
}

/**
 * Closes the innermost open element of this name and everything open inside it; does nothing when
 * there is none.
 */
function closeTo(open: string[], name: string): string {
  const at = open.lastIndexOf(name);
  return at < 0 ? '' : closeAll(open, at);
}

const closeAll = (open: string[], from = 0): string =>
  open
    .splice(from)
    .reverse()
    .map(name => `</${name}>`)
    .join('');
