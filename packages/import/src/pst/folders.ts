// Lists the folders of a PST by the paths that the user sees: below "Top of Outlook data file" and
// without that name. Folders in a loop are unreachable; their content comes last, under a separate
// folder name.

import { viewOf } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import type { FolderPath } from '../items.ts';
import { TAGS } from '../mapi/tags.ts';
import { type BlockStore, newAllowance } from './block-store.ts';
import { FOLDER_DEPTH_MAX, FOLDER_NAME_MAX_CHARACTERS } from './limits.ts';
import { PstNode } from './node.ts';
import type { NodeTable } from './node-table.ts';
import { type PropertyBag, readProperties } from './property-bag.ts';

const STORE_NODE = 0x21;
const ROOT_FOLDER = 0x122;
/** Folder for messages whose own folder is missing from the file. */
export const LOST_FOLDER: FolderPath = ['Lost and found'];

export type PstFolder = {
  id: number;
  path: FolderPath;
  /** Whether this folder, or one that contains it, is the folder of sent mail. */
  isSent: boolean;
};

/** Properties of the file as a whole. */
export type PstStore = {
  /** Letters and digits that are unique to the file; '0' when it states no id. */
  fileId: string;
  topFolder: number | null;
  sentFolder: number | null;
};

/** Returns the folder id at the end of an entry id of the store ([MS-PST] 2.4.3.2). */
async function folderOf(bag: PropertyBag, tag: number): Promise<number | null> {
  const entry = await bag.bytes(tag);
  return entry !== null && entry.length >= 24 ? viewOf(entry).getUint32(20, true) : null;
}

/** Reads the properties of the file; damaged ones count as missing. */
export async function readStore(blocks: BlockStore, nodes: NodeTable): Promise<PstStore> {
  const none: PstStore = { fileId: '0', topFolder: null, sentFolder: null };
  const place = nodes.findNode(STORE_NODE);
  if (place === null) return none;
  try {
    const bag = await readProperties(new PstNode(blocks, place, newAllowance()));
    const key = (await bag.bytes(TAGS.recordKey)) ?? new Uint8Array();
    const fileId = Array.from(key.subarray(0, 16), byte => byte.toString(16).padStart(2, '0')).join('');
    return {
      fileId: fileId || '0',
      topFolder: await folderOf(bag, TAGS.ipmSubtree),
      sentFolder: await folderOf(bag, TAGS.sentItems),
    };
  } catch (error) {
    if (error instanceof ImportError && error.code === 'damaged') return none;
    throw error;
  }
}

async function folderName(blocks: BlockStore, nodes: NodeTable, id: number): Promise<string> {
  const place = nodes.findNode(id);
  if (place === null) return '';
  try {
    const bag = await readProperties(new PstNode(blocks, place, newAllowance()));
    const name = (await bag.text(TAGS.displayName)).replace(/\p{Cc}+/gu, ' ').trim();
    return name.slice(0, FOLDER_NAME_MAX_CHARACTERS);
  } catch (error) {
    if (error instanceof ImportError && error.code !== 'too_large') return '';
    throw error;
  }
}

/**
 * Returns the folders that the user sees, parents before children, then other nodes that contain
 * messages. Siblings of the visible folders are Outlook's own: views, free/busy times, search
 * results.
 */
export async function readFolders(
  blocks: BlockStore,
  nodes: NodeTable,
  store: PstStore,
): Promise<PstFolder[]> {
  const folders: PstFolder[] = [];
  const seen = new Set<number>();
  /** Range of the visible folders in the list. */
  const visible: number[] = [];
  const walk = async (id: number, path: FolderPath, isSent: boolean): Promise<void> => {
    if (seen.has(id)) return;
    seen.add(id);
    if (id === store.topFolder) visible.push(folders.length);
    folders.push({ id, path, isSent });
    for (const inner of nodes.subfolders(id)) {
      const isTop = inner === store.topFolder;
      const name = isTop ? '' : (await folderName(blocks, nodes, inner)) || `Folder ${inner.toString(16)}`;
      const deeper = path.length >= FOLDER_DEPTH_MAX ? path : [...path, name];
      await walk(inner, isTop ? [] : deeper, isSent || inner === store.sentFolder);
    }
    if (id === store.topFolder) visible.push(folders.length);
  };
  await walk(ROOT_FOLDER, [], false);
  const [from, to] = visible;
  const found = from === undefined ? folders : folders.slice(from, to);
  for (const id of nodes.messageFolders()) {
    if (!seen.has(id)) found.push({ id, path: LOST_FOLDER, isSent: false });
  }
  return found;
}
