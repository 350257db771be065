// Reads the PST header ([MS-PST] 2.2.2.6): the format variant, the roots of its two trees, and the
// encoding of its blocks.

import { ImportError } from '../errors.ts';
import type { BlockCipher } from './block-cipher.ts';
import type { PageCache } from './page-cache.ts';

/** Widths and offsets in which the old (ANSI) and the new (Unicode) format differ, in bytes. */
export type PstShape = {
  isUnicode: boolean;
  /** Width of a block id, a key or a file offset. */
  idBytes: 4 | 8;
  /** Offset of the number of entries in a tree page; entry size and level follow at +2 and +3. */
  pageFooter: number;
  /** Offset of the page type in a tree page. */
  pageKind: number;
  /** Size of the trailer after each block. */
  blockTrailer: number;
};

const UNICODE: PstShape = { isUnicode: true, idBytes: 8, pageFooter: 488, pageKind: 496, blockTrailer: 16 };
const ANSI: PstShape = { isUnicode: false, idBytes: 4, pageFooter: 496, pageKind: 500, blockTrailer: 12 };

export type PstHeader = {
  shape: PstShape;
  cipher: BlockCipher;
  /** Offsets of the root pages of the node tree and the block tree. */
  nodeTree: number;
  blockTree: number;
};

const HEADER_BYTES = 564;
const CIPHERS: readonly BlockCipher[] = ['none', 'permute', 'cyclic'];

/**
 * Reads an unsigned number of four or eight bytes. Throws `damaged` when it exceeds what any file
 * reaches.
 */
export function readId(view: DataView, offset: number, { idBytes }: PstShape): number {
  const low = view.getUint32(offset, true);
  if (idBytes === 4) return low;
  const high = view.getUint32(offset + 4, true);
  if (high >= 0x20_0000) throw new ImportError('damaged');
  return high * 0x1_0000_0000 + low;
}

/**
 * Reads the header. A truncated file is read as far as its trees exist, and the lost items are
 * reported in their places. Throws `not_this_format`, `too_short` when not even the header is
 * complete, `unsupported` for the compressed format of Outlook's cache files (OST 2013), and
 * `encrypted` for files protected by Windows.
 */
export async function readPstHeader(pages: PageCache): Promise<PstHeader> {
  if (pages.size < 4) throw new ImportError('not_this_format');
  const magic = await pages.read(0, 4);
  if (String.fromCharCode(...magic) !== '!BDN') throw new ImportError('not_this_format');
  const bytes = await pages.read(0, HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  const version = view.getUint16(10, true);
  const isUnicode = version >= 23 && version < 36;
  if (!isUnicode && version !== 14 && version !== 15) throw new ImportError('unsupported');
  const shape = isUnicode ? UNICODE : ANSI;
  const method = view.getUint8(isUnicode ? 513 : 461);
  // Windows Information Protection; only the keys of that machine open it.
  if (method === 0x10) throw new ImportError('encrypted');
  const cipher = CIPHERS[method];
  if (cipher === undefined) throw new ImportError('unsupported');
  return {
    shape,
    cipher,
    nodeTree: readId(view, isUnicode ? 0xe0 : 0xbc, shape),
    blockTree: readId(view, isUnicode ? 0xf0 : 0xc4, shape),
  };
}
