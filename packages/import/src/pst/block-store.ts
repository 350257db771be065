// Reads PST blocks by id ([MS-PST] 2.2.2.8): looks them up in the block tree, decodes them, and
// joins values that span several blocks. The tree is queried each time and never held in memory.
// The path from a value to its bytes has at most three steps, each of a different kind, so no file
// can create a loop.

import { ImportError } from '../errors.ts';
import { showBlock } from './block-cipher.ts';
import { type PstHeader, readId } from './header.ts';
import {
  ITEM_MAX_BYTES,
  SUBNODES_MAX,
  TREE_LEVELS_MAX,
  UNPACKED_ANYWAY_BYTES,
  UNPACKED_PER_BYTE,
} from './limits.ts';
import type { NodePlace } from './node-table.ts';
import type { PageCache } from './page-cache.ts';
import { pointedPage, readTreePage } from './tree-page.ts';

type BlockPlace = {
  offset: number;
  sizeBytes: number;
};

/** Bytes that one item may still use; created for each item. */
export type Allowance = {
  bytesLeft: number;
};

export const newAllowance = (): Allowance => ({ bytesLeft: ITEM_MAX_BYTES });

/** The second-lowest bit of a block id says that the block contains the ids of others. */
const isInternal = (blockId: number): boolean => (blockId & 2) !== 0;
/** The lowest bit has no meaning. */
const bareId = (blockId: number): number => blockId - (blockId % 2);

export class BlockStore {
  /** True once the file has yielded as much as a file of its size may: reading must then end. */
  isExhausted = false;
  readonly #pages: PageCache;
  readonly #header: PstHeader;
  #bytesLeft: number;

  constructor(pages: PageCache, header: PstHeader) {
    this.#pages = pages;
    this.#header = header;
    this.#bytesLeft = UNPACKED_ANYWAY_BYTES + UNPACKED_PER_BYTE * pages.size;
  }

  get isUnicode(): boolean {
    return this.#header.shape.isUnicode;
  }

  async #findPlace(blockId: number): Promise<BlockPlace> {
    const { shape, blockTree } = this.#header;
    const wanted = bareId(blockId);
    let offset = blockTree;
    let level: number | null = null;
    for (let depth = 0; depth <= TREE_LEVELS_MAX; depth++) {
      const page = await readTreePage(this.#pages, shape, 'blocks', offset, level);
      // Finds the last entry whose key does not exceed the requested one.
      let low = 0;
      let high = page.entryCount - 1;
      while (low <= high) {
        const middle = (low + high) >> 1;
        if (bareId(readId(page.view, middle * page.entryBytes, shape)) <= wanted) low = middle + 1;
        else high = middle - 1;
      }
      if (high < 0) break;
      if (page.level === 0) {
        const at = high * page.entryBytes;
        if (bareId(readId(page.view, at, shape)) !== wanted) break;
        return {
          offset: readId(page.view, at + shape.idBytes, shape),
          sizeBytes: page.view.getUint16(at + 2 * shape.idBytes, true),
        };
      }
      offset = pointedPage(page, high, shape);
      level = page.level - 1;
    }
    throw new ImportError('damaged');
  }

  async #readBlock(blockId: number, allowance: Allowance): Promise<Uint8Array<ArrayBuffer>> {
    const { shape, cipher } = this.#header;
    const { offset, sizeBytes } = await this.#findPlace(blockId);
    this.#bytesLeft -= sizeBytes + 512;
    if (this.#bytesLeft < 0) this.isExhausted = true;
    allowance.bytesLeft -= sizeBytes;
    if (this.isExhausted || allowance.bytesLeft < 0) throw new ImportError('too_large');
    // A block ends with a trailer at the next multiple of 64, which repeats its size and id.
    const whole = Math.ceil((sizeBytes + shape.blockTrailer) / 64) * 64;
    const bytes = await this.#pages.read(offset, whole);
    const view = new DataView(bytes.buffer);
    const trailer = whole - shape.blockTrailer;
    const told = readId(view, trailer + (shape.isUnicode ? 8 : 4), shape);
    if (view.getUint16(trailer, true) !== sizeBytes || bareId(told) !== bareId(blockId)) {
      throw new ImportError('damaged');
    }
    const content = bytes.subarray(0, sizeBytes);
    if (!isInternal(blockId)) showBlock(content, cipher, blockId);
    return content;
  }

  /** Returns the pieces of the value that begins at this block, in order; none for the id 0. */
  async readPieces(blockId: number, allowance: Allowance): Promise<Uint8Array<ArrayBuffer>[]> {
    if (blockId === 0) return [];
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    await this.#collect(blockId, null, pieces, allowance);
    return pieces;
  }

  async #collect(
    blockId: number,
    level: number | null,
    pieces: Uint8Array<ArrayBuffer>[],
    allowance: Allowance,
  ): Promise<void> {
    const block = await this.#readBlock(blockId, allowance);
    if (!isInternal(blockId)) {
      if (level !== null && level !== 0) throw new ImportError('damaged');
      pieces.push(block);
      return;
    }
    const { shape } = this.#header;
    const view = new DataView(block.buffer, block.byteOffset, block.length);
    if (block.length < 8 || view.getUint8(0) !== 1) throw new ImportError('damaged');
    const own = view.getUint8(1);
    if ((own !== 1 && own !== 2) || (level !== null && own !== level)) throw new ImportError('damaged');
    const count = view.getUint16(2, true);
    if (8 + count * shape.idBytes > block.length) throw new ImportError('damaged');
    for (let index = 0; index < count; index++) {
      const next = readId(view, 8 + index * shape.idBytes, shape);
      if (next === 0) throw new ImportError('damaged');
      await this.#collect(next, own - 1, pieces, allowance);
    }
  }

  /** Returns the subnodes of a node by id; none for the block 0. */
  async readSubnodes(blockId: number, allowance: Allowance): Promise<ReadonlyMap<number, NodePlace>> {
    const found = new Map<number, NodePlace>();
    if (blockId !== 0) await this.#collectSubnodes(blockId, null, found, allowance);
    return found;
  }

  async #collectSubnodes(
    blockId: number,
    level: number | null,
    found: Map<number, NodePlace>,
    allowance: Allowance,
  ): Promise<void> {
    if (!isInternal(blockId)) throw new ImportError('damaged');
    const block = await this.#readBlock(blockId, allowance);
    const { shape } = this.#header;
    const { idBytes } = shape;
    const view = new DataView(block.buffer, block.byteOffset, block.length);
    if (block.length < 8 || view.getUint8(0) !== 2) throw new ImportError('damaged');
    const own = view.getUint8(1);
    if (own > 1 || (level !== null && own !== level)) throw new ImportError('damaged');
    const count = view.getUint16(2, true);
    const start = shape.isUnicode ? 8 : 4;
    const entryBytes = (own === 0 ? 3 : 2) * idBytes;
    if (start + count * entryBytes > block.length) throw new ImportError('damaged');
    for (let index = 0; index < count; index++) {
      const at = start + index * entryBytes;
      const first = readId(view, at + idBytes, shape);
      if (own === 1) {
        await this.#collectSubnodes(first, 0, found, allowance);
        continue;
      }
      if (found.size >= SUBNODES_MAX) throw new ImportError('too_large');
      const nodeId = view.getUint32(at, true);
      found.set(nodeId, { nodeId, dataBlock: first, subnodeBlock: readId(view, at + 2 * idBytes, shape) });
    }
  }
}
