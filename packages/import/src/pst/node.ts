// One node of a PST with its data and its subnodes, which are read on demand.

import type { Allowance, BlockStore } from './block-store.ts';
import type { NodePlace } from './node-table.ts';

export class PstNode {
  readonly nodeId: number;
  readonly #store: BlockStore;
  readonly #place: NodePlace;
  readonly #allowance: Allowance;
  #subnodes: Promise<ReadonlyMap<number, NodePlace>> | null = null;

  /** `allowance` belongs to the whole item: subnodes share it. */
  constructor(store: BlockStore, place: NodePlace, allowance: Allowance) {
    this.nodeId = place.nodeId;
    this.#store = store;
    this.#place = place;
    this.#allowance = allowance;
  }

  /** Reads the data, block by block. */
  readPieces(): Promise<Uint8Array<ArrayBuffer>[]> {
    return this.#store.readPieces(this.#place.dataBlock, this.#allowance);
  }

  #list(): Promise<ReadonlyMap<number, NodePlace>> {
    this.#subnodes ??= this.#store.readSubnodes(this.#place.subnodeBlock, this.#allowance);
    return this.#subnodes;
  }

  /** Returns the subnode with this id, or null. */
  async findSubnode(nodeId: number): Promise<PstNode | null> {
    const place = (await this.#list()).get(nodeId);
    return place === undefined ? null : new PstNode(this.#store, place, this.#allowance);
  }

  /** Returns the ids of all subnodes, in file order. */
  async subnodeIds(): Promise<number[]> {
    return [...(await this.#list()).keys()];
  }
}
