// Reads TNEF, the winmail.dat of Outlook and Exchange ([MS-OXTNEF]): a message whose body, files
// and properties are a sequence of attributes. Truncated input yields what there is. Checksums are
// ignored, because real files have wrong ones. One pass, no copies; everything inside a message is
// bounded by its bytes.

import type { ParsedMessage } from '@keyfold/mail/mime/parse';
import { viewOf } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import { ansiCodePageOf } from '../mapi/ansi-code-page.ts';
import type { MapiAttachment, MapiItem } from '../mapi/item.ts';
import { openMapiMessage } from '../mapi/mapi-message.ts';
import { MemoryBag, TYPES } from '../mapi/memory-bag.ts';
import { PropertyNames } from '../mapi/names.ts';
import { TAGS } from '../mapi/tags.ts';
import { type NameIds, readPropertyList, readRows } from './properties.ts';

const SIGNATURE = 0x223e9f78;
const HEADER_BYTES = 6;
/** Level, number and length; two bytes of checksum follow the value. */
const ATTRIBUTE_BYTES = 9;
const CHECKSUM_BYTES = 2;

const ATTRIBUTES = {
  from: 0x8000,
  subject: 0x8004,
  dateSent: 0x8005,
  dateReceived: 0x8006,
  messageClass: 0x8008,
  messageId: 0x8009,
  body: 0x800c,
  fileData: 0x800f,
  fileTitle: 0x8010,
  fileTransportName: 0x9001,
  fileStart: 0x9002,
  messageProperties: 0x9003,
  recipients: 0x9004,
  fileProperties: 0x9005,
  codePage: 0x9007,
} as const;

/** Message classes under their old names, [MS-OXTNEF] 2.1.3.3.8. */
const CLASSES: Readonly<Record<string, string>> = {
  'IPM.MICROSOFT MAIL.NOTE': 'IPM.Note',
  'IPM.MICROSOFT SCHEDULE.MTGREQ': 'IPM.Schedule.Meeting.Request',
  'IPM.MICROSOFT SCHEDULE.MTGRESPP': 'IPM.Schedule.Meeting.Resp.Pos',
  'IPM.MICROSOFT SCHEDULE.MTGRESPN': 'IPM.Schedule.Meeting.Resp.Neg',
  'IPM.MICROSOFT SCHEDULE.MTGRESPA': 'IPM.Schedule.Meeting.Resp.Tent',
  'IPM.MICROSOFT SCHEDULE.MTGCNCL': 'IPM.Schedule.Meeting.Canceled',
};

/** Maximum size of a file, in bytes; larger ones are rejected. */
export const TNEF_MAX_BYTES = 41_943_040;
const FILES_MAX = 1_000;
const RECIPIENTS_MAX = 2_000;
/** Bytes before a message or another object that is attached as a file. */
const INTERFACE_BYTES = 16;

const latin1 = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, 1_000), byte => String.fromCharCode(byte))
    .join('')
    .replace(/\0.*$/s, '');

const asText = (bytes: Uint8Array) => ({ type: TYPES.ansi, read: () => bytes });
const textOf = (text: string) => asText(Uint8Array.from(text, char => char.charCodeAt(0) & 0xff));

/** Reports whether bytes begin with the TNEF signature. */
export const isTnef = (bytes: Uint8Array): boolean =>
  bytes.length >= HEADER_BYTES && viewOf(bytes).getUint32(0, true) === SIGNATURE;

/** Converts a time given as year, month, day, hour, minute and second to the property form. */
function fileTimeOf(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < 12) return null;
  const view = viewOf(bytes);
  const [year, month, day, hour, minute, second] = Array.from({ length: 6 }, (_, index) =>
    view.getUint16(2 * index, true),
  ) as [number, number, number, number, number, number];
  const ticks =
    (BigInt(Date.UTC(year, month - 1, day, hour, minute, second)) + 11_644_473_600_000n) * 10_000n;
  if (ticks <= 0n) return null;
  const time = new Uint8Array(8);
  viewOf(time).setBigUint64(0, ticks, true);
  return time;
}

class TnefItem implements MapiItem {
  readonly properties = new MemoryBag();
  readonly origin = 'tnef';
  readonly depth: number;
  readonly name: string;
  readonly #nameIds: NameIds = new Map();
  readonly #files: MemoryBag[] = [];
  /** Attributes of the last file seen so far: a repeated one begins another file. */
  #seen = new Set<number>();
  #recipients: Uint8Array | null = null;

  constructor(bytes: Uint8Array, depth: number, name: string) {
    if (!isTnef(bytes)) throw new ImportError('not_this_format');
    if (bytes.length > TNEF_MAX_BYTES) throw new ImportError('too_large');
    this.depth = depth;
    this.name = name;
    const view = viewOf(bytes);
    let at = HEADER_BYTES;
    while (at + ATTRIBUTE_BYTES <= bytes.length) {
      const id = view.getUint16(at + 1, true);
      const size = view.getUint32(at + 5, true);
      const start = at + ATTRIBUTE_BYTES;
      const isWhole = start + size <= bytes.length;
      // A truncated file is useless; a truncated text is not.
      if (isWhole || id !== ATTRIBUTES.fileData) this.#take(id, bytes.subarray(start, start + size));
      at = start + size + CHECKSUM_BYTES;
    }
    this.#settleCodePages();
  }

  #take(id: number, value: Uint8Array): void {
    const bag = this.properties;
    const setOnce = (tag: number, found: { type: number; read: () => Uint8Array } | null) => {
      if (found !== null && !bag.has(tag)) bag.set(tag, found);
    };
    const time = (): { type: number; read: () => Uint8Array } | null => {
      const read = fileTimeOf(value);
      return read === null ? null : { type: TYPES.time, read: () => read };
    };
    if (id === ATTRIBUTES.messageProperties) readPropertyList(value, bag, this.#nameIds);
    else if (id === ATTRIBUTES.recipients) this.#recipients = value;
    else if (id === ATTRIBUTES.codePage && value.length >= 4) bag.codePage = viewOf(value).getUint32(0, true);
    else if (id === ATTRIBUTES.subject) setOnce(TAGS.subject, asText(value));
    else if (id === ATTRIBUTES.body) setOnce(TAGS.body, asText(value));
    else if (id === ATTRIBUTES.dateSent) setOnce(TAGS.submitTime, time());
    else if (id === ATTRIBUTES.dateReceived) setOnce(TAGS.deliveryTime, time());
    else if (id === ATTRIBUTES.messageId) setOnce(TAGS.messageId, asText(value));
    else if (id === ATTRIBUTES.messageClass) {
      const name = latin1(value);
      setOnce(TAGS.messageClass, textOf(CLASSES[name.toUpperCase()] ?? name));
    } else if (id === ATTRIBUTES.from) this.#takeSender(value);
    else this.#takeOfFile(id, value);
  }

  /** Reads the name and address of the sender, with both lengths first ([MS-OXTNEF] 2.1.3.3.2). */
  #takeSender(value: Uint8Array): void {
    if (value.length < 8) return;
    const view = viewOf(value);
    const [nameLength, addressLength] = [view.getUint16(4, true), view.getUint16(6, true)];
    const name = value.subarray(8, 8 + nameLength);
    const address = latin1(value.subarray(8 + nameLength, 8 + nameLength + addressLength));
    const bag = this.properties;
    if (!bag.has(TAGS.senderName)) bag.set(TAGS.senderName, asText(name));
    if (!bag.has(TAGS.senderAddress)) bag.set(TAGS.senderAddress, textOf(address.replace(/^smtp:/i, '')));
  }

  #takeOfFile(id: number, value: Uint8Array): void {
    const isOfFile =
      id === ATTRIBUTES.fileStart ||
      id === ATTRIBUTES.fileData ||
      id === ATTRIBUTES.fileTitle ||
      id === ATTRIBUTES.fileTransportName ||
      id === ATTRIBUTES.fileProperties;
    if (!isOfFile) return;
    let file = this.#files.at(-1);
    if (file === undefined || id === ATTRIBUTES.fileStart || this.#seen.has(id)) {
      if (this.#files.length >= FILES_MAX) return;
      file = new MemoryBag();
      this.#files.push(file);
      this.#seen = new Set();
    }
    this.#seen.add(id);
    if (id === ATTRIBUTES.fileProperties) readPropertyList(value, file, this.#nameIds);
    else if (id === ATTRIBUTES.fileData && file.typeOf(TAGS.attachData) !== TYPES.object)
      file.set(TAGS.attachData, { type: TYPES.binary, read: () => value });
    else if (id === ATTRIBUTES.fileTitle && !file.has(TAGS.attachShortName))
      file.set(TAGS.attachShortName, asText(value));
    else if (id === ATTRIBUTES.fileTransportName && !file.has(TAGS.attachPath))
      file.set(TAGS.attachPath, asText(value));
  }

  /** Texts use the code page of the sender's machine, which may be stated before or after them. */
  #settleCodePages(): void {
    const bag = this.properties;
    bag.codePage ??= ansiCodePageOf(bag);
    for (const file of this.#files) file.codePage = bag.codePage;
  }

  idOf(family: string, name: number | string): number {
    return new PropertyNames(this.#nameIds).idOf(family, name);
  }

  async recipients(): Promise<MemoryBag[]> {
    return this.#recipients === null
      ? []
      : readRows(this.#recipients, this.properties.codePage, RECIPIENTS_MAX);
  }

  async attachments(): Promise<(() => Promise<MapiAttachment>)[]> {
    // A file may have only begun before the data ended.
    const files = this.#files.filter(({ size }) => size > 0);
    return files.map((properties, index) => async () => this.#attachment(properties, index));
  }

  #attachment(properties: MemoryBag, index: number): MapiAttachment {
    const object = properties.objectBytes(TAGS.attachData);
    const content = (object ?? new Uint8Array()).subarray(INTERFACE_BYTES);
    return {
      properties,
      isObject: object !== null && isTnef(content),
      readMessage: async () => new TnefItem(content, this.depth + 1, `${this.name}${index}x`),
      readObject: async () => content as Uint8Array<ArrayBuffer>,
    };
  }
}

/**
 * Opens a TNEF as a message for display. Throws `not_this_format` when it is not one, `too_large`,
 * or as writeMapiMessage does when its body cannot be read.
 */
export const openTnef = async (bytes: Uint8Array): Promise<ParsedMessage> =>
  openMapiMessage(new TnefItem(bytes, 0, '0'));
