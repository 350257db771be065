// The first bytes of a PST ([MS-PST] 2.2.2.6): which form it has, where its two trees begin, how its blocks are hidden.

import { ImportError } from '../errors.ts';
import type { BlockCipher } from './block-cipher.ts';
import type { PageCache } from './page-cache.ts';

/** Widths and places in which the old (ANSI) and the new (Unicode) form differ; all in bytes. */
export type PstShape = {
  isUnicode: boolean;
  /** Of an id of a block, a key, or a place in the file. */
  idBytes: 4 | 8;
  /** Where a tree's page tells its number of entries; entry size and level follow at +2 and +3. */
  pageFooter: number;
  /** Where a tree's page tells its kind. */
  pageKind: number;
  /** Of what stands behind each block. */
  blockTrailer: number;
};

const UNICODE: PstShape = { isUnicode: true, idBytes: 8, pageFooter: 488, pageKind: 496, blockTrailer: 16 };
const ANSI: PstShape = { isUnicode: false, idBytes: 4, pageFooter: 496, pageKind: 500, blockTrailer: 12 };

export type PstHeader = {
  shape: PstShape;
  cipher: BlockCipher;
  /** Offsets of the root pages: of the tree of nodes, and of the tree of blocks. */
  nodeTree: number;
  blockTree: number;
};

const HEADER_BYTES = 564;
const CIPHERS: readonly BlockCipher[] = ['none', 'permute', 'cyclic'];

/** An unsigned number of four or eight bytes. Throws `damaged` where it is beyond what any file reaches. */
export function readId(view: DataView, offset: number, { idBytes }: PstShape): number {
  const low = view.getUint32(offset, true);
  if (idBytes === 4) return low;
  const high = view.getUint32(offset + 4, true);
  if (high >= 0x20_0000) throw new ImportError('damaged');
  return high * 0x1_0000_0000 + low;
}

/**
 * Reads the header. A file that ends before its own end is read as far as its trees are there: what is lost is named where it
 * was. Throws `not_this_format`, `too_short` where not even the header is whole, `unsupported` for the compressed form of
 * Outlook's own cache files (OST 2013), `encrypted` for files under Windows' own protection.
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
  // Windows Information Protection; nothing but that machine's keys opens it.
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
