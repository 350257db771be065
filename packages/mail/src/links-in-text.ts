// Finds the addresses that are typed in a text, as everybody writes them: whole ones of the web, those that begin with "www.",
// bare domains of the best known kinds, and addresses of mail. Paths of files are no addresses. What a link may lead to is
// decided by those who make links of them.
import { LinkifyIt } from 'linkify-it';

export type TextPart = {
  text: string;
  /** The address, when the part is a link. */
  href?: string;
};

/** Kinds of domains that are words of no language and endings of no files: all that counts without "www.". */
const PLAIN_DOMAINS = /\.(?:com|org|net|edu|gov|info|biz)(?=[/:?#]|$)/iu;

/** A text without any of these has no link. */
const MAY_HAVE_LINKS = /:\/\/|www\.|@|mailto:|\.(?:com|org|net|edu|gov|info|biz)/iu;

/** So much of a line is looked at in one go; a word that is longer is no link. */
const PIECE_CHARACTERS = 10_000;

/** What a text has more links than is no letter; the others stay text. */
const LINKS_MAX = 10_000;

/** Controls of writing direction and other letters that nobody sees have no place in a typed address. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cc}]/u;

const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true })
  .add('//', null)
  .add('ftp:', null)
  // With these letters in front any domain is meant as one.
  .add('www.', {
    validate: (text, at, { re }) => {
      const host = re.get_relative_proto_validator();
      host.lastIndex = at;
      return host.exec(text)?.[0].length ?? 0;
    },
  });

/** Signs of a text around a link, which the library takes for a part of it. */
function trimEnd(link: string): string {
  let end = link.length;
  while (/[.,;:!?*_~]/u.test(link[end - 1] ?? '')) end -= 1;
  return link.slice(0, end);
}

/**
 * Says whether what was found without a scheme is part of a path or of another word. It is asked from the front to the end:
 * each character is looked at once, however many links a word holds.
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

/** Where the text may be cut without cutting a link: at the ends of lines, and of long lines between words. */
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

/** Whether looking for links is worth it. */
export const mayHaveLinks = (text: string): boolean => MAY_HAVE_LINKS.test(text);

/** The text with its links apart. */
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
