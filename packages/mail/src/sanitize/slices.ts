// [Note: Slices] DOMPurify needs 80 ms for a newsletter of 100 KB, during which the page does not
// respond. It decides about single elements and depends only on the namespace of the parent, so it
// receives the tree in pieces: small subtrees whole, and for larger ones the element without its
// content, then the content. Only elements that are kept anyway are split; any other goes to
// DOMPurify whole, however large.

/** Number of elements purified at once; several milliseconds of work. */
const SLICE_ELEMENTS = 60;
const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

type Opened = {
  nodes: readonly ChildNode[];
  next: number;
  target: Element;
};

// Counts the elements of each subtree, including its root.
function countElements(root: Element): Map<Node, number> {
  const counts = new Map<Node, number>();
  const elements = root.querySelectorAll('*');
  for (let index = elements.length - 1; index >= 0; index--) {
    const element = elements[index] as Element;
    const count = (counts.get(element) ?? 0) + 1;
    counts.set(element, count);
    const parent = element.parentNode;
    if (parent) counts.set(parent, (counts.get(parent) ?? 0) + count);
  }
  return counts;
}

/**
 * Fills `target` with the purified content of `source`, whose nodes are consumed. Yields after
 * every piece of work. `purify` returns its argument made safe in a fragment; `keptTags` are the
 * names of elements that it keeps.
 */
export function* purifyInSlices(
  source: Element,
  target: Element,
  purify: (node: Node) => DocumentFragment,
  keptTags: ReadonlySet<string>,
): Generator<void, void> {
  const counts = countElements(source);
  const isLarge = (node: ChildNode): node is Element & ChildNode => {
    const { localName, namespaceURI } = node as unknown as Element;
    const isKept = namespaceURI === HTML_NAMESPACE && keptTags.has(localName);
    return isKept && (counts.get(node) ?? 0) > SLICE_ELEMENTS;
  };
  const opened: Opened[] = [{ nodes: [...source.childNodes], next: 0, target }];
  for (let current = opened.at(-1); current; current = opened.at(-1)) {
    const piece = takePiece(current, source.ownerDocument, node =>
      isLarge(node) ? null : (counts.get(node) ?? 1),
    );
    if (piece.hasChildNodes()) {
      moveChildren(purify(piece).firstElementChild, current.target);
      yield;
      continue;
    }
    const large = current.nodes[current.next++];
    if (!large) {
      opened.pop();
      continue;
    }
    const shell = purify(large.cloneNode(false)).firstElementChild;
    if (shell) {
      current.target.append(shell);
      opened.push({ nodes: [...large.childNodes], next: 0, target: shell });
    }
  }
}

function moveChildren(from: Element | null, to: Element): void {
  while (from?.firstChild) to.append(from.firstChild);
}

// Moves the next siblings, as many as make a piece, into a box; none when the next one is large,
// for which `weigh` returns null.
function takePiece(from: Opened, owner: Document, weigh: (node: ChildNode) => number | null): Element {
  const piece = owner.createElement('div');
  let weight = 0;
  for (let node = from.nodes[from.next]; node; node = from.nodes[from.next]) {
    const more = weigh(node);
    if (more === null || (weight > 0 && weight + more > SLICE_ELEMENTS)) break;
    piece.append(node);
    weight += more;
    from.next++;
  }
  return piece;
}
