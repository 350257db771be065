// Reads Outlook's .msg files ([MS-OXMSG]): a message in a compound file, with properties in streams
// and one storage per recipient and file. The library reads the compound file after
// compound-check.ts has validated it.

import { type CFolder, Reader } from '@kenjiuno/msgreader/lib/Reader.js';
import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import { viewOf } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import { ansiCodePageOf } from '../mapi/ansi-code-page.ts';
import type { MapiAttachment, MapiItem } from '../mapi/item.ts';
import { PROPERTIES_MAX } from '../mapi/limits.ts';
import { openMapiMessage } from '../mapi/mapi-message.ts';
import { MemoryBag, TYPES } from '../mapi/memory-bag.ts';
import { NAME_LIST, PropertyNames, readNameList } from '../mapi/names.ts';
import { checkCompoundFile } from './compound-check.ts';

export { isCompoundFile } from './compound-check.ts';

/** Maximum size of a file, in bytes; larger ones are rejected. */
export const MSG_MAX_BYTES = 41_943_040;
const RECIPIENTS_MAX = 2_000;
const FILES_MAX = 1_000;

const PROPERTIES = '__properties_version1.0';
const NAMES = '__nameid_version1.0';
const RECIPIENT = /^__recip_version1\.0_#/;
const FILE = /^__attach_version1\.0_#/;
const VALUE = /^__substg1\.0_([0-9A-F]{4})([0-9A-F]{4})$/i;
/** The storage that contains an attached object. */
const OBJECT = '__substg1.0_3701000D';
/**
 * Bytes before the properties: of the outer message, of a nested message, and of a recipient or
 * file.
 */
const HEADER_BYTES = { outer: 32, inner: 24, part: 8 } as const;
const ENTRY_BYTES = 16;
const FIXED = new Set<number>([TYPES.int16, TYPES.int32, TYPES.boolean, TYPES.time]);

const byName = (a: CFolder, b: CFolder): number => (a.name < b.name ? -1 : 1);
const subStorage = (storage: CFolder, name: string): CFolder | null =>
  storage.subFolders().find(one => one.name.toLowerCase() === name.toLowerCase()) ?? null;

/**
 * Reads the properties of one storage. Fixed-size values share one stream; all others have streams
 * of their own.
 */
function readBag(storage: CFolder, headerBytes: number, codePage: number | null): MemoryBag {
  const bag = new MemoryBag();
  for (const { name, provider } of storage.fileNameSets()) {
    if (name === PROPERTIES) {
      const bytes = provider();
      for (let at = headerBytes; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
        const type = viewOf(bytes).getUint16(at, true);
        const value = bytes.subarray(at + 8, at + ENTRY_BYTES);
        if (FIXED.has(type) && bag.size < PROPERTIES_MAX)
          bag.set(viewOf(bytes).getUint16(at + 2, true), { type, read: () => value });
      }
      continue;
    }
    const [, id, type] = VALUE.exec(name) ?? [];
    if (id === undefined || type === undefined || bag.size >= PROPERTIES_MAX) continue;
    const [idNumber, typeNumber] = [Number.parseInt(id, 16), Number.parseInt(type, 16)];
    // Of two forms of a text, the Unicode one is lossless.
    if (typeNumber === TYPES.ansi && bag.typeOf(idNumber) === TYPES.unicode) continue;
    bag.set(idNumber, { type: typeNumber, read: provider });
  }
  bag.codePage = codePage ?? ansiCodePageOf(bag);
  return bag;
}

class MsgItem implements MapiItem {
  readonly properties: MemoryBag;
  readonly origin = 'msg';
  readonly depth: number;
  readonly name: string;
  readonly #storage: CFolder;
  readonly #names: PropertyNames;

  constructor(storage: CFolder, names: PropertyNames, depth: number, name: string) {
    this.#storage = storage;
    this.#names = names;
    this.depth = depth;
    this.name = name;
    this.properties = readBag(storage, depth === 0 ? HEADER_BYTES.outer : HEADER_BYTES.inner, null);
    if (this.properties.size === 0) throw new ImportError('not_this_format');
  }

  idOf(family: string, name: number | string): number {
    return this.#names.idOf(family, name);
  }

  #parts(kind: RegExp, partsMax: number): CFolder[] {
    const parts = this.#storage.subFolders().filter(({ name }) => kind.test(name));
    return parts.sort(byName).slice(0, partsMax);
  }

  async recipients(): Promise<MemoryBag[]> {
    return this.#parts(RECIPIENT, RECIPIENTS_MAX).map(part =>
      readBag(part, HEADER_BYTES.part, this.properties.codePage),
    );
  }

  async attachments(): Promise<(() => Promise<MapiAttachment>)[]> {
    return this.#parts(FILE, FILES_MAX).map((part, index) => async () => {
      const object = subStorage(part, OBJECT);
      return {
        properties: readBag(part, HEADER_BYTES.part, this.properties.codePage),
        isObject: object !== null,
        readMessage: async () => {
          if (object === null) throw new ImportError('damaged');
          return new MsgItem(object, this.#names, this.depth + 1, `${this.name}${index}x`);
        },
        // Other programs' objects are storages, which cannot be represented as files.
        readObject: async () => {
          throw new ImportError('unsupported');
        },
      };
    });
  }
}

function readNames(root: CFolder): PropertyNames {
  const storage = subStorage(root, NAMES);
  if (storage === null) return new PropertyNames(new Map());
  const streams = new Map(storage.fileNameSets().map(({ name, provider }) => [name.toUpperCase(), provider]));
  const part = (id: number): Uint8Array =>
    streams.get(`__SUBSTG1.0_${id.toString(16).padStart(4, '0')}0102`)?.() ?? new Uint8Array();
  return readNameList(part(NAME_LIST.guids), part(NAME_LIST.entries), part(NAME_LIST.strings));
}

function openRoot(bytes: Uint8Array): MsgItem {
  try {
    const reader = new Reader(new DataView(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength));
    reader.parse();
    const root = reader.rootFolder();
    if (root === null) throw new ImportError('damaged');
    return new MsgItem(root, readNames(root), 0, '0');
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError('damaged', error);
  }
}

/**
 * Returns the message of a .msg file. Throws `not_this_format` when it is not one, `too_large`,
 * `too_short`, `looping` or `damaged`.
 */
export function readMsg(bytes: Uint8Array): MapiItem {
  if (bytes.length > MSG_MAX_BYTES) throw new ImportError('too_large');
  checkCompoundFile(bytes);
  return openRoot(bytes);
}

/**
 * Opens a .msg file as a message for display. Throws as readMsg does, or as writeMapiMessage does
 * for an unreadable body.
 */
export const openMsg = async (bytes: Uint8Array): Promise<ParsedMessage> => openMapiMessage(readMsg(bytes));
