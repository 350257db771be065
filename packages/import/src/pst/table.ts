// A table of a PST, one bag of properties for each row ([MS-PST] 2.3.4): recipients and attachments of a mail.

import { viewOf } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import { HEAP_KINDS, Heap } from './heap.ts';
import { ROWS_MAX } from './limits.ts';
import type { PstNode } from './node.ts';
import { PropertyBag, type PropertyField } from './property-bag.ts';

const COLUMNS_AT = 22;
const COLUMN_BYTES = 8;

interface Column {
  id: number;
  type: number;
  offset: number;
  sizeBytes: number;
  bit: number;
}

/** A row: its id, which for an attachment is that of its subnode, and its properties. */
export interface TableRow {
  rowId: number;
  properties: PropertyBag;
}

/** All rows of the table in a node, in the order in which they stand. Throws `damaged` when it is no table. */
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
  const columns = Array.from({ length: count }, (_, index): Column => {
    const at = COLUMNS_AT + index * COLUMN_BYTES;
    return {
      type: header.getUint16(at, true),
      id: header.getUint16(at + 2, true),
      offset: header.getUint16(at + 4, true),
      sizeBytes: header.getUint8(at + 6),
      bit: header.getUint8(at + 7),
    };
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
    const fields = new Map<number, PropertyField>();
    for (const { id, type, offset, sizeBytes, bit } of columns) {
      const isThere = ((bytes[bitsAt + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0;
      if (!isThere || offset + sizeBytes > bitsAt + Math.ceil(count / 8)) continue;
      fields.set(id, { type, field: viewOf(bytes.subarray(offset, offset + sizeBytes)) });
    }
    return { rowId, properties: new PropertyBag(heap, fields) };
  });
}
