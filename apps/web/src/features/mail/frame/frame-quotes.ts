// Finds the quoted message at the end of an HTML reply, in the forms that common mail programs
// write, and folds it behind "···" with a details element, without scripts. Forwarded messages and
// inline replies stay as they are.
import {
  countAttributionLines,
  findEarlierMail,
  isAttribution,
  isFooter,
  isForwardMark,
} from '@keyfold/mail/mime/reply-heads';

/** Elements that contain a quoted message. */
const quoteBoxes =
  '.gmail_quote, .protonmail_quote, .tutanota_quote, .yahoo_quoted, .zmail_extra, .front-blockquote, .moz-cite-prefix + blockquote, blockquote[type="cite" i], blockquote.cite, blockquote.cite2, div[name="quote"]';

/** Boxes with a line at the side, as Outlook draws around each run of quoted text. */
const linedBoxes = 'blockquote, div[style*="border-left" i]';

/** Elements where a quoted message begins; it extends to the end of the parent element. */
const quoteStarts =
  '#appendonsend, #divRplyFwdMsg, #mail-editor-reference-message-container, #zwchr, #OLK_SRC_BODY_SECTION';

const signatures =
  '.gmail_signature, .gmail_signature_prefix, .moz-signature, .protonmail_signature_block, #Signature, #ms-outlook-mobile-signature';

const MAX_HEAD_CANDIDATES = 400;
/**
 * Maximum number of quotations to check, outermost first, so that a message with thousands of them
 * cannot block the page.
 */
const MAX_QUOTES = 100;
/** Maximum number of characters in which a reply header is searched for. */
const MAX_HEAD_CHARACTERS = 4_000;
/** A header may be one element or a sequence of them. */
const MAX_HEAD_ELEMENTS = 16;

/** Returns whether a subject marks a forwarded message, where the quoted text is the content. */
export const isForwardSubject = (subject: string): boolean =>
  /^\s*(?:fwd?|wg|tr|rv|i|vb|enc)\s*:/i.test(subject);

const textOf = (node: Node): string =>
  (node.textContent ?? '').replace(/[\s\u00a0\u200b\ufeff]+/g, ' ').trim();

const hasWords = (node: Node): boolean =>
  textOf(node) !== '' || (node instanceof Element && node.querySelector('img') !== null);

/**
 * Yields the nodes after a node in document order within `root`, without the node's own content.
 */
function* following(node: Node, root: Node): Generator<Node> {
  for (let at: Node | null = node; at !== null && at !== root; at = at.parentNode) {
    for (let next = at.nextSibling; next !== null; next = next.nextSibling) yield next;
  }
}

const blocks =
  /^(?:address|article|blockquote|center|dd|div|dl|dt|footer|form|h[1-6]|header|hr|li|ol|p|pre|section|table|tr|ul)$/;
const rule = '_'.repeat(20);

/** Returns the visible lines of text of the nodes, with an empty line after each paragraph. */
function linesOf(nodes: Iterable<Node>): string[] {
  let text = '';
  const read = (node: Node): void => {
    if (text.length > MAX_HEAD_CHARACTERS) return;
    if (node.nodeType === 3) {
      text += (node.nodeValue ?? '').replace(/[ \t\r\n\f\u00a0]+/g, ' ');
      return;
    }
    if (!(node.nodeType === 1) || (node as Element).localName === 'style') return;
    const { localName } = node as Element;
    if (localName === 'br') text += '\n';
    else if (localName === 'hr') text += `\n${rule}\n`;
    const isBlock = blocks.test(localName);
    if (isBlock && text !== '' && !text.endsWith('\n')) text += '\n';
    for (const child of node.childNodes) read(child);
    if (isBlock && !text.endsWith('\n')) text += '\n';
    if (localName === 'p') text += '\n';
    else if (localName === 'td' || localName === 'th') text += ' ';
  };
  for (const node of nodes) read(node);
  return text.trim().split('\n');
}

/**
 * Returns whether a quotation is followed only by further quotations, a signature or a mailing list
 * footer.
 */
function isAtEnd(quote: Element, root: Element): boolean {
  const below: Node[] = [];
  for (const node of following(quote, root)) {
    const element = node.nodeType === 1 ? (node as Element) : null;
    if (element?.matches(`${quoteBoxes}, ${linedBoxes}, ${signatures}, style`)) continue;
    if (/^[bh]r$/.test(element?.localName ?? '') || textOf(node) !== '') below.push(node);
  }
  return below.every(node => textOf(node) === '') || isFooter(linesOf(below));
}

/** Returns the nodes directly above a quotation that name its author, or none. */
function attributionAbove(quote: Element): ChildNode[] {
  const found: ChildNode[] = [];
  for (let above = quote.previousSibling; above !== null; above = above.previousSibling) {
    const element = above.nodeType === 1 ? (above as Element) : null;
    if (element !== null && blocks.test(element.localName)) {
      if (found.some(hasWords)) break;
      found.unshift(above);
      if (hasWords(element)) break;
    } else if (element?.localName === 'br' && found.some(hasWords)) break;
    else found.unshift(above);
  }
  return isAttribution(found.map(textOf).join(' ')) ? found : [];
}

/** Returns whether a box contains new text between or above quotations, as in an inline reply. */
function holdsAnswers(box: Element): boolean {
  if (box.localName === 'blockquote' || box.querySelector('blockquote') === null) return false;
  const copy = box.cloneNode(true) as Element;
  const outer = [...copy.querySelectorAll('blockquote')].filter(
    quote => quote.parentElement?.closest('blockquote') == null,
  );
  for (const quote of outer) {
    const line = copy.ownerDocument.createElement('div');
    line.textContent = '>';
    quote.replaceWith(line);
  }
  for (const known of copy.querySelectorAll('.gmail_attr, .moz-cite-prefix, style')) known.remove();
  const lines = linesOf([copy]);
  const first = lines.indexOf('>');
  const above = lines.slice(0, first);
  const left = [...above.slice(0, above.length - countAttributionLines(above)), ...lines.slice(first)];
  const isLast = (at: number) => isFooter(left.slice(at));
  const answer = left.findIndex(line => line !== '>' && line.trim() !== '');
  return answer >= 0 && !isLast(answer);
}

/**
 * Returns whether the text of an element, alone or with what follows, begins a quoted message in a
 * form that mail programs write.
 */
function beginsMail(element: Element): boolean {
  if (!/^[^:：]{0,40}[:：]|[-_–—=]{2}/u.test((element.textContent ?? '').trimStart().slice(0, 60)))
    return false;
  const isFound = (lines: string[]) => {
    const found = findEarlierMail(lines);
    return found?.start === 0 && !found.isForward;
  };
  if (isFound(linesOf([element]))) return true;
  const row: Node[] = [];
  for (
    let node: Node | null = element;
    node !== null && row.length < MAX_HEAD_ELEMENTS;
    node = node.nextSibling
  )
    row.push(node);
  return isFound(linesOf(row));
}

/**
 * Finds the header of a message quoted by Outlook: an element whose text begins with From and Sent.
 */
function findMailHead(root: Element): Element | null {
  let seen = 0;
  for (const element of root.querySelectorAll('div, p, table')) {
    seen += 1;
    if (seen > MAX_HEAD_CANDIDATES) return null;
    if (!beginsMail(element)) continue;
    // Takes the innermost match, because the elements around it also contain the reply.
    if (![...element.children].some(child => /^(?:div|p|table)$/.test(child.localName) && beginsMail(child)))
      return outmostStart(element, root);
  }
  return null;
}

/** Climbs to the outermost element that has nothing before the start. */
function outmostStart(start: Element, root: Element): Element {
  let element = start;
  for (;;) {
    const around = element.parentElement;
    if (around === null || around === root) return element;
    for (let before = element.previousSibling; before !== null; before = before.previousSibling)
      if (hasWords(before)) return element;
    element = around;
  }
}

function makeFold(frame: Document, label: string): HTMLDetailsElement {
  const fold = frame.createElement('details');
  fold.className = 'kf-quote';
  const summary = frame.createElement('summary');
  summary.textContent = '···';
  summary.setAttribute('aria-label', label);
  summary.title = label;
  fold.append(summary);
  return fold;
}

/** Returns whether any text stays visible while the fold is closed. */
function leavesWords(root: Element, fold: Element): boolean {
  const copy = frame(root).createRange();
  copy.setStart(root, 0);
  copy.setEndBefore(fold);
  return (
    copy.toString().trim() !== '' || [...root.querySelectorAll('img')].some(image => !fold.contains(image))
  );
}

const frame = (element: Element): Document => element.ownerDocument;

/** Folds the consecutive `nodes`, unless nothing else would stay visible. */
function foldNodes(root: Element, nodes: readonly ChildNode[], label: string): boolean {
  const [first] = nodes;
  if (first === undefined) return false;
  const fold = makeFold(frame(root), label);
  first.before(fold);
  fold.append(...nodes);
  if (leavesWords(root, fold)) return true;
  fold.replaceWith(...nodes);
  return false;
}

function foldFrom(root: Element, start: Element, label: string): boolean {
  const nodes: ChildNode[] = [start];
  for (let next = start.nextSibling; next !== null; next = next.nextSibling) nodes.push(next);
  return foldNodes(root, nodes, label);
}

/** Returns the outermost element around a quotation that contains nothing else. */
function outmostBox(quote: Element, root: Element): Element {
  let box = quote;
  for (;;) {
    const around = box.parentElement;
    if (around === null || around === root || around.matches('.mail-body')) return box;
    if (textOf(around).length !== textOf(box).length) return box;
    box = around;
  }
}

/** Folds a quotation at the end of the message, together with the attribution above it. */
function foldBox(root: Element, quote: Element, label: string): void {
  const own = attributionAbove(quote);
  const box = own.length > 0 ? quote : outmostBox(quote, root);
  const above = own.length > 0 ? own : attributionAbove(box);
  if (above.length === 0 && !quote.matches(quoteBoxes)) return;
  const [firstLine = ''] = linesOf([quote]);
  if (isForwardMark(firstLine) || isForwardMark(above.map(textOf).join(' '))) return;
  if (isAtEnd(box, root)) foldNodes(root, [...above, box], label);
}

/** Folds the quoted message behind "···". `label` is the accessible name of the control. */
export function foldQuotes(root: Element, label: string): void {
  for (const quote of [...root.querySelectorAll(`${quoteBoxes}, blockquote`)].slice(0, MAX_QUOTES)) {
    if (quote.closest('details.kf-quote') !== null || !quote.isConnected || holdsAnswers(quote)) continue;
    foldBox(root, quote, label);
  }
  if (root.querySelector('details.kf-quote') !== null) return;
  const start = root.querySelector(quoteStarts) ?? findMailHead(root);
  if (start === null || isForwardMark(linesOf([start])[0] ?? '')) return;
  const lined = start.closest(linedBoxes);
  if (lined !== null && root.contains(lined)) {
    if (isAtEnd(lined, root)) foldNodes(root, [lined], label);
    return;
  }
  const above = start.previousElementSibling;
  const isRuled = above?.localName === 'hr' && above.nextElementSibling === start;
  foldFrom(root, isRuled ? above : start, label);
}
