// Numbers of properties. Those below 0x8000 are the same everywhere ([MS-OXPROPS]); those above are given out by each
// file, which keeps a list of what they mean ([MS-PST] 2.4.7).

import { viewOf } from './heap.ts';
import type { PstNode } from './node.ts';
import { readProperties } from './property-bag.ts';

export const TAGS = {
  messageClass: 0x001a,
  subject: 0x0037,
  submitTime: 0x0039,
  representingName: 0x0042,
  representingAddressType: 0x0064,
  representingAddress: 0x0065,
  transportHeaders: 0x007d,
  recipientType: 0x0c15,
  senderName: 0x0c1a,
  senderAddressType: 0x0c1e,
  senderAddress: 0x0c1f,
  displayBcc: 0x0e02,
  displayCc: 0x0e03,
  displayTo: 0x0e04,
  deliveryTime: 0x0e06,
  messageFlags: 0x0e07,
  recordKey: 0x0ff9,
  body: 0x1000,
  rtf: 0x1009,
  html: 0x1013,
  messageId: 0x1035,
  references: 0x1039,
  inReplyTo: 0x1042,
  flagStatus: 0x1090,
  displayName: 0x3001,
  addressType: 0x3002,
  emailAddress: 0x3003,
  createdAt: 0x3007,
  ipmSubtree: 0x35e0,
  wastebasket: 0x35e3,
  sentItems: 0x35e4,
  attachData: 0x3701,
  attachShortName: 0x3704,
  attachMethod: 0x3705,
  attachLongName: 0x3707,
  attachPath: 0x370d,
  attachType: 0x370e,
  attachContentId: 0x3712,
  smtpAddress: 0x39fe,
  internetCodePage: 0x3fde,
  messageCodePage: 0x3ffd,
  senderSmtp: 0x5d01,
  representingSmtp: 0x5d02,
  recipientName: 0x5ff6,
} as const;

/** Families of properties whose numbers each file gives out. */
export const FAMILIES = {
  publicStrings: '00020329-0000-0000-c000-000000000046',
  appointment: '00062002-0000-0000-c000-000000000046',
  meeting: '6ed8da90-450b-101b-98da-00aa003f1305',
  address: '00062004-0000-0000-c000-000000000046',
} as const;

/** The node that keeps the list, and the parts of it. */
export const NAME_NODE = 0x61;
const GUIDS = 0x0002;
const ENTRIES = 0x0003;
const STRINGS = 0x0004;
/** Entries of the list that are read; a file has some hundreds. */
const NAMES_MAX = 65_536;

const utf16 = new TextDecoder('utf-16le');

function guidText(bytes: Uint8Array): string {
  const view = viewOf(bytes);
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const rest = Array.from(bytes.subarray(8), byte => hex(byte, 2)).join('');
  const start = `${hex(view.getUint32(0, true), 8)}-${hex(view.getUint16(4, true), 4)}-${hex(view.getUint16(6, true), 4)}`;
  return `${start}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

/** What the numbers above 0x8000 mean in one file. */
export class PropertyNames {
  readonly #ids: ReadonlyMap<string, number>;

  constructor(ids: ReadonlyMap<string, number>) {
    this.#ids = ids;
  }

  /** The number of a named property in this file; 0, which no object has, when the file does not know it. */
  idOf(family: string, name: number | string): number {
    return this.#ids.get(`${family} ${name}`) ?? 0;
  }
}

/** Reads the list; an unreadable one is as good as none, since most properties do not need it. */
export async function readPropertyNames(node: PstNode): Promise<PropertyNames> {
  const ids = new Map<string, number>();
  const bag = await readProperties(node);
  const guids = (await bag.bytes(GUIDS)) ?? new Uint8Array();
  const entries = (await bag.bytes(ENTRIES)) ?? new Uint8Array();
  const strings = (await bag.bytes(STRINGS)) ?? new Uint8Array();
  const view = viewOf(entries);
  for (let at = 0; at + 8 <= Math.min(entries.length, 8 * NAMES_MAX); at += 8) {
    const [key, kind, index] = [
      view.getUint32(at, true),
      view.getUint16(at + 4, true),
      view.getUint16(at + 6, true),
    ];
    const place = kind >> 1;
    const guid = guids.subarray(16 * (place - 3), 16 * (place - 2));
    const family =
      place === 2 ? FAMILIES.publicStrings : guid.length === 16 && place >= 3 ? guidText(guid) : '';
    if (family === '') continue;
    let name: number | string = key;
    if ((kind & 1) === 1) {
      if (key + 4 > strings.length) continue;
      const length = viewOf(strings).getUint32(key, true);
      const text = strings.subarray(key + 4, key + 4 + Math.min(length, 512));
      name = utf16.decode(text.subarray(0, text.length - (text.length % 2)));
    }
    ids.set(`${family} ${name}`, 0x8000 + index);
  }
  return new PropertyNames(ids);
}
