// Turns a clean tree into one that an editor accepts: converts word processor styles to elements,
// removes styles and empty pictures, restores Content-IDs. Works only on the sanitizer's result and
// makes nothing safe by itself.

import { keepDataTables } from './data-tables.ts';
import { readStyle } from './plain-style.ts';

/**
 * Stands for `cid:` while the sanitizer decides about addresses, because it allows few schemes for
 * pictures.
 */
export const cidMark = 'blob:cid/';

const isHeavy = (weight: string): boolean =>
  weight === 'bold' || weight === 'bolder' || (/^\d+$/.test(weight) && Number(weight) >= 600);

/** Returns the elements equivalent to a style. */
function elementsFor(style: ReadonlyMap<string, string>): string[] {
  const decoration = `${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`;
  return [
    ...(isHeavy(style.get('font-weight') ?? '') ? ['strong'] : []),
    ...(/^(?:italic|oblique)/.test(style.get('font-style') ?? '') ? ['em'] : []),
    ...(decoration.includes('underline') ? ['u'] : []),
    ...(decoration.includes('line-through') ? ['s'] : []),
  ];
}

const SAID_BY_ELEMENTS = new Set([
  'a',
  'u',
  's',
  'b',
  'strong',
  'em',
  'i',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);

function wrapContent(element: Element, names: readonly string[]): void {
  for (const name of names) {
    const wrapper = element.ownerDocument.createElement(name);
    wrapper.append(...element.childNodes);
    element.append(wrapper);
  }
}

/** Replaces an element with its content. */
function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

/** Word's lists are paragraphs with a typed bullet. */
const WORD_BULLET = /^[\s\u00a0]*(?:[·•▪§o‣◦-]|(\d{1,3}|[a-z])[.)])[\s\u00a0]+/i;

function listOf(paragraph: Element, isNumbered: boolean): Element {
  const name = isNumbered ? 'ol' : 'ul';
  const before = paragraph.previousElementSibling;
  if (before?.localName === name && before.getAttribute('class') === 'word-list') return before;
  const list = paragraph.ownerDocument.createElement(name);
  list.setAttribute('class', 'word-list');
  paragraph.before(list);
  return list;
}

function rebuildWordLists(box: Element): void {
  for (const paragraph of box.querySelectorAll('p[class*="MsoListParagraph"]')) {
    const found = WORD_BULLET.exec(paragraph.textContent ?? '');
    if (found === null) continue;
    let excess = found[0].length;
    const texts = paragraph.ownerDocument.createTreeWalker(paragraph, 4);
    while (excess > 0 && texts.nextNode() !== null) {
      const text = texts.currentNode as Text;
      const cut = Math.min(excess, text.length);
      text.deleteData(0, cut);
      excess -= cut;
    }
    const item = paragraph.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    listOf(paragraph, found[1] !== undefined).append(item);
    paragraph.remove();
  }
}

/** Changes the tree in place and returns it; `isPasted` marks content copied from elsewhere. */
export function readyForEditing(box: HTMLElement, styleName: string, isPasted: boolean): HTMLElement {
  keepDataTables(box, styleName, isPasted);
  for (const element of box.querySelectorAll('*')) {
    const style = readStyle(element.getAttribute(styleName) ?? '');
    element.removeAttribute(styleName);
    const name = element.localName;
    if (name === 'img') {
      const source = element.getAttribute('src') ?? '';
      if (source === '') element.remove();
      else if (source.startsWith(cidMark))
        element.setAttribute('src', `cid:${decodeURIComponent(source.slice(cidMark.length))}`);
    } else if (style.get('display') === 'none' || style.get('mso-hide') === 'all') {
      element.remove();
    } else if (name === 'b' && /^(?:normal|400)$/.test(style.get('font-weight') ?? '')) {
      // Google Docs wraps all copied content in this element.
      unwrap(element);
    } else if (!SAID_BY_ELEMENTS.has(name)) {
      wrapContent(element, elementsFor(style));
    }
  }
  rebuildWordLists(box);
  return box;
}
