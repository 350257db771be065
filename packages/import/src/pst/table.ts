// Reads a PST table, one property bag per row ([MS-PST] 2.3.4): recipients and attachments of a
// message.

import { viewOf } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import { HEAP_KINDS, Heap } from './heap.ts';
import { ROWS_MAX } from './limits.ts';
import type { PstNode } from './node.ts';
import { PropertyBag, type PropertyField, type PropertyFields } from './property-bag.ts';

const COLUMNS_AT = 22;
const COLUMN_BYTES = 8;

type Column = {
  type: number;
  offset: number;
  sizeBytes: number;
  bit: number;
};

/** Fields of a row, each created on demand: thousands of rows may share one piece of the file. */
class RowFields implements PropertyFields {
  readonly #row: Uint8Array<ArrayBuffer>;
  readonly #columns: ReadonlyMap<number, Column>;
  readonly #bitsAt: number;
  readonly #end: number;

  constructor(
    row: Uint8Array<ArrayBuffer>,
    columns: ReadonlyMap<number, Column>,
    bitsAt: number,
    end: number,
  ) {
    this.#row = row;
    this.#columns = columns;
    this.#bitsAt = bitsAt;
    this.#end = end;
  }

  get(id: number): PropertyField | undefined {
    const column = this.#columns.get(id);
    if (column === undefined) return undefined;
    const { type, offset, sizeBytes, bit } = column;
    const isThere = ((this.#row[this.#bitsAt + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0;
    if (!isThere || offset + sizeBytes > this.#end) return undefined;
    return { type, field: viewOf(this.#row.subarray(offset, offset + sizeBytes)) };
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }
}

/** A row: its id (for an attachment, the id of its subnode) and its properties. */
export type TableRow = {
  rowId: number;
  properties: PropertyBag;
};

/**
 * Returns all rows of the table in a node, in stored order. Throws `damaged` when it is not a
 * table.
 */
export async function readTable(node: PstNode, isUnicode: boolean): Promise<TableRow[]> {
  const heap = await Heap.read(node, HEAP_KINDS.table);
  const header = viewOf(heap.bytesOf(heap.rootId));
  if (header.byteLength < COLUMNS_AT || header.getUint8(0) !== HEAP_KINDS.table)
    throw new ImportError('damaged');
  const count = header.getUint8(1);
  const [bitsAt, rowBytes] = [header.getUint16(6, true), header.getUint16(8, true)];
  const isRight =
    rowBytes > bitsAt &&
    COLUMNS_AT + count * COLUMN_BYTES <= header.byteLength &&
    bitsAt + Math.ceil(count / 8) <= rowBytes;
  if (!isRight) throw new ImportError('damaged');
  const columns = new Map<number, Column>();
  for (let at = COLUMNS_AT; at < COLUMNS_AT + count * COLUMN_BYTES; at += COLUMN_BYTES)
    columns.set(header.getUint16(at + 2, true), {
      type: header.getUint16(at, true),
      offset: header.getUint16(at + 4, true),
      sizeBytes: header.getUint8(at + 6),
      bit: header.getUint8(at + 7),
    });
  const indexId = header.getUint32(10, true);
  const rowsId = header.getUint32(14, true);
  if (indexId === 0 || rowsId === 0) return [];
  const places = heap
    .records(indexId, 4, isUnicode ? 4 : 2, ROWS_MAX)
    .map(record => ({
      rowId: record.getUint32(0, true),
      row: isUnicode ? record.getUint32(4, true) : record.getUint16(4, true),
    }))
    .sort((one, other) => one.row - other.row);
  const pieces = await heap.piecesOf(rowsId);
  const rowsPerPiece = Math.floor((pieces[0]?.length ?? 0) / rowBytes);
  return places.map(({ rowId, row }) => {
    const piece = pieces[Math.floor(row / rowsPerPiece)];
    const start = (row % rowsPerPiece) * rowBytes;
    const bytes = piece?.subarray(start, start + rowBytes);
    if (bytes?.length !== rowBytes) throw new ImportError('damaged');
    const fields = new RowFields(bytes, columns, bitsAt, bitsAt + Math.ceil(count / 8));
    return { rowId, properties: new PropertyBag(heap, fields) };
  });
}
