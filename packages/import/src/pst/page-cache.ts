// Reads the source through a bounded page cache. A PST is read in pieces of a few hundred bytes
// from all over the file; a separate device read for each would cost thirty times as much.

import type { ByteSource } from '../byte-source.ts';
import { ImportError } from '../errors.ts';
import { PAGE_BYTES, PAGES_KEPT } from './limits.ts';

export class PageCache {
  readonly size: number;
  /** The device error, if any; it is not a fault of the file and must not be treated as one. */
  failure: unknown = null;
  readonly #source: ByteSource;
  readonly #pages = new Map<number, Uint8Array>();

  constructor(source: ByteSource) {
    this.#source = source;
    this.size = source.size;
  }

  /**
   * Returns a copy of exactly these bytes. Throws `too_short` when they are beyond the end of the
   * file.
   */
  async read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (!(offset >= 0 && offset + length <= this.size)) throw new ImportError('too_short');
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const at = offset + filled;
      const number = Math.floor(at / PAGE_BYTES);
      const page = this.#findKept(number) ?? (await this.#fetch(number));
      const from = at - number * PAGE_BYTES;
      const part = page.subarray(from, Math.min(page.length, from + length - filled));
      if (part.length === 0) throw new ImportError('too_short');
      bytes.set(part, filled);
      filled += part.length;
    }
    return bytes;
  }

  #findKept(number: number): Uint8Array | null {
    const page = this.#pages.get(number);
    if (page === undefined) return null;
    // The last entry of the map is evicted last.
    this.#pages.delete(number);
    this.#pages.set(number, page);
    return page;
  }

  async #fetch(number: number): Promise<Uint8Array> {
    let page: Uint8Array;
    try {
      page = await this.#source.read(number * PAGE_BYTES, PAGE_BYTES);
    } catch (error) {
      this.failure = error;
      throw error;
    }
    this.#pages.set(number, page);
    if (this.#pages.size > PAGES_KEPT) {
      const oldest = this.#pages.keys().next();
      if (!oldest.done) this.#pages.delete(oldest.value);
    }
    return page;
  }
}
