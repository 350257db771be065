// A message may hold several HTML parts, one after another. They are kept in one text, but never read as one document: an open
// tag, attribute, comment or style in one of them would swallow the next. A sender who writes the break gets a part more.

const PART_BREAK = '\n<!--keyfold-next-part-->\n';

/** Parts in the one text that stands for them. */
export const joinHtmlParts = (parts: readonly string[]): string => parts.join(PART_BREAK);

/** Parts that are told apart; of more, which only a hostile sender writes, the last ones are read as one document. */
const PARTS_MAX = 100;

/** The parts of a text made by {@link joinHtmlParts}; most have one. Each is a document of its own. */
export function splitHtmlParts(html: string): string[] {
  const parts = html.split(PART_BREAK);
  return parts.length <= PARTS_MAX
    ? parts
    : [...parts.slice(0, PARTS_MAX - 1), parts.slice(PARTS_MAX - 1).join(PART_BREAK)];
}
