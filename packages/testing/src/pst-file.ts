// Writes small PST files for tests, Unicode or ANSI, with blocks encoded in one of the three ways:
// folders, messages with recipients, files and nested messages. Written from [MS-PST]; shares only
// the block cipher with the reader.

import { type BlockCipher, showBlock } from '@keyfold/import/block-cipher';
import { joined, numbers, type PropertyValue, type WrittenHeap, writeBag, writeTable } from './pst-heap.ts';

export type TestFile = {
  properties: readonly PropertyValue[];
  /** A message that is the content of this file. */
  inner?: TestMail;
};

export type TestMail = {
  properties: readonly PropertyValue[];
  recipients?: readonly (readonly PropertyValue[])[];
  files?: readonly TestFile[];
};

export type TestFolder = {
  name: string;
  mails?: readonly TestMail[];
  folders?: readonly TestFolder[];
};

/** A named property: GUID of its family as text, and its number within it. */
export type TestName = {
  family: string;
  lid: number;
};

export type TestPst = {
  /** Named properties of this file, with consecutive ids from 0x8000. */
  names?: readonly TestName[];
  isUnicode?: boolean;
  cipher?: BlockCipher;
  folders: readonly TestFolder[];
  /** Zero bytes before each message, for a file that is larger than its content. */
  gapBytes?: number;
};

/** Bytes of a file and their offset; the gaps are zeros. */
export type FilePiece = {
  offset: number;
  bytes: Uint8Array;
};

type Subnode = {
  nodeId: number;
  data: number;
  subnodes: number;
};

const BLOCK_MAX = 8_176;
const INNER_NODE = 0x20_0024;
const CIPHER_CODES = { none: 0, permute: 1, cyclic: 2 } as const;
const TOP_FOLDER = 0x8022;

/** The map of property ids from 0x8000 on, each with its family. [MS-PST] 2.4.7. */
function nameProperties(names: readonly TestName[]): PropertyValue[] {
  const hex = (text: string) => Number.parseInt(text, 16);
  const guids = names.map(({ family }) => {
    const [one = '', two = '', three = '', ...rest] = family.split('-');
    const last = rest.join('').match(/../g) ?? [];
    return joined([numbers([4, hex(one)], [2, hex(two)], [2, hex(three)]), Uint8Array.from(last, hex)]);
  });
  const entries = names.map(({ lid }, index) => numbers([4, lid], [2, 2 * (index + 3)], [2, index]));
  return [
    { id: 0x0002, type: 'binary', value: joined(guids) },
    { id: 0x0003, type: 'binary', value: joined(entries) },
  ];
}

/** Encodes a block in place: the inverse of what the reader does. */
function hideBlock(bytes: Uint8Array, cipher: BlockCipher, blockId: number): void {
  if (cipher === 'permute') {
    const shown = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    showBlock(shown, cipher, blockId);
    const hidden = new Uint8Array(256);
    for (const [byte, value] of shown.entries()) hidden[value] = byte;
    for (let index = 0; index < bytes.length; index++)
      bytes[index] = hidden[bytes[index] as number] as number;
    // The cyclic cipher is its own inverse.
  } else showBlock(bytes, cipher, blockId);
}

class PstFileWriter {
  readonly #isUnicode: boolean;
  readonly #cipher: BlockCipher;
  readonly #id: 4 | 8;
  readonly #gapBytes: number;
  readonly #pieces: FilePiece[] = [];
  #size = 1024;
  #nextBlock = 4;
  #nextNode = 0x20_0004;
  readonly #blocks: { id: number; offset: number; size: number }[] = [];
  readonly #nodes: { nodeId: number; parent: number; data: number; subnodes: number }[] = [];

  constructor(isUnicode: boolean, cipher: BlockCipher, gapBytes: number) {
    this.#gapBytes = gapBytes;
    this.#isUnicode = isUnicode;
    this.#cipher = cipher;
    this.#id = isUnicode ? 8 : 4;
  }

  #append(bytes: Uint8Array, alignment: number): number {
    const padding = (alignment - (this.#size % alignment)) % alignment;
    const offset = this.#size + padding;
    this.#pieces.push({ offset, bytes });
    this.#size = offset + bytes.length;
    return offset;
  }

  #block(content: Uint8Array, isInternal: boolean): number {
    const id = this.#nextBlock + (isInternal ? 2 : 0);
    this.#nextBlock += 4;
    const shown = Uint8Array.from(content);
    if (!isInternal) hideBlock(shown, this.#cipher, id);
    const trailer = this.#isUnicode
      ? numbers([2, content.length], [2, 0], [4, 0], [8, id])
      : numbers([2, content.length], [2, 0], [4, id], [4, 0]);
    const padding = (64 - ((content.length + trailer.length) % 64)) % 64;
    const offset = this.#append(joined([shown, new Uint8Array(padding), trailer]), 64);
    this.#blocks.push({ id, offset, size: content.length });
    return id;
  }

  #data(pieces: readonly Uint8Array[]): number {
    const ids = pieces.flatMap(piece =>
      Array.from({ length: Math.ceil(piece.length / BLOCK_MAX) }, (_, index) =>
        this.#block(piece.subarray(index * BLOCK_MAX, (index + 1) * BLOCK_MAX), false),
      ),
    );
    const [only] = ids;
    if (only === undefined) return 0;
    if (ids.length === 1) return only;
    const total = pieces.reduce((sum, { length }) => sum + length, 0);
    const list = ids.map(id => numbers([this.#id, id]));
    return this.#block(joined([numbers([1, 1], [1, 1], [2, ids.length], [4, total]), ...list]), true);
  }

  #subnodeBlock(subnodes: readonly Subnode[]): number {
    if (subnodes.length === 0) return 0;
    const size = this.#id;
    const entries = [...subnodes]
      .sort((one, other) => one.nodeId - other.nodeId)
      .map(({ nodeId, data, subnodes: inner }) => numbers([size, nodeId], [size, data], [size, inner]));
    const padding = new Uint8Array(this.#isUnicode ? 4 : 0);
    return this.#block(joined([numbers([1, 2], [1, 0], [2, entries.length]), padding, ...entries]), true);
  }

  /** Stores a heap with its long values and returns the two block ids for its node. */
  #object(heap: WrittenHeap, more: readonly Subnode[] = []): { data: number; subnodes: number } {
    const outside = [...heap.outside].map(([nodeId, bytes]) => ({
      nodeId,
      data: this.#data([bytes]),
      subnodes: 0,
    }));
    return { data: this.#data(heap.pieces), subnodes: this.#subnodeBlock([...outside, ...more]) };
  }

  #node(nodeId: number, parent: number, heap: WrittenHeap, more: readonly Subnode[] = []): void {
    this.#nodes.push({ nodeId, parent, ...this.#object(heap, more) });
  }

  #mail(mail: TestMail): { heap: WrittenHeap; more: Subnode[] } {
    const more: Subnode[] = [];
    if (mail.recipients !== undefined) {
      const rows = mail.recipients.map((properties, index) => ({ rowId: index, properties }));
      more.push({ nodeId: 0x692, ...this.#object(writeTable(rows, this.#isUnicode)) });
    }
    if (mail.files !== undefined) {
      const rows = mail.files.map((_, index) => ({
        rowId: 0x8025 + 0x20 * index,
        properties: [{ id: 0x0e21, type: 'int', value: index } as const],
      }));
      more.push({ nodeId: 0x671, ...this.#object(writeTable(rows, this.#isUnicode)) });
      mail.files.forEach(({ properties, inner }, index) => {
        const own = inner === undefined ? null : this.#mail(inner);
        const innerNodes = own === null ? [] : [{ nodeId: INNER_NODE, ...this.#object(own.heap, own.more) }];
        const link = own === null ? [] : [{ id: 0x3701, type: 'object', nodeId: INNER_NODE } as const];
        const heap = writeBag([...properties, ...link], this.#isUnicode);
        more.push({ nodeId: 0x8025 + 0x20 * index, ...this.#object(heap, innerNodes) });
      });
    }
    return { heap: writeBag(mail.properties, this.#isUnicode), more };
  }

  #folder(folder: TestFolder, nodeId: number, parent: number): void {
    // readpst recognizes a folder only if it has content counts. [MS-PST] 2.4.4.1.1.
    const properties = [
      { id: 0x3001, type: 'text', value: folder.name } as const,
      { id: 0x3602, type: 'int', value: folder.mails?.length ?? 0 } as const,
      { id: 0x3603, type: 'int', value: 0 } as const,
      { id: 0x360a, type: 'bool', value: (folder.folders?.length ?? 0) > 0 } as const,
    ];
    this.#node(nodeId, parent, writeBag(properties, this.#isUnicode));
    for (const mail of folder.mails ?? []) {
      this.#size += this.#gapBytes;
      const { heap, more } = this.#mail(mail);
      this.#node(this.#nextNode, nodeId, heap, more);
      this.#nextNode += 0x20;
    }
    for (const inner of folder.folders ?? []) {
      const innerId = this.#nextNode - 2;
      this.#nextNode += 0x20;
      this.#folder(inner, innerId, nodeId);
    }
  }

  /** Writes the pages of a tree from the leaves up and returns the offset of the root. */
  #tree(kind: number, leaves: readonly { key: number; bytes: Uint8Array }[], leafBytes: number): number {
    const size = this.#id;
    const room = this.#isUnicode ? 488 : 496;
    let level = 0;
    let entries = leaves;
    while (true) {
      const entryBytes = level === 0 ? leafBytes : 3 * size;
      const most = Math.floor(room / entryBytes);
      const pages = Array.from({ length: Math.max(1, Math.ceil(entries.length / most)) }, (_, index) =>
        entries.slice(index * most, (index + 1) * most),
      );
      const above = pages.map(page => {
        const bytes = new Uint8Array(512);
        bytes.set(joined(page.map(entry => entry.bytes)));
        bytes.set([page.length, most, entryBytes, level], room);
        bytes.set([kind, kind], this.#isUnicode ? 496 : 500);
        const offset = this.#append(bytes, 512);
        const key = page[0]?.key ?? 0;
        return { key, offset, bytes: numbers([size, key], [size, 0], [size, offset]) };
      });
      const [root] = above;
      if (above.length === 1 && root !== undefined) return root.offset;
      entries = above;
      level++;
    }
  }

  write(folders: readonly TestFolder[], names: readonly TestName[]): { size: number; pieces: FilePiece[] } {
    const isUnicode = this.#isUnicode;
    if (names.length > 0) this.#node(0x61, 0, writeBag(nameProperties(names), isUnicode));
    const entryId = joined([new Uint8Array(20), numbers([4, TOP_FOLDER])]);
    const store = [
      { id: 0x0ff9, type: 'binary', value: Uint8Array.from({ length: 16 }, (_, index) => index) } as const,
      { id: 0x35e0, type: 'binary', value: entryId } as const,
    ];
    this.#node(0x21, 0, writeBag(store, isUnicode));
    this.#node(0x122, 0x122, writeBag([], isUnicode));
    this.#folder({ name: 'Top of Outlook data file', folders }, TOP_FOLDER, 0x122);
    const size = this.#id;
    const nodes = this.#nodes
      .sort((one, other) => one.nodeId - other.nodeId)
      .map(({ nodeId, parent, data, subnodes }) => ({
        key: nodeId,
        bytes: joined([
          numbers([size, nodeId], [size, data], [size, subnodes], [4, parent]),
          new Uint8Array(isUnicode ? 4 : 0),
        ]),
      }));
    const nodeTree = this.#tree(0x81, nodes, isUnicode ? 32 : 16);
    const blocks = this.#blocks
      .sort((one, other) => one.id - other.id)
      .map(({ id, offset, size: bytes }) => ({
        key: id,
        bytes: joined([
          numbers([size, id], [size, offset], [2, bytes], [2, 2]),
          new Uint8Array(isUnicode ? 4 : 0),
        ]),
      }));
    const blockTree = this.#tree(0x80, blocks, isUnicode ? 24 : 12);
    const head = new Uint8Array(1024);
    const put = (offset: number, bytes: Uint8Array) => head.set(bytes, offset);
    put(
      0,
      Uint8Array.from('!BDN', char => char.charCodeAt(0)),
    );
    put(8, numbers([2, 0x4d53], [2, isUnicode ? 23 : 15]));
    put(isUnicode ? 0xb8 : 0xa8, numbers([size, this.#size]));
    put(isUnicode ? 0xe0 : 0xbc, numbers([size, nodeTree]));
    put(isUnicode ? 0xf0 : 0xc4, numbers([size, blockTree]));
    put(isUnicode ? 513 : 461, Uint8Array.of(CIPHER_CODES[this.#cipher]));
    return { size: this.#size, pieces: [{ offset: 0, bytes: head }, ...this.#pieces] };
  }
}

/**
 * Returns the pieces of a PST with these folders, and its size: for files that do not fit into
 * memory.
 */
export const writePstPieces = ({
  isUnicode = true,
  cipher = 'permute',
  folders,
  names = [],
  gapBytes = 0,
}: TestPst): { size: number; pieces: FilePiece[] } =>
  new PstFileWriter(isUnicode, cipher, gapBytes).write(folders, names);

/** Returns the bytes of a PST with these folders. */
export function writePst(test: TestPst): Uint8Array<ArrayBuffer> {
  const { size, pieces } = writePstPieces(test);
  const file = new Uint8Array(size);
  for (const { offset, bytes } of pieces) file.set(bytes, offset);
  return file;
}
