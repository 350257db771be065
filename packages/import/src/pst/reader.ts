// Reads a PST, Unicode or ANSI, from slices of the file ([MS-PST]). What is in memory at a time is a bounded number of
// pages, one item, and 24 bytes for each folder and mail. Every item is read in a guard of its own.
// [Note: Own reader] The libraries for this format load all its blocks and every mail they have given into memory, print
// names of folders to the console, and give up a mail for one unknown property: docs/adr/0034-reading-pst-files.md.

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

/** Bytes kept of an item that could not be read. */
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
      // The root, and what stands beside the folders that a person sees, is shown only where something is in it.
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

  /** The message of a key of an earlier reading, by its node; null where none of these folders has it. */
  #findStart(folders: readonly PstFolder[], key: string): number | null {
    const nodeId = Number.parseInt(/^pst-([0-9a-f]{1,8})(?:-|$)/.exec(key)?.[1] ?? '', 16);
    for (const { id } of folders)
      for (const place of this.#nodes.messages(id)) if (place.nodeId === nodeId) return nodeId;
    return null;
  }

  /** One thing of a folder as the items it makes: a mail may have lost files, a list has members. */
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
    // Settings that Outlook keeps as if they were messages.
    if (/^IPM\.(MICROSOFT|CONFIGURATION)\./.test(kind)) return [];
    if (kind.startsWith('IPM.CONTACT')) return [{ ...base, kind: 'contact', vcard: await writeCard(item) }];
    if (kind.startsWith('IPM.DISTLIST')) {
      const cards = await writeListCards(item);
      if (cards.length === 0) throw new ImportError('unsupported');
      return cards.map((vcard, index) => ({ ...base, kind: 'contact', key: `${key}-${index}`, vcard }));
    }
    return mailItemsOf(item, base, folder.isSent);
  }

  /** The item's own bytes, without its subnodes, or null where not even they can be read. */
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
    // Without names a mail loses no more than its appointment.
    if (error instanceof ImportError && error.code === 'damaged') return new PropertyNames(new Map());
    throw error;
  }
}

/** Opens a PST. Throws ImportError when it is none, is cut short, damaged at its root, leads in circles, or is not read. */
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

/** The node that keeps the list. */
const NAME_NODE = 0x61;

/**
 * Reads what the numbers of properties above 0x8000 mean in this file ([MS-PST] 2.4.7); an unreadable one is as good as none, since
 * most properties do not need it.
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
