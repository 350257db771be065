/**
 * The bytes of DNS questions and answers (RFC 1035, RFC 6891): one question out, one answer in. Answers are taken as they
 * could be by an enemy: nothing is read beyond their end, names lead backwards only, and records of other names than the
 * one that was asked for, or that it is an alias of, do not count. Asking is dns-question.ts'.
 */

/** Record types by name, as far as we read them. */
export const RECORD_TYPES = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28, TLSA: 52 } as const;
export type RecordType = keyof typeof RECORD_TYPES;

const OPT = 41;
const CLASS_IN = 1;
const HEADER_BYTES = 12;
const LABEL_MAX_BYTES = 63;
const NAME_MAX_BYTES = 255;
/** What we let a server put into one datagram (DNS flag day 2020). */
const DATAGRAM_MAX_BYTES = 1232;
/** Aliases that are followed within one answer. */
export const ALIASES_MAX = 8;

const FLAG_RESPONSE = 0x8000;
const FLAG_TRUNCATED = 0x0200;
const FLAG_RECURSION_WANTED = 0x0100;
/** In an answer: its server has checked its signatures; in a question: we would know (RFC 4035 §3.2.3, RFC 6840 §5.7). */
const FLAG_AUTHENTIC = 0x0020;

/** An answer that is not one to our question, or not an answer at all. */
export class DnsFormatError extends Error {
  override readonly name = 'DnsFormatError';
}

function fail(): never {
  throw new DnsFormatError('Not an answer to the question');
}

/** The name in its wire form, or null when it cannot be asked for. */
function encodeName(name: string): Buffer | null {
  const labels = name.replace(/\.$/, '').split('.');
  const pieces = labels.map(label => Buffer.from(label, 'latin1'));
  if (!/^[\x21-\x7e]+$/.test(name)) return null;
  if (pieces.some(({ length }) => length === 0 || length > LABEL_MAX_BYTES)) return null;
  const whole = Buffer.concat([
    ...pieces.flatMap(piece => [Buffer.from([piece.length]), piece]),
    Buffer.from([0]),
  ]);
  return whole.length > NAME_MAX_BYTES ? null : whole;
}

export type Question = { readonly id: number; readonly name: string; readonly type: RecordType };

/** A question for a recursive server, or null for a name that has no form. `isPlain` leaves EDNS out. */
export function encodeQuestion({ id, name, type }: Question, isPlain: boolean): Buffer | null {
  const encoded = encodeName(name);
  if (encoded === null) return null;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(FLAG_RECURSION_WANTED | FLAG_AUTHENTIC, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(isPlain ? 0 : 1, 10);
  const tail = Buffer.alloc(4);
  tail.writeUInt16BE(RECORD_TYPES[type], 0);
  tail.writeUInt16BE(CLASS_IN, 2);
  const options = Buffer.alloc(11);
  options.writeUInt16BE(OPT, 1);
  options.writeUInt16BE(DATAGRAM_MAX_BYTES, 3);
  return Buffer.concat([header, encoded, tail, ...(isPlain ? [] : [options])]);
}

type Cursor = { at: number };

function need(message: Buffer, at: number, bytes: number): void {
  if (at + bytes > message.length) fail();
}

/** Reads a name; compressed parts must lead backwards, so that it ends. Lowercase, without the last dot. */
function readName(message: Buffer, cursor: Cursor): string {
  const labels: string[] = [];
  let at = cursor.at;
  let floor = at;
  let hasJumped = false;
  let length = 0;
  for (;;) {
    need(message, at, 1);
    const size = message.readUInt8(at);
    if ((size & 0xc0) === 0xc0) {
      need(message, at, 2);
      const target = message.readUInt16BE(at) & 0x3fff;
      if (!hasJumped) cursor.at = at + 2;
      hasJumped = true;
      if (target >= floor) fail();
      at = target;
      floor = target;
      continue;
    }
    if (size > LABEL_MAX_BYTES) fail();
    at += 1;
    if (size === 0) break;
    need(message, at, size);
    length += size + 1;
    if (length > NAME_MAX_BYTES) fail();
    // A dot inside a label must not look like one between two.
    labels.push(
      message
        .toString('latin1', at, at + size)
        .replaceAll('.', '\\.')
        .toLowerCase(),
    );
    at += size;
  }
  if (!hasJumped) cursor.at = at;
  return labels.join('.');
}

type WireRecord = {
  readonly name: string;
  readonly type: number;
  readonly start: number;
  readonly end: number;
};

function readRecord(message: Buffer, cursor: Cursor): WireRecord {
  const name = readName(message, cursor);
  need(message, cursor.at, 10);
  const type = message.readUInt16BE(cursor.at);
  const kind = message.readUInt16BE(cursor.at + 2);
  const size = message.readUInt16BE(cursor.at + 8);
  const start = cursor.at + 10;
  need(message, start, size);
  cursor.at = start + size;
  return { name, type: kind === CLASS_IN ? type : 0, start, end: start + size };
}

function readText(message: Buffer, { start, end }: WireRecord): string[] {
  const pieces: string[] = [];
  for (let at = start; at < end; ) {
    const size = message.readUInt8(at);
    if (at + 1 + size > end) fail();
    pieces.push(message.toString('utf8', at + 1, at + 1 + size));
    at += 1 + size;
  }
  return pieces;
}

function readTarget(message: Buffer, at: number, end: number): string {
  const cursor = { at };
  const name = readName(message, cursor);
  if (cursor.at > end) fail();
  return name;
}

/** A TLSA record (RFC 6698 §2.1) in the words of mx-connect; `cert` is the certificate association data. */
export type TlsaRecord = {
  readonly usage: number;
  readonly selector: number;
  readonly mtype: number;
  readonly cert: Buffer;
};

/** A record as node:dns gives it: the pieces of a TXT, priority and exchange of an MX, the target of a CNAME, an address. */
export type DnsRecord = string[] | { priority: number; exchange: string } | string | TlsaRecord;

const IPV4_BYTES = 4;
const IPV6_BYTES = 16;

function readAddress(message: Buffer, { start, end }: WireRecord, sizeBytes: number): string {
  if (end - start !== sizeBytes) fail();
  const bytes = message.subarray(start, end);
  if (sizeBytes === IPV4_BYTES) return bytes.join('.');
  const groups = Array.from({ length: IPV6_BYTES / 2 }, (_, index) =>
    bytes.readUInt16BE(2 * index).toString(16),
  );
  return groups.join(':');
}

function readTlsa(message: Buffer, { start, end }: WireRecord): TlsaRecord {
  if (end - start < 4) fail();
  return {
    usage: message.readUInt8(start),
    selector: message.readUInt8(start + 1),
    mtype: message.readUInt8(start + 2),
    // A copy: the datagram is not kept for the sake of a hash.
    cert: Buffer.from(message.subarray(start + 3, end)),
  };
}

function readValue(message: Buffer, type: RecordType, record: WireRecord): DnsRecord {
  if (type === 'TXT') return readText(message, record);
  if (type === 'CNAME') return readTarget(message, record.start, record.end);
  if (type === 'A') return readAddress(message, record, IPV4_BYTES);
  if (type === 'AAAA') return readAddress(message, record, IPV6_BYTES);
  if (type === 'TLSA') return readTlsa(message, record);
  if (record.end - record.start < 3) fail();
  return {
    priority: message.readUInt16BE(record.start),
    exchange: readTarget(message, record.start + 2, record.end),
  };
}

export type Answer = {
  /** 0 is fine, 3 says that the name does not exist; others are failures. */
  readonly rcode: number;
  /** Whether it must be asked for again over TCP. */
  readonly isTruncated: boolean;
  /** Whether the server says that DNSSEC vouches for it; worth as much as the way to that server. */
  readonly isAuthentic: boolean;
  readonly records: readonly DnsRecord[];
  /** Where the aliases in the answer lead when it holds nothing of the wanted type there; null when there are none. */
  readonly alias: string | null;
};

/** Follows the aliases from a name. Throws DnsFormatError when they go in a circle, or on and on. */
function followAliases(message: Buffer, name: string, records: readonly WireRecord[]): string {
  let at = name;
  for (let steps = 0; ; steps++) {
    const alias = records.find(one => one.type === RECORD_TYPES.CNAME && one.name === at);
    if (alias === undefined) return at;
    if (steps >= ALIASES_MAX) return fail();
    at = readTarget(message, alias.start, alias.end);
  }
}

/** Reads the answer to a question. Throws DnsFormatError for what is none, or speaks of other names only. */
export function decodeAnswer(message: Buffer, question: Question): Answer {
  need(message, 0, HEADER_BYTES);
  const flags = message.readUInt16BE(2);
  if (message.readUInt16BE(0) !== question.id || (flags & FLAG_RESPONSE) === 0) fail();
  const rcode = flags & 0xf;
  const isTruncated = (flags & FLAG_TRUNCATED) !== 0;
  const isAuthentic = (flags & FLAG_AUTHENTIC) !== 0;
  // A server that does not understand us may leave the question out.
  if (message.readUInt16BE(4) !== 1)
    return rcode === 0 ? fail() : { rcode, isTruncated, isAuthentic: false, records: [], alias: null };
  const cursor = { at: HEADER_BYTES };
  const asked = question.name.replace(/\.$/, '').toLowerCase();
  if (readName(message, cursor) !== asked) fail();
  need(message, cursor.at, 4);
  if (message.readUInt16BE(cursor.at) !== RECORD_TYPES[question.type]) fail();
  cursor.at += 4;
  if (isTruncated || rcode !== 0) return { rcode, isTruncated, isAuthentic, records: [], alias: null };
  const given: WireRecord[] = [];
  for (let left = message.readUInt16BE(6); left > 0; left--) given.push(readRecord(message, cursor));
  const name = question.type === 'CNAME' ? asked : followAliases(message, asked, given);
  const fitting = given.filter(one => one.name === name && one.type === RECORD_TYPES[question.type]);
  // Only other names' records: whoever answers so has not answered.
  if (fitting.length === 0 && name === asked && given.some(one => one.name !== asked)) fail();
  return {
    rcode,
    isTruncated,
    isAuthentic,
    records: fitting.map(one => readValue(message, question.type, one)),
    alias: fitting.length === 0 && name !== asked ? name : null,
  };
}
