// Finds the earlier mail that an HTML answer carries at its end, as the common programs write it, and puts it behind "···"
// without a script: a details element. Forwards, and answers written between quoted lines, stay as they are.

/** Elements that hold an earlier mail and nothing else. */
const quoteBoxes =
  '.gmail_quote, .protonmail_quote, .tutanota_quote, .yahoo_quoted, .zmail_extra, .moz-cite-prefix + blockquote, blockquote[type="cite" i], blockquote.cite';

/** Where an earlier mail begins, up to the end of the element around it. */
const quoteStarts = '#appendonsend, #divRplyFwdMsg, #mail-editor-reference-message-container';

const attribution =
  /^\s*(?:on|am|le|el|il|op|den|em)\b[\s\S]{4,300}(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev)[^:]{0,80}:\s*$/i;
const forwardMark =
  /^[\s\S]{0,80}(?:forwarded message|begin forwarded|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato)/i;
const mailHead =
  /^\s*(?:from|von|de|da|van|från)\s*:[\s\S]{1,300}?(?:sent|date|gesendet|datum|envoyé|enviado|inviato|verzonden|skickat)\s*:/i;
const maxHeadCandidates = 400;
/** Quotations that are looked at, the outer ones first: a mail made of thousands must not hold the page up. */
const maxQuotes = 100;

/** Whether a subject says that a mail is passed on, in which case what is below is what it is about. */
export const isForwardSubject = (subject: string): boolean =>
  /^\s*(?:fwd?|wg|tr|rv|i|vb|enc)\s*:/i.test(subject);

const textOf = (node: Node): string =>
  (node.textContent ?? '').replace(/[\s\u00a0\u200b\ufeff]+/g, ' ').trim();

const hasWords = (node: Node): boolean =>
  textOf(node) !== '' || (node instanceof Element && node.querySelector('img') !== null);

/** What follows a node in its document, its own content left out, within `root`. */
function* following(node: Node, root: Node): Generator<Node> {
  for (let at: Node | null = node; at !== null && at !== root; at = at.parentNode) {
    for (let next = at.nextSibling; next !== null; next = next.nextSibling) yield next;
  }
}

function isAtEnd(quote: Element, root: Element): boolean {
  for (const node of following(quote, root)) {
    const element = node.nodeType === 1 ? (node as Element) : null;
    if (element?.matches(`${quoteBoxes}, .gmail_signature, .moz-signature, style`)) continue;
    if (textOf(node) !== '') return false;
  }
  return true;
}

/** The line "On … wrote:" right above a quotation, when there is one. */
function attributionAbove(quote: Element): Element | null {
  let above = quote.previousElementSibling;
  while (above !== null && (above.localName === 'br' || !hasWords(above)))
    above = above.previousElementSibling;
  return above !== null && attribution.test(above.textContent ?? '') ? above : null;
}

/** The heading of an Outlook mail: an element whose words begin with From and Sent. */
function findMailHead(root: Element): Element | null {
  let seen = 0;
  for (const element of root.querySelectorAll('div, p')) {
    seen += 1;
    if (seen > maxHeadCandidates) return null;
    const text = (element.textContent ?? '').slice(0, 400);
    if (!mailHead.test(text)) continue;
    // The innermost one: what is around it also holds the answer.
    const isInner = ![...element.children].some(child =>
      mailHead.test((child.textContent ?? '').slice(0, 400)),
    );
    if (isInner && /^(?:div|p)$/.test(element.localName)) return outmostStart(element, root);
  }
  return null;
}

/** Climbs as long as nothing stands before the element in the one around it. */
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

/** Whether anything is left to read when the fold is closed. */
function leavesWords(root: Element, fold: Element): boolean {
  const copy = frame(root).createRange();
  copy.setStart(root, 0);
  copy.setEndBefore(fold);
  return (
    copy.toString().trim() !== '' || [...root.querySelectorAll('img')].some(image => !fold.contains(image))
  );
}

const frame = (element: Element): Document => element.ownerDocument;

/** Folds `nodes`, which follow one another, unless nothing else would be left. */
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

/** Puts the earlier mail behind "···". `label` is what the control is called. */
export function foldQuotes(root: Element, label: string): void {
  for (const quote of [...root.querySelectorAll(quoteBoxes)].slice(0, maxQuotes)) {
    if (quote.closest('details.kf-quote') !== null || !quote.isConnected) continue;
    const above = attributionAbove(quote);
    if (forwardMark.test(textOf(quote)) || (above !== null && forwardMark.test(textOf(above)))) continue;
    if (!isAtEnd(quote, root)) continue;
    const nodes: ChildNode[] = [];
    for (
      let node: ChildNode | null = above ?? quote;
      node !== null && node !== quote;
      node = node.nextSibling
    )
      nodes.push(node);
    foldNodes(root, [...nodes, quote], label);
  }
  if (root.querySelector('details.kf-quote') !== null) return;
  const start = root.querySelector(quoteStarts) ?? findMailHead(root);
  if (start !== null && !forwardMark.test(textOf(start))) foldFrom(root, start, label);
}
