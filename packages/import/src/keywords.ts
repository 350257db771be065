// Keywords of IMAP and of Thunderbird's files as tags: the five that Thunderbird begins with have numbers for names, those of
// servers and programs are no tags, and of all others the name is the keyword.

import { decodeFolderName } from './folder-name.ts';

/** Thunderbird's own five, in their order. */
export const MOZILLA_LABELS: readonly string[] = ['Important', 'Work', 'Personal', 'To Do', 'Later'];

/** What programs and servers write for themselves. */
const THEIRS =
  /^(?:\$?(?:not|non)?-?junk|\$?forwarded|\$?redirected|\$?mdnsent|receipt-handled|\\.*|\$(?!label\d).*)$/i;

const KEYWORDS_MAX = 100;

/** The tags of keywords with blanks or commas between them. */
export function keywordTags(text: string): string[] {
  const words = text.split(/[\s,]+/, KEYWORDS_MAX).filter(word => word !== '');
  return words.flatMap(word => {
    const number = /^\$label([1-5])$/i.exec(word)?.[1];
    if (number !== undefined) return MOZILLA_LABELS[Number(number) - 1] ?? [];
    if (THEIRS.test(word)) return [];
    // Thunderbird takes capitals away also where they mean letters beyond ASCII.
    const name = (/&[^-&]*[A-Z]/.test(word) ? decodeFolderName(word) : word).replaceAll('_', ' ').trim();
    return name === '' ? [] : [name];
  });
}
