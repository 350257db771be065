// Maps property numbers above 0x8000 to names. Each file or message assigns these numbers itself
// and stores a list of them. A PST and a .msg file use the same form ([MS-PST] 2.4.7, [MS-OXMSG]
// 2.2.3).

import { viewOf } from '../bytes.ts';
import { FAMILIES } from './tags.ts';

/** The parts of the list, as properties or streams. */
export const NAME_LIST = { guids: 0x0002, entries: 0x0003, strings: 0x0004 } as const;
/** Maximum number of list entries read; a typical file has some hundreds. */
const NAMES_MAX = 65_536;

const utf16 = new TextDecoder('utf-16le');

/** Formats a GUID as lowercase text. */
export function guidText(bytes: Uint8Array): string {
  const view = viewOf(bytes);
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const rest = Array.from(bytes.subarray(8), byte => hex(byte, 2)).join('');
  const start = `${hex(view.getUint32(0, true), 8)}-${hex(view.getUint16(4, true), 4)}-${hex(view.getUint16(6, true), 4)}`;
  return `${start}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

/** The meaning of property numbers above 0x8000 in one file or message. */
export class PropertyNames {
  readonly #ids: ReadonlyMap<string, number>;

  constructor(ids: ReadonlyMap<string, number>) {
    this.#ids = ids;
  }

  /** Returns the number of a named property; 0, which no object has, when it is unknown. */
  idOf(family: string, name: number | string): number {
    return this.#ids.get(`${family} ${name}`) ?? 0;
  }
}

/** Builds the list from its parts. */
export function readNameList(guids: Uint8Array, entries: Uint8Array, strings: Uint8Array): PropertyNames {
  const ids = new Map<string, number>();
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
