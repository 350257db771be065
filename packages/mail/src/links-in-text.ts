// Finds addresses typed in text: full web URLs, those that begin with "www.", bare domains in the
// best known TLDs, and email addresses. File paths do not count. Callers that create links decide
// where a link may lead.
import { LinkifyIt } from 'linkify-it';

export type TextPart = {
  text: string;
  /** The address, if the part is a link. */
  href?: string;
};

/**
 * TLDs that are neither words of a language nor file extensions: the only ones accepted without
 * "www.".
 */
const PLAIN_DOMAINS = /\.(?:com|org|net|edu|gov|info|biz)(?=[/:?#]|$)/iu;

/** A text that matches none of these contains no link. */
const MAY_HAVE_LINKS = /:\/\/|www\.|@|mailto:|\.(?:com|org|net|edu|gov|info|biz)/iu;

/** Number of characters of a line examined at once; a longer word is not a link. */
const PIECE_CHARACTERS = 10_000;

/** Maximum number of links per text; no real message has more, and the rest stay plain text. */
const LINKS_MAX = 10_000;

/** Bidi controls and other invisible characters do not occur in a typed address. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true })
  .add('//', null)
  .add('ftp:', null)
  // After this prefix, any domain is accepted.
  .add('www.', {
    validate: (text, at, { re }) => {
      const host = re.get_relative_proto_validator();
      host.lastIndex = at;
      return host.exec(text)?.[0].length ?? 0;
    },
  });

/** Removes punctuation around a link, which the library includes in it. */
function trimEnd(link: string): string {
  let end = link.length;
  while (/[.,;:!?*_~]/u.test(link[end - 1] ?? '')) end -= 1;
  return link.slice(0, end);
}

/**
 * Returns a function that reports whether a match without a scheme is part of a path or another
 * word. Call it from front to back: each character is examined once, however many links a word
 * contains.
 */
function pathFinder(text: string): (start: number, end: number) => boolean {
  let at = 0;
  let isPath = false;
  return (start, end) => {
    for (; at < start; at++) {
      const char = text[at] ?? '';
      if (/\s/u.test(char)) isPath = false;
      else if (char === '\\' || (char === '/' && text.startsWith('://', at - 2))) isPath = true;
    }
    return isPath || /[\\/]/u.test(text[start - 1] ?? '') || text[end] === '\\';
  };
}

function* linksIn(text: string): Generator<{ start: number; text: string; href: string }> {
  const isInPath = pathFinder(text);
  for (const { schema, index, lastIndex } of linkify.match(text) ?? []) {
    const whole = text.slice(index, lastIndex);
    const seen = trimEnd(whole.slice(0, UNSEEN.exec(whole)?.index ?? whole.length));
    const end = index + seen.length;
    if (schema === 'http:' || schema === 'https:') {
      if (URL.canParse(seen)) yield { start: index, text: seen, href: seen };
    } else if (schema === 'mailto:') {
      const isTyped = !/^mailto:/iu.test(seen);
      if (isTyped && isInPath(index, end)) continue;
      yield { start: index, text: seen, href: isTyped ? `mailto:${seen}` : seen };
    } else {
      const isMeant = schema === 'www.' || PLAIN_DOMAINS.test(seen.split(/[/?#]/u, 1)[0] ?? '');
      const href = `https://${seen}`;
      if (isMeant && !isInPath(index, end) && URL.canParse(href)) yield { start: index, text: seen, href };
    }
  }
}

/**
 * Yields pieces of the text whose boundaries cut no link: at line ends, and between words in long
 * lines.
 */
function* pieces(text: string): Generator<{ from: number; to: number }> {
  let from = 0;
  while (from < text.length) {
    const found = text.indexOf('\n', from);
    let to = found < 0 ? text.length : found + 1;
    if (to - from > PIECE_CHARACTERS) {
      const blank = text.lastIndexOf(' ', from + PIECE_CHARACTERS);
      const next = text.indexOf(' ', from + PIECE_CHARACTERS);
      if (blank > from) to = blank + 1;
      else to = next < 0 ? to : Math.min(to, next + 1);
    }
    yield { from, to };
    from = to;
  }
}

/** Reports whether the text may contain links, as a cheap check before searching for them. */
export const mayHaveLinks = (text: string): boolean => MAY_HAVE_LINKS.test(text);

/** Splits the text into links and plain text. */
export function splitLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  let left = LINKS_MAX;
  for (const { from, to } of mayHaveLinks(text) ? pieces(text) : []) {
    if (left === 0) break;
    if (to - from > PIECE_CHARACTERS) continue;
    const piece = text.slice(from, to);
    if (!mayHaveLinks(piece)) continue;
    for (const link of linksIn(piece)) {
      const start = from + link.start;
      if (start < done || link.text === '') continue;
      if (left === 0) break;
      left--;
      if (start > done) parts.push({ text: text.slice(done, start) });
      parts.push({ text: link.text, href: link.href });
      done = start + link.text.length;
    }
  }
  if (done < text.length) parts.push({ text: text.slice(done) });
  return parts;
}
