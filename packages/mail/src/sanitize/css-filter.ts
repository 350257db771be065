// Filters a message's CSS to declarations, and the rules around them, built only of tokens known to
// be harmless. Allowlists functions that cannot load anything. Drops every url(), image-set(),
// @import, @font-face and the like or, where a caller allows it, passes it through the caller's
// resolver. Works without a DOM.

import { type CssToken, formatString, formatToken, tokenizeCss } from './css-tokens.ts';

/**
 * Decides about an address found in CSS: returns the address to load in its place, or null to drop
 * the declaration. `isShown` is false when it could not produce a visible picture: it must then
 * only be counted, not fetched.
 */
export type ResolveCssUrl = (url: string, isShown: boolean) => string | null;

/** A rule whose content applies only under a condition. */
export type ConditionalRule = 'media' | 'supports' | 'container';

/** Returns the media query that replaces the condition of such a rule. */
export type SettleCondition = (rule: ConditionalRule, condition: string) => string;

const FUNCTIONS = new Set(
  (
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp var round mod rem abs sign ' +
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient ' +
    'repeating-conic-gradient -webkit-linear-gradient -moz-linear-gradient -o-linear-gradient -webkit-gradient from to ' +
    'color-stop -webkit-radial-gradient translate translatex translatey translatez translate3d scale scalex scaley ' +
    'scale3d rotate rotatex rotatey rotatez rotate3d skew skewx skewy matrix matrix3d perspective blur brightness ' +
    'contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia cubic-bezier steps linear minmax repeat ' +
    'fit-content rect inset circle ellipse polygon counter counters alpha'
  ).split(' '),
);

// Only these properties may contain an address, and only through the caller's resolver.
const IMAGE_PROPERTIES = new Set([
  'background',
  'background-image',
  'list-style',
  'list-style-image',
  'content',
]);

const DROPPED_PROPERTIES =
  /^(?:behaviou?r|-moz-binding|src|-ms-accelerator|-webkit-user-modify|view-transition.*)$/;
const CONDITIONAL_RULES: ReadonlySet<string> = new Set<ConditionalRule>(['media', 'supports', 'container']);
const KEYFRAMES = /^(?:-webkit-|-moz-|-o-)?keyframes$/;
const MAX_RULE_DEPTH = 8;

// The frame is as tall as its message: sizes relative to the frame's height would make it grow
// without end.
const WINDOW_UNIT = /^[dls]?v(?:h|b|max|min)$/i;
const PX_PER_WINDOW_UNIT = 8;
const inPixels = (token: CssToken): CssToken => ({
  ...token,
  text: String(Number(token.text) * PX_PER_WINDOW_UNIT),
  unit: 'px',
});

/**
 * Maximum length of a stylesheet or style attribute, in characters; longer ones are dropped whole.
 */
export const CSS_MAX_CHARACTERS = 500_000;

const CLOSERS: Partial<Record<CssToken['kind'], CssToken['kind']>> = {
  '{': '}',
  '(': ')',
  function: ')',
  '[': ']',
};

// Tokens and, for each opening one, the index after its block: computed once, because nested
// openings would otherwise take quadratic time.
type Css = {
  tokens: readonly CssToken[];
  ends: Int32Array;
};

function readCss(css: string): Css {
  const tokens = tokenizeCss(css);
  const ends = new Int32Array(tokens.length).fill(tokens.length);
  const open: { index: number; closer: CssToken['kind'] }[] = [];
  tokens.forEach(({ kind }, index) => {
    const closer = CLOSERS[kind];
    if (closer) open.push({ index, closer });
    else if (open.at(-1)?.closer === kind) ends[open.pop()?.index as number] = index + 1;
  });
  return { tokens, ends };
}

/** Returns the index after the token at `index`, or after the block it opens. */
function skip({ tokens, ends }: Css, index: number, end: number): number {
  const opens = CLOSERS[(tokens[index] as CssToken).kind] !== undefined;
  return Math.min(opens ? (ends[index] as number) : index + 1, end);
}

// Returns the address of `url("...")` and the index after it; null when the function contains
// anything else.
function readQuotedUrl({ tokens }: Css, start: number, end: number): { url: string; next: number } | null {
  let index = start + 1;
  const pastSpace = () => {
    while (index < end && tokens[index]?.kind === 'space') index++;
  };
  pastSpace();
  const address = tokens[index++];
  pastSpace();
  if (address?.kind !== 'string' || index > end || (index < end && tokens[index]?.kind !== ')')) return null;
  return { url: address.text, next: index + 1 };
}

/**
 * Returns a value as safe text, or null when any part of it is not allowed; passes addresses to the
 * caller once that is known.
 */
function filterValue(
  property: string,
  css: Css,
  start: number,
  end: number,
  resolve: ResolveCssUrl,
): string | null {
  const hasAddress = css.tokens
    .slice(start, end)
    .some(({ kind, text }) => kind === 'url' || (kind === 'function' && text.toLowerCase() === 'url'));
  const isShown =
    hasAddress &&
    IMAGE_PROPERTIES.has(property) &&
    buildValue(property, css, start, end, () => 'blob:') !== null;
  return buildValue(property, css, start, end, (url, may) => resolve(url, may && isShown));
}

function buildValue(
  property: string,
  css: Css,
  start: number,
  end: number,
  resolve: ResolveCssUrl,
): string | null {
  let text = '';
  let safe = true;
  const depths: CssToken['kind'][] = [];
  for (let index = start; index < end; index++) {
    const token = css.tokens[index] as CssToken;
    let address: string | null = null;
    if (token.kind === 'url') address = token.text;
    else if (token.kind === 'function' && token.text.toLowerCase() === 'url') {
      const quoted = readQuotedUrl(css, index, end);
      if (!quoted) safe = false;
      else {
        address = quoted.url;
        index = quoted.next - 1;
      }
    } else if (token.kind === 'function' && !FUNCTIONS.has(token.text.toLowerCase())) safe = false;
    // Strings in an unknown function such as image-set() may be addresses: record them so that they
    // are counted.
    if (token.kind === 'string' && !safe) resolve(token.text, false);
    if (address !== null) {
      const resolved = resolve(address, true);
      if (resolved === null || !IMAGE_PROPERTIES.has(property)) safe = false;
      else text += `url(${formatString(resolved)})`;
      continue;
    }
    if (
      token.kind === 'bad' ||
      token.kind === 'at' ||
      token.kind === '{' ||
      token.kind === '}' ||
      token.kind === ';'
    ) {
      safe = false;
    }
    if (token.kind === 'function' || token.kind === '(' || token.kind === '[')
      depths.push(CLOSERS[token.kind] as ')');
    if (token.kind === ')' || token.kind === ']') {
      if (depths.pop() !== token.kind) safe = false;
    }
    text += formatToken(token.unit && WINDOW_UNIT.test(token.unit) ? inPixels(token) : token);
  }
  // Closes what the sender left open, which would otherwise swallow the following text.
  return safe ? text.trim() + depths.reverse().join('') : null;
}

function isAllowed(property: string, value: string): boolean {
  if (DROPPED_PROPERTIES.test(property)) return false;
  // Fixed and sticky boxes could cover the rest of the message wherever the reader scrolls.
  if (property === 'position') return !/fixed|sticky|var|inherit|unset|revert/i.test(value);
  return !(property.startsWith('--') && /fixed|sticky/i.test(value));
}

function filterDeclarationRange(css: Css, start: number, end: number, resolve: ResolveCssUrl): string {
  const { tokens } = css;
  const kept: string[] = [];
  let index = start;
  while (index < end) {
    const token = tokens[index] as CssToken;
    if (token.kind === 'space' || token.kind === ';') {
      index++;
      continue;
    }
    // One item: up to the next ';' outside blocks, or through a nested rule, which is dropped.
    let stop = index;
    let hasBlock = false;
    while (stop < end && (tokens[stop] as CssToken).kind !== ';') {
      const { kind } = tokens[stop] as CssToken;
      hasBlock ||= kind === '{';
      stop = skip(css, stop, end);
      if (hasBlock) break;
    }
    let colon = index + 1;
    while (colon < stop && (tokens[colon] as CssToken).kind === 'space') colon++;
    if (token.kind === 'ident' && tokens[colon]?.kind === ':' && colon < stop) {
      const property = token.text.startsWith('--') ? token.text : token.text.toLowerCase();
      const value = filterValue(property, css, colon + 1, stop, resolve);
      if (value && !hasBlock && isAllowed(property, value))
        kept.push(`${formatToken({ ...token, text: property })}:${value}`);
    }
    index = stop;
  }
  return kept.join(';');
}

/** Returns the safe part of a style attribute. */
export function filterDeclarations(style: string, resolve: ResolveCssUrl): string {
  if (style.length > CSS_MAX_CHARACTERS) return '';
  const css = readCss(style);
  return filterDeclarationRange(css, 0, css.tokens.length, resolve);
}

// A selector or a condition cannot load anything, but unusual tokens may hide something: then the
// rule is dropped.
function filterPrelude(tokens: readonly CssToken[], start: number, end: number): string | null {
  let text = '';
  const depths: CssToken['kind'][] = [];
  for (let index = start; index < end; index++) {
    const token = tokens[index] as CssToken;
    if (['bad', 'url', 'at', '{', '}', ';'].includes(token.kind)) return null;
    if (token.kind === 'function' && /^(?:url|src|image|-webkit-image-set|image-set)$/i.test(token.text))
      return null;
    if (token.kind === 'function' || token.kind === '(' || token.kind === '[')
      depths.push(CLOSERS[token.kind] as ')');
    if ((token.kind === ')' || token.kind === ']') && depths.pop() !== token.kind) return null;
    text += formatToken(token);
  }
  return depths.length ? null : text.trim();
}

/** Reports whether every alternative of a media query asks for paper, speech or nothing. */
export const isNeverOnScreen = (media: string): boolean =>
  media.trim() !== '' &&
  media
    .split(',')
    .every(one =>
      /^\s*(?:(?:only\s+)?(?:print|speech|aural|braille|embossed|handheld|projection|tty|tv)\b|not\s+(?:all|screen)\s*$)/i.test(
        one,
      ),
    );

const isConditional = (name: string): name is ConditionalRule => CONDITIONAL_RULES.has(name);

function filterRules(
  css: Css,
  [start, end]: readonly [number, number],
  resolve: ResolveCssUrl,
  settle: SettleCondition | undefined,
  depth: number,
): string {
  const { tokens } = css;
  const rules: string[] = [];
  let index = start;
  while (index < end) {
    const first = tokens[index] as CssToken;
    if (first.kind === 'space' || first.kind === ';' || first.kind === '}') {
      index++;
      continue;
    }
    let block = index;
    while (block < end) {
      const { kind } = tokens[block] as CssToken;
      if (kind === '{' || (kind === ';' && first.kind === 'at')) break;
      block = skip(css, block, end);
    }
    if (tokens[block]?.kind !== '{' || block >= end) {
      // An at-rule without a block (@import, @charset), or the truncated end of a sheet; only its
      // addresses are recorded.
      for (const token of tokens.slice(index, Math.min(block, end))) {
        if (token.kind === 'url' || (token.kind === 'string' && first.kind === 'at'))
          resolve(token.text, false);
      }
      index = block + 1;
      continue;
    }
    const close = skip(css, block, end);
    const bodyEnd = tokens[close - 1]?.kind === '}' ? close - 1 : close;
    const name = first.kind === 'at' ? first.text.toLowerCase() : '';
    const prelude = filterPrelude(tokens, name ? index + 1 : index, block);
    const isOnScreen = prelude !== null && !(name === 'media' && isNeverOnScreen(prelude));
    const note: ResolveCssUrl = isOnScreen ? resolve : url => resolve(url, false);
    if (!name) {
      const body = filterDeclarationRange(css, block + 1, bodyEnd, note);
      if (prelude && body) rules.push(`${prelude}{${body}}`);
    } else if ((isConditional(name) || name === 'layer' || KEYFRAMES.test(name)) && depth < MAX_RULE_DEPTH) {
      const body = filterRules(css, [block + 1, bodyEnd], note, settle, depth + 1);
      const head =
        settle !== undefined && prelude !== null && isConditional(name)
          ? `media ${settle(name, prelude)}`
          : `${name} ${prelude}`;
      if (prelude !== null && body) rules.push(`@${head}{${body}}`);
    } else filterDeclarationRange(css, block + 1, bodyEnd, url => resolve(url, false));
    index = close;
  }
  return rules.join('\n');
}

/** Returns the safe part of a stylesheet, ready for a style element. */
export function filterStylesheet(css: string, resolve: ResolveCssUrl, settle?: SettleCondition): string {
  if (css.length > CSS_MAX_CHARACTERS) return '';
  const read = readCss(css);
  return filterRules(read, [0, read.tokens.length], resolve, settle, 0);
}
