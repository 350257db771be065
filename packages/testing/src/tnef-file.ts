// Writes TNEF files (winmail.dat) for tests, after [MS-OXTNEF]: attributes of older programs,
// properties, files and nested messages. Shares no code with the reader.

import { encodeText, fileTime, joined, numbers, type PropertyValue } from './pst-heap.ts';

export type TestTnefFile = {
  properties?: readonly TnefProperty[];
  /** The name that older programs use, and the content stored outside the properties. */
  title?: string;
  content?: Uint8Array;
  /** A message that is the content of this file. */
  inner?: TestTnef;
  /** False to omit the attribute that begins a file, as some programs do. */
  hasStart?: boolean;
};

export type TnefProperty = Exclude<PropertyValue, { type: 'object' }> & {
  /** Stores text in one byte per character. */
  isAnsi?: boolean;
  /** For a named property: its family, and its number or text there. */
  named?: { family: string; name: number | string };
};

export type TestTnef = {
  codePage?: number;
  subject?: Uint8Array | string;
  body?: Uint8Array | string;
  messageClass?: string;
  properties?: readonly TnefProperty[];
  recipients?: readonly (readonly TnefProperty[])[];
  files?: readonly TestTnefFile[];
};

const latin1 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(`${text}\0`, char => char.charCodeAt(0));
const bytesOf = (text: Uint8Array | string): Uint8Array<ArrayBuffer> =>
  typeof text === 'string' ? latin1(text) : Uint8Array.from([...text, 0]);

function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const filled = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
  filled.set(bytes);
  return filled;
}

const sized = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  joined([numbers([4, 1], [4, bytes.length]), padded(bytes)]);

function attribute(level: 1 | 2, id: number, type: number, value: Uint8Array): Uint8Array<ArrayBuffer> {
  const sum = value.reduce((total, byte) => (total + byte) & 0xffff, 0);
  return joined([
    numbers([1, level], [2, id], [2, type], [4, value.length]),
    Uint8Array.from(value),
    numbers([2, sum]),
  ]);
}

function guidBytes(text: string): Uint8Array<ArrayBuffer> {
  const hex = text.replaceAll('-', '');
  const raw = Array.from({ length: 16 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
  const order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
  return Uint8Array.from(order, index => raw[index] ?? 0);
}

function nameBytes({ named }: TnefProperty): Uint8Array<ArrayBuffer> {
  if (named === undefined) return new Uint8Array();
  if (typeof named.name === 'number')
    return joined([guidBytes(named.family), numbers([4, 0], [4, named.name])]);
  const text = encodeText(`${named.name}\0`, true);
  return joined([guidBytes(named.family), numbers([4, 1], [4, text.length]), padded(text)]);
}

function propertyBytes(property: TnefProperty): Uint8Array<ArrayBuffer> {
  const head = (type: number) => joined([numbers([2, type], [2, property.id]), nameBytes(property)]);
  if (property.type === 'int') return joined([head(0x03), numbers([4, property.value])]);
  if (property.type === 'bool') return joined([head(0x0b), numbers([4, property.value ? 1 : 0])]);
  if (property.type === 'time') return joined([head(0x40), fileTime(property.value)]);
  if (property.type === 'binary') return joined([head(0x102), sized(property.value)]);
  const isAnsi = property.isAnsi === true;
  return joined([head(isAnsi ? 0x1e : 0x1f), sized(encodeText(`${property.value}\0`, !isAnsi))]);
}

const list = (properties: readonly TnefProperty[], more: Uint8Array<ArrayBuffer>[] = []) =>
  joined([numbers([4, properties.length + more.length]), ...properties.map(propertyBytes), ...more]);

/** Identifies the object of a file as a message. */
const MESSAGE_INTERFACE = guidBytes('00020307-0000-0000-c000-000000000046');

function fileBytes({ properties = [], title, content, inner, hasStart = true }: TestTnefFile) {
  const object =
    inner === undefined
      ? []
      : [joined([numbers([2, 0x0d], [2, 0x3701]), sized(joined([MESSAGE_INTERFACE, writeTnef(inner)]))])];
  return joined([
    hasStart
      ? attribute(2, 0x9002, 6, joined([numbers([2, 1]), new Uint8Array(12).fill(0xff)]))
      : new Uint8Array(),
    title === undefined ? new Uint8Array() : attribute(2, 0x8010, 1, latin1(title)),
    content === undefined ? new Uint8Array() : attribute(2, 0x800f, 6, content),
    properties.length + object.length === 0
      ? new Uint8Array()
      : attribute(2, 0x9005, 6, list(properties, object)),
  ]);
}

export function writeTnef(tnef: TestTnef): Uint8Array<ArrayBuffer> {
  const { codePage, subject, body, messageClass, properties = [], recipients = [], files = [] } = tnef;
  return joined([
    numbers([4, 0x223e9f78], [2, 1]),
    attribute(1, 0x9006, 8, numbers([4, 0x10000])),
    codePage === undefined ? new Uint8Array() : attribute(1, 0x9007, 6, numbers([4, codePage], [4, 0])),
    attribute(1, 0x8008, 7, latin1(messageClass ?? 'IPM.Microsoft Mail.Note')),
    subject === undefined ? new Uint8Array() : attribute(1, 0x8004, 1, bytesOf(subject)),
    body === undefined ? new Uint8Array() : attribute(1, 0x800c, 2, bytesOf(body)),
    properties.length === 0 ? new Uint8Array() : attribute(1, 0x9003, 6, list(properties)),
    recipients.length === 0
      ? new Uint8Array()
      : attribute(
          1,
          0x9004,
          6,
          joined([numbers([4, recipients.length]), ...recipients.map(row => list(row))]),
        ),
    ...files.map(fileBytes),
  ]);
}
