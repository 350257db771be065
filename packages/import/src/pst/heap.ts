// Reads the heap in a node's data ([MS-PST] 2.3.1), and the tree in it that indexes properties and
// rows (2.3.2). Heap ids refer to bytes inside the heap; subnode ids are stored in the same fields
// and refer to data outside it.

import { concatBytes } from '@keyfold/mail/bytes';
import { viewOf } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import { HEAP_LEVELS_MAX } from './limits.ts';
import type { PstNode } from './node.ts';

/** Content types of a heap, by the byte in its header. */
export const HEAP_KINDS = { properties: 0xbc, table: 0x7c } as const;

const HEAP_SIGNATURE = 0xec;
const TREE_SIGNATURE = 0xb5;

export class Heap {
  readonly kind: number;
  /** Id of the heap's root object. */
  readonly rootId: number;
  readonly #node: PstNode;
  readonly #pieces: readonly Uint8Array<ArrayBuffer>[];

  private constructor(node: PstNode, pieces: readonly Uint8Array<ArrayBuffer>[], first: DataView) {
    this.#node = node;
    this.#pieces = pieces;
    this.kind = first.getUint8(3);
    this.rootId = first.getUint32(4, true);
  }

  /**
   * Reads a node's data as a heap. Throws `damaged` when it is not a heap, or one of another type.
   */
  static async read(node: PstNode, kind: number): Promise<Heap> {
    const pieces = await node.readPieces();
    const [first] = pieces;
    if (first === undefined || first.length < 12) throw new ImportError('damaged');
    const heap = new Heap(node, pieces, viewOf(first));
    if (viewOf(first).getUint8(2) !== HEAP_SIGNATURE || heap.kind !== kind) throw new ImportError('damaged');
    return heap;
  }

  /**
   * Returns bytes stored in the heap itself; empty for the id 0. Throws `damaged` when the id leads
   * nowhere.
   */
  bytesOf(heapId: number): Uint8Array<ArrayBuffer> {
    if (heapId === 0) return new Uint8Array();
    const piece = this.#pieces[heapId >>> 16];
    const index = (heapId >>> 5) & 0x7ff;
    if (piece === undefined || index === 0 || piece.length < 2) throw new ImportError('damaged');
    const view = viewOf(piece);
    const map = view.getUint16(0, true);
    if (map + 4 > piece.length) throw new ImportError('damaged');
    const count = view.getUint16(map, true);
    const at = map + 4 + 2 * (index - 1);
    if (index > count || at + 4 > piece.length) throw new ImportError('damaged');
    const [start, end] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (start > end || end > piece.length) throw new ImportError('damaged');
    return piece.subarray(start, end);
  }

  /** Returns the pieces of a value, from the heap or from a subnode of the node. */
  async piecesOf(id: number): Promise<readonly Uint8Array<ArrayBuffer>[]> {
    if ((id & 0x1f) === 0) return id === 0 ? [] : [this.bytesOf(id)];
    const subnode = await this.#node.findSubnode(id);
    if (subnode === null) throw new ImportError('damaged');
    return subnode.readPieces();
  }

  /** Returns a value in one piece. */
  async valueOf(id: number): Promise<Uint8Array<ArrayBuffer>> {
    const pieces = await this.piecesOf(id);
    const [only] = pieces;
    return only !== undefined && pieces.length === 1 ? only : concatBytes(pieces);
  }

  /**
   * Returns the records of the tree at this id, key and data together, in key order. Throws
   * `too_large` beyond `recordsMax`, and `damaged` when the widths of key or data, in bytes, differ
   * from those the caller reads.
   */
  records(treeId: number, keyBytes: number, dataBytes: number, recordsMax: number): DataView[] {
    const header = this.bytesOf(treeId);
    if (header.length < 8 || header[0] !== TREE_SIGNATURE) throw new ImportError('damaged');
    const levels = header[3] as number;
    if (header[1] !== keyBytes || header[2] !== dataBytes || levels > HEAP_LEVELS_MAX) {
      throw new ImportError('damaged');
    }
    const records: DataView[] = [];
    let steps = 0;
    const walk = (id: number, level: number): void => {
      // Branches may all lead to one leaf, so steps are counted, not only results.
      if (++steps > recordsMax) throw new ImportError('too_large');
      const bytes = this.bytesOf(id);
      const size = keyBytes + (level === 0 ? dataBytes : 4);
      for (let at = 0; at + size <= bytes.length; at += size) {
        const record = viewOf(bytes.subarray(at, at + size));
        if (level > 0) walk(record.getUint32(keyBytes, true), level - 1);
        else records.push(record);
        if (records.length > recordsMax) throw new ImportError('too_large');
      }
    };
    walk(viewOf(header).getUint32(4, true), levels);
    return records;
  }
}
