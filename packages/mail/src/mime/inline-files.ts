// Decides which files of a message are pictures in its text rather than files for the reader:
// bitmaps that the HTML references by Content-ID. A "related" picture that the text does not show
// is an ordinary file.

import type { ParsedAttachment } from './parse.ts';

const BITMAP = /^image\/(?!svg)/i;

/** Returns the Content-IDs that an HTML text references, in lowercase, without brackets. */
export function contentIdsIn(html: string | null): ReadonlySet<string> {
  const found = new Set<string>();
  if (html === null) return found;
  for (const [, raw = ''] of html.matchAll(/\bcid:([^\s"'<>)]{1,300})/gi)) {
    let id = raw;
    try {
      id = decodeURIComponent(raw);
    } catch {
      // A stray percent sign is part of the name.
    }
    found.add(id.replaceAll('&amp;', '&').toLowerCase());
  }
  return found;
}

/**
 * Reports whether a file is shown inside the text; `shownIds` is the result of {@link
 * contentIdsIn}.
 */
export function isShownInline(
  file: Pick<ParsedAttachment, 'contentId' | 'mimeType'>,
  shownIds: ReadonlySet<string>,
): boolean {
  if (file.contentId === null || !BITMAP.test(file.mimeType)) return false;
  return shownIds.has(file.contentId.replace(/^<|>$/g, '').toLowerCase());
}
