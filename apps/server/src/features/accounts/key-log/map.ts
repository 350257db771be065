/**
 * Map of the key log as nodes by prefix (a text of 0 and 1). A leaf is stored at its shortest
 * unique prefix. Works only on the nodes it is given, which must cover the paths to all tags in
 * question.
 */
import { bitOf, emptyHash, mapLeafHash, nodeHash } from '@keyfold/crypto/key-log/hashes';

export type MapNode =
  | { readonly kind: 'leaf'; readonly tag: Uint8Array; readonly entry: Uint8Array }
  | { readonly kind: 'node'; readonly left: Uint8Array; readonly right: Uint8Array };
export type MapNodes = Map<string, MapNode>;

const TAG_BITS = 256;

const bitsOf = (tag: Uint8Array): string =>
  Array.from({ length: TAG_BITS }, (_, depth) => bitOf(tag, depth)).join('');

/** Returns every prefix on the path to a tag in a map whose deepest leaf is at `depth`. */
export function prefixesOf(tag: Uint8Array, depth: number): string[] {
  const bits = bitsOf(tag);
  return Array.from({ length: depth + 1 }, (_, length) => bits.slice(0, length));
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/**
 * Inserts an entry into the map. Calls `changed` with every prefix whose node is new or different.
 * Returns the depth of the leaf.
 */
export async function putEntry(
  nodes: MapNodes,
  changed: Set<string>,
  { tag, entry }: { readonly tag: Uint8Array; readonly entry: Uint8Array },
): Promise<number> {
  const bits = bitsOf(tag);
  const empty = await emptyHash();
  const put = (prefix: string, node: MapNode): void => {
    nodes.set(prefix, node);
    changed.add(prefix);
  };
  let depth = 0;
  while (nodes.get(bits.slice(0, depth))?.kind === 'node') depth++;
  const here = nodes.get(bits.slice(0, depth));
  if (here?.kind === 'leaf' && !isEqual(here.tag, tag)) {
    // Two entries share this prefix: move both down to where their tags diverge.
    const others = bitsOf(here.tag);
    let parting = depth;
    while (bits[parting] === others[parting]) parting++;
    for (let at = depth; at < parting; at++)
      put(bits.slice(0, at), { kind: 'node', left: empty, right: empty });
    const beside = await mapLeafHash(here.tag, here.entry);
    put(bits.slice(0, parting), { kind: 'node', left: beside, right: beside });
    put(others.slice(0, parting + 1), here);
    depth = parting + 1;
  }
  put(bits.slice(0, depth), { kind: 'leaf', tag, entry });
  let hash: Uint8Array = await mapLeafHash(tag, entry);
  for (let at = depth - 1; at >= 0; at--) {
    const prefix = bits.slice(0, at);
    const node = nodes.get(prefix);
    if (node?.kind !== 'node') throw new Error('A node of the key log is missing');
    const next = bits[at] === '0' ? { ...node, left: hash } : { ...node, right: hash };
    put(prefix, next);
    hash = await nodeHash(next.left, next.right);
  }
  return depth;
}

/** Returns the root hash of the map. */
export async function mapRootOf(nodes: MapNodes): Promise<Uint8Array> {
  const root = nodes.get('');
  if (root === undefined) return emptyHash();
  return root.kind === 'leaf' ? mapLeafHash(root.tag, root.entry) : nodeHash(root.left, root.right);
}

/** Returns the sibling hashes along the path to a tag, and the leaf at its end, if any. */
export function wayTo(nodes: MapNodes, tag: Uint8Array) {
  const bits = bitsOf(tag);
  const path: Uint8Array[] = [];
  for (let depth = 0; ; depth++) {
    const node = nodes.get(bits.slice(0, depth));
    if (node?.kind !== 'node') return { path: Buffer.concat(path), end: node };
    path.push(bits[depth] === '0' ? node.right : node.left);
  }
}
