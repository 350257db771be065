/**
 * Encodes DNS queries and decodes responses (RFC 1035, RFC 6891). Responses are treated as hostile:
 * nothing is read beyond their end, compressed names may only point backwards, and records of names
 * other than the queried name and its aliases are ignored. dns-question.ts sends the queries.
 */

/** The record types we read, by name. */
export const RECORD_TYPES = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28, TLSA: 52 } as const;
export type RecordType = keyof typeof RECORD_TYPES;

const OPT = 41;
const CLASS_IN = 1;
const HEADER_BYTES = 12;
const LABEL_MAX_BYTES = 63;
const NAME_MAX_BYTES = 255;
/** Maximum datagram size that we allow a server (DNS flag day 2020). */
const DATAGRAM_MAX_BYTES = 1232;
/** Maximum number of aliases followed within one response. */
export const ALIASES_MAX = 8;

const FLAG_RESPONSE = 0x8000;
const FLAG_TRUNCATED = 0x0200;
const FLAG_RECURSION_WANTED = 0x0100;
/**
 * In a response: the server has validated the signatures. In a query: we want to know (RFC 4035
 * §3.2.3, RFC 6840 §5.7).
 */
const FLAG_AUTHENTIC = 0x0020;

/** A response that does not answer our query, or is malformed. */
export class DnsFormatError extends Error {
  override readonly name = 'DnsFormatError';
}

function fail(): never {
  throw new DnsFormatError('The DNS response does not match the query');
}

/** Returns the name in wire form, or null when it cannot be queried. */
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

/**
 * Returns a query for a recursive server, or null for a name without a wire form. `isPlain` omits
 * EDNS.
 */
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

/**
 * Reads a name, in lower case and without the trailing dot. Compression pointers must lead
 * backwards, so that reading terminates.
 */
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
    // A dot inside a label must not look like a separator between labels.
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

/**
 * A TLSA record (RFC 6698 §2.1) with mx-connect's field names; `cert` is the certificate
 * association data.
 */
export type TlsaRecord = {
  readonly usage: number;
  readonly selector: number;
  readonly mtype: number;
  readonly cert: Buffer;
};

/**
 * A record in the form of node:dns: the pieces of a TXT, priority and exchange of an MX, the target
 * of a CNAME, an address.
 */
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
    // A copy, so that the hash does not keep the whole datagram in memory.
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
  /** 0 is success, 3 means that the name does not exist, other values are failures. */
  readonly rcode: number;
  /** Whether the query must be repeated over TCP. */
  readonly isTruncated: boolean;
  /**
   * Whether the server reports that DNSSEC validated the response; only as trustworthy as the path
   * to that server.
   */
  readonly isAuthentic: boolean;
  readonly records: readonly DnsRecord[];
  /**
   * The target of the aliases in the response when it holds no record of the wanted type there;
   * null when there are no aliases.
   */
  readonly alias: string | null;
};

/**
 * Follows the aliases from a name. Throws DnsFormatError when they form a loop or exceed the limit.
 */
function followAliases(message: Buffer, name: string, records: readonly WireRecord[]): string {
  let at = name;
  for (let steps = 0; ; steps++) {
    const alias = records.find(one => one.type === RECORD_TYPES.CNAME && one.name === at);
    if (alias === undefined) return at;
    if (steps >= ALIASES_MAX) return fail();
    at = readTarget(message, alias.start, alias.end);
  }
}

/**
 * Decodes the response to a query. Throws DnsFormatError when it is malformed or concerns only
 * other names.
 */
export function decodeAnswer(message: Buffer, question: Question): Answer {
  need(message, 0, HEADER_BYTES);
  const flags = message.readUInt16BE(2);
  if (message.readUInt16BE(0) !== question.id || (flags & FLAG_RESPONSE) === 0) fail();
  const rcode = flags & 0xf;
  const isTruncated = (flags & FLAG_TRUNCATED) !== 0;
  const isAuthentic = (flags & FLAG_AUTHENTIC) !== 0;
  // A server that does not understand the query may omit the question section.
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
  // The response holds only records of other names, so it does not answer the query.
  if (fitting.length === 0 && name === asked && given.some(one => one.name !== asked)) fail();
  return {
    rcode,
    isTruncated,
    isAuthentic,
    records: fitting.map(one => readValue(message, question.type, one)),
    alias: fitting.length === 0 && name !== asked ? name : null,
  };
}
