// Properties of an object whose bytes are all in memory, as in TNEF and .msg files ([MS-OXCDATA]
// 2.11).

import { viewOf } from '../bytes.ts';
import { decodeCodePage } from './code-pages.ts';
import { findFileTime } from './file-time.ts';
import type { MapiBag } from './item.ts';

/** Supported value types; values of other types are left out. */
export const TYPES = {
  int16: 0x02,
  int32: 0x03,
  boolean: 0x0b,
  object: 0x0d,
  ansi: 0x1e,
  unicode: 0x1f,
  time: 0x40,
  binary: 0x102,
} as const;

/** A value, whose bytes may be read lazily. */
export type MemoryValue = {
  type: number;
  read: () => Uint8Array;
};

const utf16 = new TextDecoder('utf-16le');

export class MemoryBag implements MapiBag {
  readonly #values = new Map<number, MemoryValue>();
  /** Code page of non-Unicode texts. */
  codePage: number | null = null;

  get size(): number {
    return this.#values.size;
  }

  set(id: number, value: MemoryValue): void {
    this.#values.set(id, value);
  }

  typeOf(id: number): number | null {
    return this.#values.get(id)?.type ?? null;
  }

  has(id: number): boolean {
    return this.#values.has(id);
  }

  number(id: number): number | null {
    const found = this.#values.get(id);
    if (found?.type !== TYPES.int32 && found?.type !== TYPES.int16) return null;
    const bytes = found.read();
    if (found.type === TYPES.int32) return bytes.length >= 4 ? viewOf(bytes).getInt32(0, true) : null;
    return bytes.length >= 2 ? viewOf(bytes).getInt16(0, true) : null;
  }

  flag(id: number): boolean {
    const found = this.#values.get(id);
    return found?.type === TYPES.boolean && (found.read()[0] ?? 0) !== 0;
  }

  async date(id: number): Promise<Date | null> {
    const found = this.#values.get(id);
    return found?.type === TYPES.time ? findFileTime(viewOf(found.read())) : null;
  }

  async text(id: number): Promise<string> {
    const found = this.#values.get(id);
    if (found?.type !== TYPES.unicode && found?.type !== TYPES.ansi) return '';
    const bytes = found.read();
    const isUnicode = found.type === TYPES.unicode;
    const text = isUnicode
      ? utf16.decode(bytes.subarray(0, bytes.length - (bytes.length % 2)))
      : decodeCodePage(bytes, this.codePage);
    const end = text.indexOf('\0');
    return end < 0 ? text : text.slice(0, end);
  }

  async bytes(id: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const found = this.#values.get(id);
    return found?.type === TYPES.binary ? (found.read() as Uint8Array<ArrayBuffer>) : null;
  }

  /** Returns the bytes of an object value, or null. */
  objectBytes(id: number): Uint8Array | null {
    const found = this.#values.get(id);
    return found?.type === TYPES.object ? found.read() : null;
  }

  wholeBytes(id: number): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.bytes(id);
  }

  async textOrBytes(id: number): Promise<string | Uint8Array<ArrayBuffer> | null> {
    return this.typeOf(id) === TYPES.binary ? this.bytes(id) : (await this.text(id)) || null;
  }
}
