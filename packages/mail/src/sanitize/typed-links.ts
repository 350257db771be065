// Turns web addresses typed into a formatted message, which editors leave as text, into links in an
// already clean tree. Link targets are decided afterwards, as for every other link of the message.

import { mayHaveLinks, splitLinks } from '../links-in-text.ts';

/** Elements that are links or already react to a click. */
const PRESSED = 'a,area,summary';
/** Number of texts examined between two pauses. */
const TEXTS_PER_STEP = 200;
/** Number of parts of one text inserted between two pauses. */
const PARTS_PER_STEP = 1_000;
/** Maximum number of links; the rest stays text. */
const LINKS_MAX = 5_000;

/**
 * Turns typed addresses in `root` into links without deciding about their targets. Yields after
 * every piece of work.
 */
export function* linkTypedAddresses(root: Element): Generator<void, void> {
  const { ownerDocument: page } = root;
  const walker = page.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  let linksLeft = LINKS_MAX;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) texts.push(node as Text);
  for (const [index, text] of texts.entries()) {
    if (index % TEXTS_PER_STEP === TEXTS_PER_STEP - 1) yield;
    if (!mayHaveLinks(text.data) || text.parentElement?.closest(PRESSED)) continue;
    const parts = splitLinks(text.data);
    if (!parts.some(({ href }) => href !== undefined)) continue;
    const filled = page.createDocumentFragment();
    for (const [at, part] of parts.entries()) {
      if (at % PARTS_PER_STEP === PARTS_PER_STEP - 1) yield;
      if (part.href === undefined || linksLeft === 0) {
        filled.append(part.text);
        continue;
      }
      linksLeft -= 1;
      const link = page.createElement('a');
      link.setAttribute('href', part.href);
      link.append(part.text);
      filled.append(link);
    }
    text.replaceWith(filled);
    if (linksLeft === 0) return;
  }
}
