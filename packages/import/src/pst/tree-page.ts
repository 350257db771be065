// One page of one of the two PST trees ([MS-PST] 2.2.2.7.7): entries in key order, either leaves or
// pointers to pages one level below.

import { ImportError } from '../errors.ts';
import { type PstShape, readId } from './header.ts';
import { TREE_LEVELS_MAX } from './limits.ts';
import type { PageCache } from './page-cache.ts';

export type TreeKind = 'blocks' | 'nodes';

const TREE_PAGE_BYTES = 512;
const KIND_CODES: Record<TreeKind, number> = { blocks: 0x80, nodes: 0x81 };

export type TreePage = {
  view: DataView;
  level: number;
  entryCount: number;
  entryBytes: number;
};

function leafBytes(kind: TreeKind, shape: PstShape): number {
  if (kind === 'nodes') return shape.isUnicode ? 32 : 16;
  return shape.isUnicode ? 24 : 12;
}

/**
 * Returns the page at this offset. Throws `damaged` when it is not a page of that tree and level.
 */
export async function readTreePage(
  pages: PageCache,
  shape: PstShape,
  kind: TreeKind,
  offset: number,
  level: number | null,
): Promise<TreePage> {
  const bytes = await pages.read(offset, TREE_PAGE_BYTES);
  const view = new DataView(bytes.buffer);
  const page: TreePage = {
    view,
    entryCount: view.getUint8(shape.pageFooter),
    entryBytes: view.getUint8(shape.pageFooter + 2),
    level: view.getUint8(shape.pageFooter + 3),
  };
  const least = page.level === 0 ? leafBytes(kind, shape) : 3 * shape.idBytes;
  const isRight =
    view.getUint8(shape.pageKind) === KIND_CODES[kind] &&
    page.entryBytes >= least &&
    page.entryCount * page.entryBytes <= shape.pageFooter &&
    page.level < TREE_LEVELS_MAX &&
    (level === null || page.level === level);
  if (!isRight) throw new ImportError('damaged');
  return page;
}

/** Returns the offset of the page that an entry of a parent page points to. */
export const pointedPage = ({ view, entryBytes }: TreePage, index: number, shape: PstShape): number =>
  readId(view, index * entryBytes + 2 * shape.idBytes, shape);
