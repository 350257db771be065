// Parses TNEF property lists ([MS-OXTNEF] 2.1.3.4): consecutive properties, each value preceded by
// its length. Truncated or contradictory data ends the list, and the properties read so far count.

import { viewOf } from '../bytes.ts';
import { PROPERTIES_MAX } from '../mapi/limits.ts';
import { MemoryBag, TYPES } from '../mapi/memory-bag.ts';
import { guidText } from '../mapi/names.ts';

const MANY = 0x1000;
const NAMED = 0x8000;
/** Sizes of fixed-size value types, in bytes. */
const FIXED: Readonly<Record<number, number>> = {
  1: 0,
  2: 2,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 2,
  20: 8,
  64: 8,
  72: 16,
};
const SIZED = new Set<number>([TYPES.object, TYPES.ansi, TYPES.unicode, TYPES.binary]);
const NAME_MAX_BYTES = 512;

const utf16 = new TextDecoder('utf-16le');
const padded = (sizeBytes: number): number => Math.ceil(sizeBytes / 4) * 4;

/** Numbers of named properties in this message, by family and name. */
export type NameIds = Map<string, number>;

class PropertyList {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #names: NameIds;
  #at = 0;

  constructor(bytes: Uint8Array, names: NameIds) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#names = names;
  }

  /** Reads a four-byte number; throws RangeError at the end, as all reads here do. */
  number(): number {
    const value = this.#view.getUint32(this.#at, true);
    this.#at += 4;
    return value;
  }

  #take(sizeBytes: number): Uint8Array {
    const end = this.#at + sizeBytes;
    if (end > this.#bytes.length) throw new RangeError('cut short');
    const taken = this.#bytes.subarray(this.#at, end);
    // The last value may lack its padding.
    this.#at = Math.min(this.#bytes.length, this.#at + padded(sizeBytes));
    return taken;
  }

  #name(id: number): void {
    const family = guidText(this.#take(16));
    const kind = this.number();
    let name: number | string = this.number();
    if (kind === 1) {
      const text = this.#take(name);
      const kept = text.subarray(0, Math.min(text.length - (text.length % 2), NAME_MAX_BYTES));
      name = utf16.decode(kept).replace(/\0.*$/s, '');
    }
    if (this.#names.size < PROPERTIES_MAX) this.#names.set(`${family} ${name}`, id);
  }

  /** Returns the values of one property; fixed-size values are stored contiguously. */
  #values(type: number): Uint8Array[] {
    const one = type & ~MANY;
    const fixed = FIXED[one];
    if (!SIZED.has(one) && fixed === undefined) throw new RangeError('unknown type');
    if (fixed !== undefined && type === one) return [this.#take(fixed)];
    const count = this.number();
    if (fixed !== undefined) return [this.#take(count * fixed)];
    const values: Uint8Array[] = [];
    for (let index = 0; index < count; index++) {
      const value = this.#take(this.number());
      if (index === 0) values.push(value);
    }
    return values;
  }

  readInto(bag: MemoryBag): void {
    const count = this.number();
    for (let index = 0; index < count && bag.size < PROPERTIES_MAX; index++) {
      const type = this.#view.getUint16(this.#at, true);
      const id = this.#view.getUint16(this.#at + 2, true);
      this.#at += 4;
      if (id >= NAMED) this.#name(id);
      const [value] = this.#values(type);
      if (value !== undefined && (type & MANY) === 0) bag.set(id, { type, read: () => value });
    }
  }

  readRowsInto(rows: MemoryBag[], codePage: number | null, rowsMax: number): void {
    const count = this.number();
    for (let index = 0; index < count && rows.length < rowsMax; index++) {
      const bag = new MemoryBag();
      bag.codePage = codePage;
      rows.push(bag);
      this.readInto(bag);
    }
  }
}

/** Runs a list parser and stops quietly at the end of the data. */
function asFarAsItGoes(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
}

/** Adds the properties of a list to a bag, and their names to `names`. */
export const readPropertyList = (bytes: Uint8Array, bag: MemoryBag, names: NameIds): void =>
  asFarAsItGoes(() => new PropertyList(bytes, names).readInto(bag));

/** Returns the rows of a table, such as the recipients. */
export function readRows(bytes: Uint8Array, codePage: number | null, rowsMax: number): MemoryBag[] {
  const rows: MemoryBag[] = [];
  asFarAsItGoes(() => new PropertyList(bytes, new Map()).readRowsInto(rows, codePage, rowsMax));
  return rows;
}
