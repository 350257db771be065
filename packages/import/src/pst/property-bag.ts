// Properties of one object, or of one table row ([MS-PST] 2.3.3, [MS-OXCDATA] 2.11), read on
// demand. A value that is missing, damaged or of another type than requested is null: one bad value
// among two hundred must not make the message unreadable.

import { viewOf } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import { decodeCodePage } from '../mapi/code-pages.ts';
import { findFileTime } from '../mapi/file-time.ts';
import type { MapiBag } from '../mapi/item.ts';
import { PROPERTIES_MAX } from '../mapi/limits.ts';
import { HEAP_KINDS, Heap } from './heap.ts';
import type { PstNode } from './node.ts';

const TYPES = {
  int16: 0x02,
  int32: 0x03,
  boolean: 0x0b,
  object: 0x0d,
  int64: 0x14,
  ansi: 0x1e,
  unicode: 0x1f,
  time: 0x40,
  binary: 0x102,
  manyUnicode: 0x101f,
  manyAnsi: 0x101e,
  manyBinary: 0x1102,
} as const;

/**
 * Location of a value: the four or eight bytes of its field, or the target of the first four of
 * them.
 */
export type PropertyField = {
  type: number;
  field: DataView;
};

/**
 * Splits a multi-valued property, which stores offsets before its values. Each byte belongs to one
 * value only: overlapping values could add up to thousands of times their size.
 */
export function splitMany(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] {
  if (bytes.length < 4) return [];
  const view = viewOf(bytes);
  const count = Math.min(view.getUint32(0, true), PROPERTIES_MAX);
  let last = 4 + 4 * count;
  if (last > bytes.length) return [];
  const starts = Array.from({ length: count }, (_, index) => view.getUint32(4 + 4 * index, true));
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? bytes.length;
    if (start < last || end < start || end > bytes.length) return [];
    last = end;
    return [bytes.subarray(start, end)];
  });
}

export type PropertyFields = Pick<ReadonlyMap<number, PropertyField>, 'get' | 'has'>;

const utf16 = new TextDecoder('utf-16le');

export class PropertyBag implements MapiBag {
  readonly #heap: Heap;
  readonly #fields: PropertyFields;
  #codePage: number | null = null;

  constructor(heap: Heap, fields: PropertyFields) {
    this.#heap = heap;
    this.#fields = fields;
  }

  /** Code page of non-Unicode texts. */
  set codePage(codePage: number | null) {
    this.#codePage = codePage;
  }

  has(id: number): boolean {
    return this.#fields.has(id);
  }

  number(id: number): number | null {
    const found = this.#fields.get(id);
    if (found?.type === TYPES.int32 && found.field.byteLength >= 4) return found.field.getInt32(0, true);
    return found?.type === TYPES.int16 && found.field.byteLength >= 2 ? found.field.getInt16(0, true) : null;
  }

  flag(id: number): boolean {
    const found = this.#fields.get(id);
    return found?.type === TYPES.boolean && found.field.byteLength >= 1 && found.field.getUint8(0) !== 0;
  }

  async date(id: number): Promise<Date | null> {
    const found = this.#fields.get(id);
    if (found?.type !== TYPES.time) return null;
    if (found.field.byteLength >= 8) return findFileTime(found.field);
    const bytes = await this.#value(found);
    return bytes === null ? null : findFileTime(viewOf(bytes));
  }

  /** Returns a text without its trailing NUL; '' when there is none. */
  async text(id: number): Promise<string> {
    const found = this.#fields.get(id);
    if (found === undefined || (found.type !== TYPES.unicode && found.type !== TYPES.ansi)) return '';
    const bytes = await this.#value(found);
    return bytes === null ? '' : this.#decode(bytes, found.type === TYPES.unicode);
  }

  /** Returns the texts of a multi-valued property. */
  async texts(id: number): Promise<string[]> {
    const found = this.#fields.get(id);
    if (found?.type !== TYPES.manyUnicode && found?.type !== TYPES.manyAnsi) return [];
    const isUnicode = found.type === TYPES.manyUnicode;
    return (await this.#many(found)).map(part => this.#decode(part, isUnicode));
  }

  async manyBytes(id: number): Promise<Uint8Array<ArrayBuffer>[]> {
    const found = this.#fields.get(id);
    return found?.type === TYPES.manyBinary ? this.#many(found) : [];
  }

  async bytes(id: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const found = this.#fields.get(id);
    return found?.type === TYPES.binary ? this.#value(found) : null;
  }

  /**
   * Returns bytes that must be complete, such as an attached file. Null when there are none; a
   * damaged value throws instead of being null.
   */
  async wholeBytes(id: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const found = this.#fields.get(id);
    if (found?.type !== TYPES.binary || found.field.byteLength < 4) return null;
    return this.#heap.valueOf(found.field.getUint32(0, true));
  }

  /**
   * Returns the bytes of a text or a blob, and whether they are Unicode text: HTML is stored as
   * either.
   */
  async textOrBytes(id: number): Promise<string | Uint8Array<ArrayBuffer> | null> {
    return this.#fields.get(id)?.type === TYPES.binary ? this.bytes(id) : (await this.text(id)) || null;
  }

  /** Returns the id of the subnode that contains an object, or null. */
  async objectNode(id: number): Promise<number | null> {
    const found = this.#fields.get(id);
    if (found?.type !== TYPES.object) return null;
    const bytes = await this.#value(found);
    return bytes !== null && bytes.length >= 4 ? viewOf(bytes).getUint32(0, true) : null;
  }

  async #value({ field }: PropertyField): Promise<Uint8Array<ArrayBuffer> | null> {
    if (field.byteLength < 4) return null;
    try {
      return await this.#heap.valueOf(field.getUint32(0, true));
    } catch (error) {
      // Leaving out whichever value came last does not make an oversized item acceptable.
      if (error instanceof ImportError && error.code === 'damaged') return null;
      throw error;
    }
  }

  #decode(bytes: Uint8Array, isUnicode: boolean): string {
    const even = isUnicode ? bytes.subarray(0, bytes.length - (bytes.length % 2)) : bytes;
    const text = isUnicode ? utf16.decode(even) : decodeCodePage(even, this.#codePage);
    const end = text.indexOf('\0');
    return end < 0 ? text : text.slice(0, end);
  }

  async #many(found: PropertyField): Promise<Uint8Array<ArrayBuffer>[]> {
    const bytes = await this.#value(found);
    return bytes === null ? [] : splitMany(bytes);
  }
}

/** Returns the properties of a node. Throws `damaged` when they cannot be listed. */
export async function readProperties(node: PstNode): Promise<PropertyBag> {
  const heap = await Heap.read(node, HEAP_KINDS.properties);
  const fields = new Map<number, PropertyField>();
  for (const record of heap.records(heap.rootId, 2, 6, PROPERTIES_MAX)) {
    const id = record.getUint16(0, true);
    const field = new DataView(record.buffer, record.byteOffset + 4, 4);
    if (!fields.has(id)) fields.set(id, { type: record.getUint16(2, true), field });
  }
  return new PropertyBag(heap, fields);
}
