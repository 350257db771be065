// Validates a compound file ([MS-CFB]) before the library reads it, because the library follows
// every chain without limit. Each sector may belong to one chain only, each entry to one storage,
// and a stream must be inside the file. Reading a file that passes takes time and memory linear in
// its size.

import { viewOf } from '../bytes.ts';
import { ImportError } from '../errors.ts';

const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
const MINI_BYTES = 64;
/** Streams below this size are in the mini stream; the library supports no other threshold. */
const MINI_BELOW = 4_096;
const END = -2;
const NONE = -1;
const KINDS = { storage: 1, stream: 2, root: 5 } as const;

/**
 * Maximum number of entries in one file, and maximum nesting depth of storages: two levels per
 * nested message.
 */
const ENTRIES_MAX = 100_000;
/**
 * A name is stored in its entry; the library reads as many bytes of the file as the entry claims.
 */
const NAME_MAX_BYTES = 64;
const STORAGES_MAX = 64;

/** Reports whether bytes begin with the signature of a compound file. */
export const isCompoundFile = (bytes: Uint8Array): boolean =>
  SIGNATURE.every((byte, index) => bytes[index] === byte);

type Entry = {
  kind: number;
  nameBytes: number;
  left: number;
  right: number;
  child: number;
  start: number;
  sizeBytes: number;
};

class CompoundCheck {
  readonly #view: DataView;
  readonly #sectorBytes: number;
  readonly #sectors: number;
  readonly #fat: Int32Array;
  readonly #isUsed: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#view = viewOf(bytes);
    const shift = this.#view.getUint16(0x1e, true);
    if (shift !== 9 && shift !== 12) throw new ImportError('damaged');
    if (this.#view.getUint32(0x38, true) !== MINI_BELOW) throw new ImportError('unsupported');
    this.#sectorBytes = 2 ** shift;
    this.#sectors = Math.ceil(bytes.length / this.#sectorBytes) - 1;
    this.#isUsed = new Uint8Array(Math.max(0, this.#sectors));
    this.#fat = this.#readTable(this.#tableSectors());
  }

  #at(sector: number): number {
    if (sector < 0 || sector >= this.#sectors) throw new ImportError('damaged');
    return (sector + 1) * this.#sectorBytes;
  }

  #claim(sector: number): number {
    const at = this.#at(sector);
    if (this.#isUsed[sector] === 1) throw new ImportError('looping');
    this.#isUsed[sector] = 1;
    return at;
  }

  /**
   * Returns the sectors of the allocation table: the first are listed in the header, the others in
   * a chain of lists.
   */
  #tableSectors(): number[] {
    const view = this.#view;
    const count = view.getUint32(0x2c, true);
    const listCount = view.getUint32(0x48, true);
    if (count > this.#sectors || listCount > this.#sectors) throw new ImportError('damaged');
    const found = Array.from({ length: Math.min(count, 109) }, (_, index) =>
      view.getInt32(0x4c + 4 * index, true),
    );
    let list = view.getInt32(0x44, true);
    for (let lists = 0; lists < listCount && list !== END && list !== NONE; lists++) {
      const at = this.#claim(list);
      const perList = this.#sectorBytes / 4 - 1;
      for (let index = 0; index < perList && found.length < count; index++)
        found.push(view.getInt32(at + 4 * index, true));
      list = view.getInt32(at + 4 * perList, true);
    }
    return found;
  }

  /**
   * Returns the numbers in these sectors in sequence. The last sector of a file may be truncated.
   */
  #readTable(sectors: readonly number[]): Int32Array {
    const perSector = this.#sectorBytes / 4;
    const table = new Int32Array(sectors.length * perSector).fill(NONE);
    sectors.forEach((sector, index) => {
      const at = this.#claim(sector);
      for (let place = 0; place < perSector; place++) {
        const from = at + 4 * place;
        if (from + 4 <= this.#view.byteLength)
          table[index * perSector + place] = this.#view.getInt32(from, true);
      }
    });
    return table;
  }

  #chain(start: number): number[] {
    const sectors: number[] = [];
    for (let sector = start; sector !== END; sector = this.#fat[sector] ?? END) {
      this.#claim(sector);
      sectors.push(sector);
    }
    return sectors;
  }

  #entries(): Entry[] {
    const view = this.#view;
    const perSector = this.#sectorBytes / ENTRY_BYTES;
    const sectors = this.#chain(view.getInt32(0x30, true));
    if (sectors.length * perSector > ENTRIES_MAX) throw new ImportError('too_large');
    return sectors.flatMap(sector =>
      Array.from({ length: perSector }, (_, index): Entry => {
        const at = this.#at(sector) + ENTRY_BYTES * index;
        if (at + ENTRY_BYTES > view.byteLength)
          return { kind: 0, nameBytes: 0, left: NONE, right: NONE, child: NONE, start: END, sizeBytes: 0 };
        return {
          kind: view.getUint8(at + 0x42),
          nameBytes: view.getUint16(at + 0x40, true),
          left: view.getInt32(at + 0x44, true),
          right: view.getInt32(at + 0x48, true),
          child: view.getInt32(at + 0x4c, true),
          start: view.getInt32(at + 0x74, true),
          sizeBytes: view.getUint32(at + 0x78, true),
        };
      }),
    );
  }

  /** Checks that every entry has exactly one parent and that no storage is nested too deeply. */
  #checkTree(entries: readonly Entry[]): void {
    const seen = new Uint8Array(entries.length);
    const pending: [place: number, depth: number][] = [[0, 0]];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [place, depth] = next;
      const entry = entries[place];
      if (entry === undefined || depth > STORAGES_MAX) throw new ImportError('damaged');
      if (seen[place] === 1) throw new ImportError('looping');
      seen[place] = 1;
      const isStorage = entry.kind === KINDS.storage || place === 0;
      if (isStorage && entry.child !== NONE) pending.push([entry.child, depth + 1]);
      if (place === 0) continue;
      if (entry.left !== NONE) pending.push([entry.left, depth]);
      if (entry.right !== NONE) pending.push([entry.right, depth]);
    }
  }

  check(): void {
    const view = this.#view;
    const entries = this.#entries();
    if (entries.some(({ kind, nameBytes }) => kind !== 0 && nameBytes > NAME_MAX_BYTES))
      throw new ImportError('damaged');
    const [root] = entries;
    if (root?.kind !== KINDS.root) throw new ImportError('damaged');
    this.#checkTree(entries);
    const miniTable = this.#readMiniTable(view.getInt32(0x3c, true), view.getUint32(0x40, true));
    const miniSectors =
      root.start < 0 ? 0 : (this.#chain(root.start).length * this.#sectorBytes) / MINI_BYTES;
    const isMiniUsed = new Uint8Array(miniSectors);
    for (const { kind, start, sizeBytes } of entries) {
      if (kind !== KINDS.stream || sizeBytes === 0) continue;
      if (sizeBytes >= MINI_BELOW) {
        if (this.#chain(start).length * this.#sectorBytes < sizeBytes) throw new ImportError('too_short');
        continue;
      }
      let length = 0;
      for (let sector = start; sector !== END; sector = miniTable[sector] ?? END) {
        if (sector < 0 || sector >= miniSectors) throw new ImportError('damaged');
        if (isMiniUsed[sector] === 1) throw new ImportError('looping');
        isMiniUsed[sector] = 1;
        length += MINI_BYTES;
      }
      if (length < sizeBytes) throw new ImportError('too_short');
    }
  }

  #readMiniTable(start: number, count: number): Int32Array {
    if (count > this.#sectors) throw new ImportError('damaged');
    const sectors = start < 0 ? [] : this.#chain(start);
    for (const sector of sectors) this.#isUsed[sector] = 0;
    return this.#readTable(sectors);
  }
}

/** Throws ImportError when the bytes are not a readable compound file. */
export function checkCompoundFile(bytes: Uint8Array): void {
  if (!isCompoundFile(bytes)) throw new ImportError('not_this_format');
  if (bytes.length < HEADER_BYTES) throw new ImportError('too_short');
  new CompoundCheck(bytes).check();
}
