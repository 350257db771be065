// Writes Outlook .msg files for tests, after [MS-OXMSG] and [MS-CFB]: properties, recipients, files
// and nested messages. The entries of a storage form a linked list. Shares no code with the reader.

import { encodeText, fileTime, joined, numbers, type PropertyValue } from './pst-heap.ts';

export type MsgProperty = Exclude<PropertyValue, { type: 'object' }> & {
  /** Stores text in one byte per character. */
  isAnsi?: boolean;
};

export type TestMsgFile = {
  properties?: readonly MsgProperty[];
  content?: Uint8Array;
  /** A message that is the content of this file. */
  inner?: TestMsg;
};

export type TestMsg = {
  properties: readonly MsgProperty[];
  recipients?: readonly (readonly MsgProperty[])[];
  files?: readonly TestMsgFile[];
};

type Stored = { name: string; stream: Uint8Array<ArrayBuffer> } | { name: string; entries: Stored[] };

const SECTOR = 512;
const MINI = 64;
const MINI_BELOW = 4_096;
const [END, NONE, TABLE, LIST] = [0xffff_fffe, 0xffff_ffff, 0xffff_fffd, 0xffff_fffc];
/** FAT sectors listed in the header; further ones are in DIFAT sectors. */
const IN_HEADER = 109;

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');

function encodeValue(property: MsgProperty): {
  type: number;
  fixed?: Uint8Array;
  stream?: Uint8Array<ArrayBuffer>;
} {
  if (property.type === 'int') return { type: 0x03, fixed: numbers([4, property.value], [4, 0]) };
  if (property.type === 'bool') return { type: 0x0b, fixed: numbers([4, property.value ? 1 : 0], [4, 0]) };
  if (property.type === 'time') return { type: 0x40, fixed: fileTime(property.value) };
  if (property.type === 'binary') return { type: 0x102, stream: Uint8Array.from(property.value) };
  const isAnsi = property.isAnsi === true;
  return { type: isAnsi ? 0x1e : 0x1f, stream: encodeText(property.value, !isAnsi) };
}

function bagEntries(properties: readonly MsgProperty[], headerBytes: number): Stored[] {
  const values = properties.map(property => ({ id: property.id, ...encodeValue(property) }));
  const list = values.map(({ id, type, fixed, stream }) =>
    joined([numbers([2, type], [2, id], [4, 6]), fixed ?? numbers([4, stream?.length ?? 0], [4, 0])]),
  );
  return [
    { name: '__properties_version1.0', stream: joined([new Uint8Array(headerBytes), ...list]) },
    ...values.flatMap(({ id, type, stream }) =>
      stream === undefined ? [] : [{ name: `__substg1.0_${hex(id, 4)}${hex(type, 4)}`, stream }],
    ),
  ];
}

function messageEntries({ properties, recipients = [], files = [] }: TestMsg, headerBytes: number): Stored[] {
  return [
    ...bagEntries(properties, headerBytes),
    ...recipients.map((row, index) => ({
      name: `__recip_version1.0_#${hex(index, 8)}`,
      entries: bagEntries(row, 8),
    })),
    ...files.map(({ properties: own = [], content, inner }, index) => {
      const data: MsgProperty[] =
        content === undefined ? [] : [{ id: 0x3701, type: 'binary', value: content }];
      const entries = bagEntries([...own, ...data], 8);
      if (inner !== undefined)
        entries.push({ name: '__substg1.0_3701000D', entries: messageEntries(inner, 24) });
      return { name: `__attach_version1.0_#${hex(index, 8)}`, entries };
    }),
  ];
}

/** The sectors of a file being written: each stream gets consecutive sectors. */
class CompoundWriter {
  readonly #sectors: Uint8Array<ArrayBuffer>[] = [];
  readonly #table: number[] = [];
  readonly #mini: Uint8Array<ArrayBuffer>[] = [];
  readonly #miniTable: number[] = [];
  readonly #entries: {
    name: string;
    kind: number;
    child: number;
    next: number;
    start: number;
    size: number;
  }[] = [];

  #place(bytes: Uint8Array): number {
    if (bytes.length === 0) return END;
    const start = this.#table.length;
    for (let at = 0; at < bytes.length; at += SECTOR) {
      const sector = new Uint8Array(SECTOR);
      sector.set(bytes.subarray(at, at + SECTOR));
      this.#sectors.push(sector);
      this.#table.push(at + SECTOR < bytes.length ? this.#table.length + 1 : END);
    }
    return start;
  }

  #placeMini(bytes: Uint8Array): number {
    if (bytes.length === 0) return END;
    const start = this.#miniTable.length;
    for (let at = 0; at < bytes.length; at += MINI) {
      const sector = new Uint8Array(MINI);
      sector.set(bytes.subarray(at, at + MINI));
      this.#mini.push(sector);
      this.#miniTable.push(at + MINI < bytes.length ? this.#miniTable.length + 1 : END);
    }
    return start;
  }

  /** Adds these entries, each linked to the next, and returns the number of the first. */
  #add(stored: readonly Stored[]): number {
    const places = stored.map(one => {
      this.#entries.push({ name: one.name, kind: 2, child: NONE, next: NONE, start: END, size: 0 });
      return this.#entries.length - 1;
    });
    stored.forEach((one, index) => {
      const entry = this.#entries[places[index] ?? 0];
      if (entry === undefined) return;
      entry.next = places[index + 1] ?? NONE;
      if ('entries' in one) {
        entry.kind = 1;
        entry.child = this.#add(one.entries);
        return;
      }
      entry.size = one.stream.length;
      entry.start = one.stream.length < MINI_BELOW ? this.#placeMini(one.stream) : this.#place(one.stream);
    });
    return places[0] ?? NONE;
  }

  write(stored: readonly Stored[]): Uint8Array<ArrayBuffer> {
    const root = { name: 'Root Entry', kind: 5, child: NONE, next: NONE, start: END, size: 0 };
    this.#entries.push(root);
    root.child = this.#add(stored);
    const mini = joined(this.#mini);
    root.start = this.#place(mini);
    root.size = mini.length;
    const miniTable = numbers(...this.#miniTable.map(next => [4, next] as const));
    const miniTableStart = this.#place(miniTable);
    const directory = this.#place(joined(this.#entries.map(entryBytes)));
    const perSector = SECTOR / 4;
    let tables = 1;
    const listsFor = (count: number) => Math.ceil(Math.max(0, count - IN_HEADER) / (perSector - 1));
    while (tables * perSector < this.#table.length + tables + listsFor(tables)) tables++;
    const lists = listsFor(tables);
    const tableStart = this.#table.length;
    const listStart = tableStart + tables;
    for (let index = 0; index < tables; index++) this.#table.push(TABLE);
    for (let index = 0; index < lists; index++) this.#table.push(LIST);
    while (this.#table.length < tables * perSector) this.#table.push(NONE);
    const tableAt = (index: number) => [4, index < tables ? tableStart + index : NONE] as const;
    const header = joined([
      Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      new Uint8Array(16),
      numbers([2, 0x3e], [2, 3], [2, 0xfffe], [2, 9], [2, 6], [2, 0], [4, 0], [4, 0], [4, tables]),
      numbers([4, directory], [4, 0], [4, MINI_BELOW], [4, miniTableStart]),
      numbers([4, Math.ceil(miniTable.length / SECTOR)], [4, lists === 0 ? END : listStart], [4, lists]),
      numbers(...Array.from({ length: IN_HEADER }, (_, index) => tableAt(index))),
    ]);
    const listBytes = Array.from({ length: lists }, (_, list) =>
      numbers(
        ...Array.from({ length: perSector - 1 }, (_, index) =>
          tableAt(IN_HEADER + list * (perSector - 1) + index),
        ),
        [4, list + 1 < lists ? listStart + list + 1 : END],
      ),
    );
    return joined([
      header,
      ...this.#sectors,
      numbers(...this.#table.map(next => [4, next] as const)),
      ...listBytes,
    ]);
  }
}

function entryBytes(entry: {
  name: string;
  kind: number;
  child: number;
  next: number;
  start: number;
  size: number;
}) {
  const name = new Uint8Array(64);
  name.set(encodeText(entry.name, true));
  return joined([
    name,
    numbers(
      [2, 2 * entry.name.length + 2],
      [1, entry.kind],
      [1, 1],
      [4, NONE],
      [4, entry.next],
      [4, entry.child],
    ),
    new Uint8Array(36),
    numbers([4, entry.start], [4, entry.size], [4, 0]),
  ]);
}

export const writeMsg = (msg: TestMsg): Uint8Array<ArrayBuffer> =>
  new CompoundWriter().write(messageEntries(msg, 32));
