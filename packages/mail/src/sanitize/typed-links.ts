// Web addresses that somebody typed into a formatted letter, as editors leave them: text, and no links. Makes links of them in
// a tree that is clean already; where each may lead is decided afterwards, as for every other link of the mail.

import { splitLinks } from '../links-in-text.ts';

/** Elements that are links, or that a press already does something to. */
const PRESSED = 'a,area,summary';
/** Texts that are looked at between two pauses. */
const TEXTS_PER_STEP = 200;

/** Puts typed addresses of `root` into links without any say about their targets. Yields after every piece of work. */
export function* linkTypedAddresses(root: Element): Generator<void, void> {
  const { ownerDocument: page } = root;
  const walker = page.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) texts.push(node as Text);
  for (const [index, text] of texts.entries()) {
    if (index % TEXTS_PER_STEP === TEXTS_PER_STEP - 1) yield;
    if (!/https?:\/\//i.test(text.data) || text.parentElement?.closest(PRESSED)) continue;
    const parts = splitLinks(text.data);
    if (!parts.some(({ href }) => href !== undefined)) continue;
    text.replaceWith(
      ...parts.map(part => {
        if (part.href === undefined) return part.text;
        const link = page.createElement('a');
        link.setAttribute('href', part.href);
        link.append(part.text);
        return link;
      }),
    );
  }
}
