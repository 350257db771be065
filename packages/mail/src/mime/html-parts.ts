// A message may hold several HTML parts in sequence. They are stored in one text but never read as
// one document: an open tag, attribute, comment or style in one part would swallow the next. A
// sender who writes the separator only creates another part.

const PART_BREAK = '\n<!--keyfold-next-part-->\n';

/** Joins parts into one text. */
export const joinHtmlParts = (parts: readonly string[]): string => parts.join(PART_BREAK);

/**
 * Maximum number of parts kept separate; if there are more, as only a hostile sender writes, the
 * last ones are read as one document.
 */
const PARTS_MAX = 100;

/**
 * Returns the parts of a text made by {@link joinHtmlParts}; most texts have one. Each is a
 * separate document.
 */
export function splitHtmlParts(html: string): string[] {
  const parts = html.split(PART_BREAK);
  return parts.length <= PARTS_MAX
    ? parts
    : [...parts.slice(0, PARTS_MAX - 1), parts.slice(PARTS_MAX - 1).join(PART_BREAK)];
}
