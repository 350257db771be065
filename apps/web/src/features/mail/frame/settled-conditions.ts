// Resolves the conditions in a message's stylesheets identically for all readers. Layout decides
// the width conditions; all conditions on other features of a window (pointer, resolution, motion,
// text size) are either met or not met. The set of requested pictures then reveals nothing about
// the reader to the sender.
import type { SettleCondition } from '@keyfold/mail/sanitize';

const always = '(min-width:0px)';
const never = '(max-width:0px)';

/** Default text size of browsers. */
const EM_PX = 16;

const length = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:px|r?em)?`;
const ofWidth = new RegExp(
  `^(?:(?:min-|max-)?width\\s*:\\s*${length}|width\\s*[<>]?=?\\s*${length}|${length}\\s*[<>]?=?\\s*width(?:\\s*[<>]=?\\s*${length})?)$`,
  'i',
);
/**
 * Color-scheme rules apply the same way for all readers: messages are laid out as in light mode.
 */
const ofTheme = /^prefers-color-scheme\b/i;

const inPixels = (feature: string): string =>
  feature.replaceAll(
    /(?<![\d.])(\d+(?:\.\d*)?|\.\d+)r?em\b/gi,
    (_, count: string) => `${Number(count) * EM_PX}px`,
  );

function settleFeature(feature: string, isMet: boolean): string {
  if (ofTheme.test(feature)) return `(${feature})`;
  if (ofWidth.test(feature)) return `(${inPixels(feature)})`;
  return isMet ? always : never;
}

/** Returns the position after the bracket that closes the one at `start`. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** Rewrites a media query so that it has the same result in every window of the same width. */
export function settleMedia(query: string, isMet: boolean): string {
  let settled = '';
  let at = 0;
  for (let open = query.indexOf('('); open >= 0; open = query.indexOf('(', at)) {
    const end = endOf(query, open);
    const inner = query.slice(open + 1, end - 1).trim();
    const isGroup = /^(?:not\s*)?\(/i.test(inner);
    settled += query.slice(at, open);
    settled += isGroup ? `(${settleMedia(inner, isMet)})` : settleFeature(inner, isMet);
    at = end;
  }
  return settled + query.slice(at);
}

/**
 * Accepts the characters that queries consist of, with a generous length limit. Strings and escapes
 * do not occur in queries and could hide a bracket.
 */
const ordinaryQuery = /^[^"'\\{};]{0,500}$/;

/** Condition callback for the sanitizer: all conditions except width are met, or none are. */
export const settleAll =
  (isMet: boolean): SettleCondition =>
  (rule, condition) => {
    if (rule === 'media' && ordinaryQuery.test(condition)) return settleMedia(condition, isMet);
    return isMet ? 'all' : 'not all';
  };
