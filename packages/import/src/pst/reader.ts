// Reads a PST, Unicode or ANSI, from slices of the file ([MS-PST]). Memory holds a bounded number
// of pages, one item, and 24 bytes per folder and message. Errors are isolated per item. [Note: Own
// reader] The libraries for this format keep all blocks and every message they have returned in
// memory, print folder names to the console, and give up a message because of one unknown property:
// docs/adr/0034-reading-pst-files.md.

import type { ByteSource } from '../byte-source.ts';
import { ImportError } from '../errors.ts';
import type { FolderOutline, ImportItem, MailFileReader, ReadOptions } from '../items.ts';
import { reasonOf } from '../mapi/broken.ts';
import { messageClassOf, subjectOf } from '../mapi/item.ts';
import { mailItemsOf } from '../mapi/mail-items.ts';
import { NAME_LIST, PropertyNames, readNameList } from '../mapi/names.ts';
import { BlockStore, newAllowance } from './block-store.ts';
import { writeCard, writeListCards } from './cards.ts';
import { type PstFolder, type PstStore, readFolders, readStore } from './folders.ts';
import { readPstHeader } from './header.ts';
import { type PstContext, PstItem } from './item.ts';
import { PstNode } from './node.ts';
import { type NodePlace, type NodeTable, readNodeTable } from './node-table.ts';
import { PageCache } from './page-cache.ts';
import { readProperties } from './property-bag.ts';

/** Maximum bytes kept of an unreadable item. */
const BROKEN_RAW_MAX_BYTES = 1_048_576;

class PstReader implements MailFileReader {
  readonly #pages: PageCache;
  readonly #blocks: BlockStore;
  readonly #nodes: NodeTable;
  readonly #context: PstContext;
  readonly #store: PstStore;
  #folders: Promise<PstFolder[]> | null = null;

  constructor(pages: PageCache, blocks: BlockStore, nodes: NodeTable, context: PstContext, store: PstStore) {
    this.#pages = pages;
    this.#blocks = blocks;
    this.#nodes = nodes;
    this.#context = context;
    this.#store = store;
  }

  #list(): Promise<PstFolder[]> {
    this.#folders ??= readFolders(this.#blocks, this.#nodes, this.#store);
    return this.#folders;
  }

  async outline(): Promise<FolderOutline[]> {
    return (await this.#list()).flatMap(({ id, path }) => {
      const itemCount = this.#nodes.messageCount(id);
      // The root and the folders that the user does not normally see are listed only when they
      // contain items.
      return path.length === 0 && itemCount === 0 ? [] : [{ folder: path, itemCount }];
    });
  }

  async *items({ isWanted, isDone, from, signal }: ReadOptions = {}): AsyncGenerator<ImportItem> {
    const folders = (await this.#list()).filter(({ path }) => isWanted?.(path) !== false);
    const start = from === undefined ? null : this.#findStart(folders, from);
    let isBefore = start !== null;
    for (const folder of folders) {
      for (const place of this.#nodes.messages(folder.id)) {
        if (isBefore && place.nodeId !== start) continue;
        isBefore = false;
        signal?.throwIfAborted();
        const key = `pst-${place.nodeId.toString(16)}`;
        if (isDone?.(key) === true) continue;
        const [first, ...others] = await this.#read(folder, place, key);
        if (first !== undefined) yield { ...first, canBegin: true };
        yield* others;
      }
    }
  }

  /**
   * Returns the message of an earlier reading's key, by its node; null when none of these folders
   * contains it.
   */
  #findStart(folders: readonly PstFolder[], key: string): number | null {
    const nodeId = Number.parseInt(/^pst-([0-9a-f]{1,8})(?:-|$)/.exec(key)?.[1] ?? '', 16);
    for (const { id } of folders)
      for (const place of this.#nodes.messages(id)) if (place.nodeId === nodeId) return nodeId;
    return null;
  }

  /**
   * Reads one entry of a folder as items: a message may have unreadable files, a list has members.
   */
  async #read(folder: PstFolder, place: NodePlace, key: string): Promise<ImportItem[]> {
    let name = '';
    try {
      const item = await PstItem.read(new PstNode(this.#blocks, place, newAllowance()), this.#context);
      name = await subjectOf(item);
      return await this.#convert(folder, item, key);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === null || this.#pages.failure !== null || this.#blocks.isExhausted) throw error;
      const raw = await this.#findRaw(place);
      return [{ kind: 'broken', key, folder: folder.path, name, reason, ...(raw && { raw }) }];
    }
  }

  async #convert(folder: PstFolder, item: PstItem, key: string): Promise<ImportItem[]> {
    const base = { key, folder: folder.path };
    const kind = await messageClassOf(item);
    // Settings that Outlook stores as messages.
    if (/^IPM\.(MICROSOFT|CONFIGURATION)\./.test(kind)) return [];
    if (kind.startsWith('IPM.CONTACT')) return [{ ...base, kind: 'contact', vcard: await writeCard(item) }];
    if (kind.startsWith('IPM.DISTLIST')) {
      const cards = await writeListCards(item);
      if (cards.length === 0) throw new ImportError('unsupported');
      return cards.map((vcard, index) => ({ ...base, kind: 'contact', key: `${key}-${index}`, vcard }));
    }
    return mailItemsOf(item, base, folder.isSent);
  }

  /** Returns the item's own bytes without its subnodes, or null when not even they are readable. */
  async #findRaw(place: NodePlace): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      const pieces = await this.#blocks.readPieces(place.dataBlock, { bytesLeft: BROKEN_RAW_MAX_BYTES });
      const size = pieces.reduce((sum, { length }) => sum + length, 0);
      const raw = new Uint8Array(size);
      let at = 0;
      for (const piece of pieces) {
        raw.set(piece, at);
        at += piece.length;
      }
      return size === 0 ? null : raw;
    } catch (error) {
      if (reasonOf(error) === null || this.#pages.failure !== null || this.#blocks.isExhausted) throw error;
      return null;
    }
  }
}

async function readNames(blocks: BlockStore, nodes: NodeTable): Promise<PropertyNames> {
  const place = nodes.findNode(NAME_NODE);
  if (place === null) return new PropertyNames(new Map());
  try {
    return await readPropertyNames(new PstNode(blocks, place, newAllowance()));
  } catch (error) {
    // Without names, a message loses only its appointment.
    if (error instanceof ImportError && error.code === 'damaged') return new PropertyNames(new Map());
    throw error;
  }
}

/**
 * Opens a PST. Throws ImportError when the file is not a PST, is truncated, is damaged at its root,
 * contains loops, or is unsupported.
 */
export async function openPst(source: ByteSource): Promise<MailFileReader> {
  const pages = new PageCache(source);
  const header = await readPstHeader(pages);
  const blocks = new BlockStore(pages, header);
  const nodes = await readNodeTable(pages, header.shape, header.nodeTree);
  const store = await readStore(blocks, nodes);
  const names = await readNames(blocks, nodes);
  const context: PstContext = { isUnicode: blocks.isUnicode, names, fileId: store.fileId };
  return new PstReader(pages, blocks, nodes, context, store);
}

/** The node that contains the list. */
const NAME_NODE = 0x61;

/**
 * Reads the meanings of property numbers above 0x8000 in this file ([MS-PST] 2.4.7). An unreadable
 * list counts as missing, because most properties do not need it.
 */
async function readPropertyNames(node: PstNode): Promise<PropertyNames> {
  const bag = await readProperties(node);
  const part = async (id: number) => (await bag.bytes(id)) ?? new Uint8Array();
  return readNameList(
    await part(NAME_LIST.guids),
    await part(NAME_LIST.entries),
    await part(NAME_LIST.strings),
  );
}
