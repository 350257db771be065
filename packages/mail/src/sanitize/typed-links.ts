// Web addresses that somebody typed into a formatted letter, as editors leave them: text, and no links. Makes links of them in
// a tree that is clean already; where each may lead is decided afterwards, as for every other link of the mail.

import { mayHaveLinks, splitLinks } from '../links-in-text.ts';

/** Elements that are links, or that a press already does something to. */
const PRESSED = 'a,area,summary';
/** Texts that are looked at between two pauses. */
const TEXTS_PER_STEP = 200;
/** Parts of one text that are put in between two pauses. */
const PARTS_PER_STEP = 1_000;
/** Nobody reads more; the rest stays text. */
const LINKS_MAX = 5_000;

/** Puts typed addresses of `root` into links without any say about their targets. Yields after every piece of work. */
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
