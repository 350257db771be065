// Extracts readable text from HTML without a DOM, for snippets, plain-text alternatives and
// recovery. The result must never be used as HTML. Does not make HTML safe (see sanitize/).

import { splitHtmlParts } from './html-parts.ts';

const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  iexcl: '¡',
  cent: '¢',
  pound: '£',
  curren: '¤',
  yen: '¥',
  sect: '§',
  uml: '¨',
  copy: '©',
  ordf: 'ª',
  laquo: '«',
  not: '¬',
  shy: '\u00ad',
  reg: '®',
  macr: '¯',
  deg: '°',
  plusmn: '±',
  sup2: '²',
  sup3: '³',
  acute: '´',
  micro: 'µ',
  para: '¶',
  middot: '·',
  sup1: '¹',
  ordm: 'º',
  raquo: '»',
  frac14: '¼',
  frac12: '½',
  frac34: '¾',
  iquest: '¿',
  Agrave: 'À',
  Aacute: 'Á',
  Acirc: 'Â',
  Atilde: 'Ã',
  Auml: 'Ä',
  Aring: 'Å',
  AElig: 'Æ',
  Ccedil: 'Ç',
  Egrave: 'È',
  Eacute: 'É',
  Ecirc: 'Ê',
  Euml: 'Ë',
  Igrave: 'Ì',
  Iacute: 'Í',
  Icirc: 'Î',
  Iuml: 'Ï',
  Ntilde: 'Ñ',
  Ograve: 'Ò',
  Oacute: 'Ó',
  Ocirc: 'Ô',
  Otilde: 'Õ',
  Ouml: 'Ö',
  times: '×',
  Oslash: 'Ø',
  Ugrave: 'Ù',
  Uacute: 'Ú',
  Ucirc: 'Û',
  Uuml: 'Ü',
  szlig: 'ß',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  atilde: 'ã',
  auml: 'ä',
  aring: 'å',
  aelig: 'æ',
  ccedil: 'ç',
  egrave: 'è',
  eacute: 'é',
  ecirc: 'ê',
  euml: 'ë',
  igrave: 'ì',
  iacute: 'í',
  icirc: 'î',
  iuml: 'ï',
  ntilde: 'ñ',
  ograve: 'ò',
  oacute: 'ó',
  ocirc: 'ô',
  otilde: 'õ',
  ouml: 'ö',
  divide: '÷',
  oslash: 'ø',
  ugrave: 'ù',
  uacute: 'ú',
  ucirc: 'û',
  uuml: 'ü',
  yuml: 'ÿ',
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  circ: 'ˆ',
  tilde: '˜',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  zwnj: '\u200c',
  zwj: '\u200d',
  lrm: '\u200e',
  rlm: '\u200f',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  dagger: '†',
  bull: '•',
  hellip: '…',
  permil: '‰',
  lsaquo: '‹',
  rsaquo: '›',
  euro: '€',
  trade: '™',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  minus: '−',
  infin: '∞',
};

/** Returns text with HTML character references decoded; unknown ones stay unchanged. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,8})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,10}));?/gi,
    (whole, decimal, hex, name) => {
      if (name) return Object.hasOwn(NAMED, name) ? (NAMED[name] as string) : whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}

const SILENT = new Set([
  'script',
  'style',
  'head',
  'title',
  'template',
  'noscript',
  'svg',
  'math',
  'object',
  'select',
]);
const BLOCKS = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'center',
  'dd',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figure',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hr',
  'li',
  'main',
  'nav',
  'ol',
  'p',
  'pre',
  'section',
  'table',
  'tbody',
  'tfoot',
  'thead',
  'tr',
  'ul',
]);
const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);

// Quoted messages as common programs mark them.
const QUOTE =
  /class\s*=\s*["']?[^"'>]*(?:gmail_quote|yahoo_quoted|moz-cite-prefix|protonmail_quote)|type\s*=\s*["']?cite/i;

// Searched only at the front of a tag: the cost is quadratic in the searched length.
const QUOTE_MAX_CHARACTERS = 2_000;

type Tag = {
  name: string;
  isEnd: boolean;
  attributes: string;
  end: number; // offset after the '>'
};

function readTag(html: string, start: number): Tag | null {
  const match = /^<(\/?)([a-z][a-z0-9:-]*)/i.exec(html.slice(start, start + 64));
  if (!match) return null;
  let quote = '';
  let end = start + match[0].length;
  for (; end < html.length; end++) {
    const char = html.charAt(end);
    if (quote) {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") {
      // A quote opens only after '=': apostrophes elsewhere in a tag are junk.
      if (/=\s*$/.test(html.slice(Math.max(start, end - 8), end))) quote = char;
    } else if (char === '>') break;
  }
  return {
    name: (match[2] ?? '').toLowerCase(),
    isEnd: match[1] === '/',
    attributes: html.slice(start + match[0].length, end),
    end: Math.min(end + 1, html.length),
  };
}

/**
 * Returns the text a reader would see, with blocks on lines of their own. `dropQuotes` omits quoted
 * earlier messages.
 */
export const htmlToText = (html: string, options: { dropQuotes?: boolean } = {}): string =>
  splitHtmlParts(html)
    .map(part => partToText(part, options))
    .join('\n')
    .trim();

function partToText(html: string, options: { dropQuotes?: boolean }): string {
  const pieces: string[] = [];
  let position = 0;
  let hidden: { name: string; depth: number } | null = null;
  while (position < html.length) {
    const open = html.indexOf('<', position);
    const end = open < 0 ? html.length : open;
    if (!hidden && end > position)
      pieces.push(decodeEntities(html.slice(position, end)).replace(/[ \t\r\n\f]+/g, ' '));
    if (open < 0) break;
    if (html.startsWith('<!--', open)) {
      const close = html.indexOf('-->', open + 4);
      position = close < 0 ? html.length : close + 3;
      continue;
    }
    const tag = readTag(html, open);
    if (!tag) {
      const declaration = /[!?/]/.test(html.charAt(open + 1));
      if (!declaration && !hidden) pieces.push('<');
      const close = declaration ? html.indexOf('>', open) : open;
      position = close < 0 ? html.length : close + 1;
      continue;
    }
    position = tag.end;
    if (hidden) {
      if (tag.name !== hidden.name) continue;
      hidden.depth += tag.isEnd ? -1 : 1;
      if (hidden.depth === 0) hidden = null;
      continue;
    }
    const quoted =
      options.dropQuotes &&
      (tag.name === 'blockquote' || tag.name === 'div') &&
      QUOTE.test(tag.attributes.slice(0, QUOTE_MAX_CHARACTERS));
    if (
      !tag.isEnd &&
      !VOID.has(tag.name) &&
      !tag.attributes.endsWith('/') &&
      (SILENT.has(tag.name) || quoted)
    ) {
      hidden = { name: tag.name, depth: 1 };
    } else if (tag.name === 'br' || BLOCKS.has(tag.name)) pieces.push('\n');
    else if (tag.name === 'td' || tag.name === 'th') pieces.push(' ');
  }
  return pieces
    .join('')
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
