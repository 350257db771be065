// A message may hold several HTML parts, one after another. They are kept in one text, but never read as one document: an open
// tag, attribute, comment or style in one of them would swallow the next. A sender who writes the break gets a part more.

const PART_BREAK = '\n<!--keyfold-next-part-->\n';

/** Parts in the one text that stands for them. */
export const joinHtmlParts = (parts: readonly string[]): string => parts.join(PART_BREAK);

/** The parts of a text made by {@link joinHtmlParts}; most have one. Each is a document of its own. */
export const splitHtmlParts = (html: string): string[] => html.split(PART_BREAK);
