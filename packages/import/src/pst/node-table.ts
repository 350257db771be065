// All nodes of a PST (folders and messages) in numeric columns: the locations of a million messages
// take 24 megabytes. The tree is walked once, when the file is opened.

import { ImportError } from '../errors.ts';
import { type PstShape, readId } from './header.ts';
import { NODES_MAX } from './limits.ts';
import type { PageCache } from './page-cache.ts';
import { pointedPage, readTreePage } from './tree-page.ts';

/** The lowest five bits of a node id encode its type ([MS-PST] 2.2.2.1). */
export const NODE_KINDS = { folder: 0x02, message: 0x04, attachment: 0x05 } as const;

export const kindOfNode = (nodeId: number): number => nodeId & 0x1f;

/** Locations of the two halves of a node: its data, and the tree of its subnodes. 0 for none. */
export type NodePlace = {
  nodeId: number;
  dataBlock: number;
  subnodeBlock: number;
};

export class NodeTable {
  readonly #ids: Uint32Array;
  readonly #data: Float64Array;
  readonly #subnodes: Float64Array;
  /** Rows of messages, ordered by folder, then by id. */
  readonly #messageRows: Uint32Array;
  /** For each folder, the range of its rows (end exclusive). */
  readonly #messageRanges: ReadonlyMap<number, readonly [number, number]>;
  readonly #subfolders: ReadonlyMap<number, readonly number[]>;

  constructor(ids: Uint32Array, data: Float64Array, subnodes: Float64Array, parents: Uint32Array) {
    this.#ids = ids;
    this.#data = data;
    this.#subnodes = subnodes;
    const counts = new Map<number, number>();
    const subfolders = new Map<number, number[]>();
    for (let row = 0; row < ids.length; row++) {
      const [id, parent] = [ids[row] as number, parents[row] as number];
      const kind = kindOfNode(id);
      if (kind === NODE_KINDS.message) counts.set(parent, (counts.get(parent) ?? 0) + 1);
      if (kind === NODE_KINDS.folder && parent !== id) {
        const list = subfolders.get(parent);
        if (list === undefined) subfolders.set(parent, [id]);
        else list.push(id);
      }
    }
    const ranges = new Map<number, [number, number]>();
    let start = 0;
    for (const [parent, count] of counts) {
      ranges.set(parent, [start, start]);
      start += count;
    }
    const rows = new Uint32Array(start);
    for (let row = 0; row < ids.length; row++) {
      if (kindOfNode(ids[row] as number) !== NODE_KINDS.message) continue;
      const range = ranges.get(parents[row] as number);
      if (range !== undefined) rows[range[1]++] = row;
    }
    this.#messageRows = rows;
    this.#messageRanges = ranges;
    this.#subfolders = subfolders;
  }

  /** Returns the node with this id, or null. */
  findNode(nodeId: number): NodePlace | null {
    let low = 0;
    let high = this.#ids.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const id = this.#ids[middle] as number;
      if (id === nodeId) return this.#place(middle);
      if (id < nodeId) low = middle + 1;
      else high = middle - 1;
    }
    return null;
  }

  /** Returns the ids of the direct subfolders. */
  subfolders(folderId: number): readonly number[] {
    return this.#subfolders.get(folderId) ?? [];
  }

  messageCount(folderId: number): number {
    const [start, end] = this.#messageRanges.get(folderId) ?? [0, 0];
    return end - start;
  }

  /** Yields the messages directly in this folder, ordered by id. */
  *messages(folderId: number): Generator<NodePlace> {
    const [start, end] = this.#messageRanges.get(folderId) ?? [0, 0];
    for (let at = start; at < end; at++) yield this.#place(this.#messageRows[at] as number);
  }

  /** Returns the folder ids that messages refer to, whether such a folder exists or not. */
  messageFolders(): IterableIterator<number> {
    return this.#messageRanges.keys();
  }

  #place(row: number): NodePlace {
    return {
      nodeId: this.#ids[row] as number,
      dataBlock: this.#data[row] as number,
      subnodeBlock: this.#subnodes[row] as number,
    };
  }
}

/** A column that doubles its capacity when full. */
class Column<T extends Uint32Array | Float64Array> {
  #values: T;
  #length = 0;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.#values = make(1024);
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = this.#make(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  get length(): number {
    return this.#length;
  }

  values(): T {
    return this.#values.subarray(0, this.#length) as T;
  }
}

/**
 * Walks the node tree from its root page. Throws `looping` when a page is reached twice, and
 * `damaged` when pages or their order are not those of a tree.
 */
export async function readNodeTable(pages: PageCache, shape: PstShape, rootPage: number): Promise<NodeTable> {
  const ids = new Column(length => new Uint32Array(length));
  const data = new Column(length => new Float64Array(length));
  const subnodes = new Column(length => new Float64Array(length));
  const parents = new Column(length => new Uint32Array(length));
  const seen = new Set<number>();
  const waiting: { offset: number; level: number | null }[] = [{ offset: rootPage, level: null }];
  let last = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next.offset)) throw new ImportError('looping');
    seen.add(next.offset);
    const page = await readTreePage(pages, shape, 'nodes', next.offset, next.level);
    if (page.level > 0) {
      // Pushed in reverse, because the last page pushed is the first one popped.
      for (let index = page.entryCount - 1; index >= 0; index--) {
        waiting.push({ offset: pointedPage(page, index, shape), level: page.level - 1 });
      }
      continue;
    }
    for (let index = 0; index < page.entryCount; index++) {
      const at = index * page.entryBytes;
      const id = page.view.getUint32(at, true);
      if (id <= last || ids.length >= NODES_MAX) throw new ImportError(id <= last ? 'damaged' : 'too_large');
      last = id;
      ids.push(id);
      data.push(readId(page.view, at + shape.idBytes, shape));
      subnodes.push(readId(page.view, at + 2 * shape.idBytes, shape));
      parents.push(page.view.getUint32(at + 3 * shape.idBytes, true));
    }
  }
  return new NodeTable(ids.values(), data.values(), subnodes.values(), parents.values());
}
