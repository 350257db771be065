// Builds PST heaps for tests: property bags and tables, from plain values. [MS-PST] 2.3.

export type PropertyValue =
  | { id: number; type: 'text'; value: string }
  | { id: number; type: 'int'; value: number }
  | { id: number; type: 'bool'; value: boolean }
  | { id: number; type: 'time'; value: Date }
  | { id: number; type: 'binary'; value: Uint8Array }
  | { id: number; type: 'object'; nodeId: number };

/** Bytes of one heap, and the values too long for it: each goes into a subnode with this id. */
export type WrittenHeap = {
  pieces: Uint8Array<ArrayBuffer>[];
  outside: Map<number, Uint8Array<ArrayBuffer>>;
};

const PAGE_MAX = 8_000;
const INSIDE_MAX = 3_500;

export function numbers(
  ...fields: readonly (readonly [sizeBytes: 1 | 2 | 4 | 8, value: number])[]
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of fields) {
    if (size === 1) view.setUint8(at, value);
    else if (size === 2) view.setUint16(at, value, true);
    else {
      view.setUint32(at, value % 0x1_0000_0000, true);
      if (size === 8) view.setUint32(at + 4, Math.floor(value / 0x1_0000_0000), true);
    }
    at += size;
  }
  return bytes;
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

class HeapWriter {
  readonly outside = new Map<number, Uint8Array<ArrayBuffer>>();
  readonly #pages: Uint8Array[][] = [[]];
  readonly #kind: number;
  #nextNode = 0x801f;

  constructor(kind: number) {
    this.#kind = kind;
  }

  inside(bytes: Uint8Array): number {
    let page = this.#pages.at(-1) as Uint8Array[];
    const used = page.reduce((sum, { length }) => sum + length + 2, 32);
    if (used + bytes.length > PAGE_MAX) {
      page = [];
      this.#pages.push(page);
    }
    page.push(bytes);
    return (page.length << 5) | ((this.#pages.length - 1) << 16);
  }

  /** Stores a value of any length in the heap or in a subnode and returns its id. */
  place(bytes: Uint8Array<ArrayBuffer>): number {
    if (bytes.length === 0) return 0;
    if (bytes.length <= INSIDE_MAX) return this.inside(bytes);
    const nodeId = this.#nextNode;
    this.#nextNode += 0x20;
    this.outside.set(nodeId, bytes);
    return nodeId;
  }

  /** A tree with one level; records are already sorted by key. */
  tree(keyBytes: number, dataBytes: number, records: readonly Uint8Array[]): number {
    const leaf = records.length === 0 ? 0 : this.inside(joined(records));
    return this.inside(numbers([1, 0xb5], [1, keyBytes], [1, dataBytes], [1, 0], [4, leaf]));
  }

  finish(root: number): WrittenHeap {
    const pieces = this.#pages.map((allocations, index) => {
      const header = index === 0 ? 12 : 2;
      const ends: number[] = [];
      for (const { length } of allocations) ends.push((ends.at(-1) ?? header) + length);
      const end = ends.at(-1) ?? header;
      const map = end + (end % 2);
      const start =
        index === 0 ? numbers([2, map], [1, 0xec], [1, this.#kind], [4, root], [4, 0]) : numbers([2, map]);
      const places = [header, ...ends].map(place => numbers([2, place]));
      const padding = new Uint8Array(map - end);
      return joined([start, ...allocations, padding, numbers([2, allocations.length], [2, 0]), ...places]);
    });
    return { pieces, outside: this.outside };
  }
}

const TYPE_CODES = { int: 3, bool: 0xb, object: 0xd, time: 0x40, binary: 0x102 } as const;

export function fileTime(date: Date): Uint8Array<ArrayBuffer> {
  return numbers([8, (date.getTime() + 11_644_473_600_000) * 10_000]);
}

export function encodeText(text: string, isUnicode: boolean): Uint8Array<ArrayBuffer> {
  const codes = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return isUnicode ? numbers(...codes.map(code => [2, code] as const)) : Uint8Array.from(codes);
}

/** Returns the type and the four bytes of the field. */
function field(heap: HeapWriter, property: PropertyValue, isUnicode: boolean): [number, number] {
  if (property.type === 'text') {
    return [isUnicode ? 0x1f : 0x1e, heap.place(encodeText(property.value, isUnicode))];
  }
  const type = TYPE_CODES[property.type];
  if (property.type === 'int') return [type, property.value];
  if (property.type === 'bool') return [type, property.value ? 1 : 0];
  if (property.type === 'time') return [type, heap.place(fileTime(property.value))];
  if (property.type === 'binary') return [type, heap.place(Uint8Array.from(property.value))];
  return [type, heap.place(numbers([4, property.nodeId], [4, 0]))];
}

export function writeBag(properties: readonly PropertyValue[], isUnicode: boolean): WrittenHeap {
  const heap = new HeapWriter(0xbc);
  const records = [...properties]
    .sort((one, other) => one.id - other.id)
    .map(property => {
      const [type, value] = field(heap, property, isUnicode);
      return numbers([2, property.id], [2, type], [4, value]);
    });
  return heap.finish(heap.tree(2, 6, records));
}

/**
 * A table with the columns of the first row, only texts and numbers, after the row's number and
 * version, which readpst uses to find an attachment. [MS-PST] 2.3.4.4.1.
 */
export function writeTable(
  given: readonly { rowId: number; properties: readonly PropertyValue[] }[],
  isUnicode: boolean,
): WrittenHeap {
  const rows = given.map(({ rowId, properties }) => ({
    rowId,
    properties: [
      { id: 0x67f2, type: 'int', value: rowId } as const,
      { id: 0x67f3, type: 'int', value: 0 } as const,
      ...properties,
    ],
  }));
  const heap = new HeapWriter(0x7c);
  const columns = rows[0]?.properties ?? [];
  const written = rows.map(({ properties }) => properties.map(property => field(heap, property, isUnicode)));
  const bitsAt = 4 * columns.length;
  const rowBytes = bitsAt + Math.ceil(columns.length / 8);
  const descriptions = columns.map(({ id }, index) =>
    numbers([2, written[0]?.[index]?.[0] ?? 0], [2, id], [2, 4 * index], [1, 4], [1, index]),
  );
  const matrix = written.map(cells => {
    const bits = new Uint8Array(rowBytes - bitsAt);
    for (let index = 0; index < columns.length; index++)
      bits[index >> 3] = (bits[index >> 3] ?? 0) | (0x80 >> (index & 7));
    return joined([...cells.map(([, value]) => numbers([4, value])), bits]);
  });
  const index = heap.tree(
    4,
    isUnicode ? 4 : 2,
    rows.map(({ rowId }, row) => numbers([4, rowId], [isUnicode ? 4 : 2, row])),
  );
  const rowsAt = rows.length === 0 ? 0 : heap.inside(joined(matrix));
  const header = numbers(
    [1, 0x7c],
    [1, columns.length],
    [2, bitsAt],
    [2, bitsAt],
    [2, bitsAt],
    [2, rowBytes],
  );
  const info = joined([header, numbers([4, index], [4, rowsAt], [4, 0]), ...descriptions]);
  return heap.finish(heap.inside(info));
}
