// The conditions in a mail's stylesheets, settled for everybody alike: what the width asks for is decided by the layout, and
// every other feature of a window (its pointer, resolution, motion, size of letters) is met, or none is. Which pictures are
// asked for then tells a sender nothing of the reader.
import type { SettleCondition } from '@keyfold/mail/sanitize';

const always = '(min-width:0px)';
const never = '(max-width:0px)';

/** Of the letters that a browser has before anybody changes them. */
const EM_PX = 16;

const length = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:px|r?em)?`;
const ofWidth = new RegExp(
  `^(?:(?:min-|max-)?width\\s*:\\s*${length}|width\\s*[<>]?=?\\s*${length}|${length}\\s*[<>]?=?\\s*width(?:\\s*[<>]=?\\s*${length})?)$`,
  'i',
);
/** Which of these rules count is the same for all readers: mail is laid out as in the light. */
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

/** Past the bracket that closes the one at `start`. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** A media query with the same answer in every window of one width. */
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

/** What queries are made of, and longer than they are: strings and escapes have no place in them, and could hide a bracket. */
const ordinaryQuery = /^[^"'\\{};]{0,500}$/;

/** For the sanitizer: all conditions but those of the width are met, or none. */
export const settleAll =
  (isMet: boolean): SettleCondition =>
  (rule, condition) => {
    if (rule === 'media' && ordinaryQuery.test(condition)) return settleMedia(condition, isMet);
    return isMet ? 'all' : 'not all';
  };
