/**
 * Authenticates a message's sender: SPF, DKIM, ARC and DMARC (RFC 7208, 6376, 8617, 9989) by
 * mailauth over the one DNS adapter, and writes the verdicts to the Authentication-Results value
 * (RFC 8601) of the stored headers. Rejects nothing. DNS failures and timeouts result in
 * `temperror`, never in an error.
 */
import { normalizeAddress } from '@keyfold/mail/address-form';
import { parseAddressList } from '@keyfold/mail/addresses';
import { type HeaderBlock, readHeaderBlock } from '@keyfold/mail/mime/headers';
import { type AuthenticateResult, authenticate, type DNSResolver } from 'mailauth';
import type { Dns } from '../../adapters/dns.ts';
import type { DmarcResult } from '../../features/reports/dmarc-reports/index.ts';
import { dmarcReportOf } from './dmarc-report.ts';
import { formatResults } from './results.ts';

/** Time limit for all lookups of one message, in milliseconds. */
const TIME_LIMIT_MS = 10_000;
/** Maximum number of DKIM signatures checked; each costs a lookup and a hash of the body. */
const SIGNATURES_MAX = 10;
/**
 * Maximum number of ARC sets checked, three fields each; RFC 8617 §4.2.1 allows 50, real chains
 * have a handful.
 */
const ARC_SETS_MAX = 10;
/**
 * Limits above which a message is not checked. The cost of the checks grows with the square of
 * each, and they run on the main thread: a header of a megabyte of spaces would block the whole
 * service for minutes. Real mail stays far below.
 */
const HEADER_LINES_MAX = 4_000;
const BLANK_RUN_MAX_BYTES = 256;
const SIGNATURE_MAX_BYTES = 16 * 1024;
const SIGNED_LINE_MAX_BYTES = 256 * 1024;
/**
 * Maximum number of bytes hashed for one message: each signature may require its own hash, and so
 * another pass over a large message.
 */
const HASHED_MAX_BYTES = 50 * 1024 * 1024;
/**
 * Number of signatures always checked, however large the message is: the author's, and that of a
 * list or a forwarder.
 */
const SIGNATURES_MIN = 2;

export type Verdict =
  | 'pass'
  | 'fail'
  | 'softfail'
  | 'neutral'
  | 'none'
  | 'policy'
  | 'temperror'
  | 'permerror';

export type Authentication = {
  readonly spf: Verdict;
  readonly dkim: Verdict;
  readonly dmarc: Verdict;
  readonly arc: Verdict;
  /**
   * The policy that the author's domain requests for mail that fails: none, quarantine or reject.
   */
  readonly dmarcPolicy: string;
  /**
   * The author's domain if DMARC authenticates it, otherwise that of a valid signature, in
   * lowercase; null when there is neither.
   */
  readonly provedDomain: string | null;
  /**
   * The address for a one-click unsubscribe POST, when a signature covers the fields that name it
   * (RFC 8058).
   */
  readonly oneClick: string | null;
  /** Value of the Authentication-Results field, starting with the authserv-id. */
  readonly results: string;
  /** Domain of the single author shown to readers; null when there is not exactly one. */
  readonly authorDomain: string | null;
  /**
   * Whether everything was checked: no signature was omitted, and nothing was too costly to hash.
   */
  readonly isWhole: boolean;
  /** The data to report to the author's domain; null when it wants no reports. */
  readonly report: DmarcResult | null;
};

export type Arrival = {
  readonly raw: Buffer;
  readonly clientIp: string;
  /** The name given with EHLO. */
  readonly helo: string;
  /** Envelope sender; empty for a bounce. */
  readonly envelopeFrom: string;
};

/** Checks a message; `hostname` is our authserv-id. Never rejects. */
export async function authenticateMessage(
  dns: Dns,
  hostname: string,
  arrival: Arrival,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<Authentication> {
  const block = readHeaderBlock(arrival.raw);
  const part = relevantPart(arrival.raw, block);
  const result = isCheckable(part) ? await check(dns, hostname, arrival, part, timeLimitMs) : null;
  const authorDomain = findAuthorDomain(block);
  return {
    ...formatResults(hostname, result, authorDomain),
    authorDomain,
    isWhole: result !== null && part.isWhole && !hasEndlessLine(arrival.raw, block.bodyStart),
    report: result === null ? null : dmarcReportOf(result, arrival, authorDomain),
  };
}

/**
 * Returns the domain of the only address shown to readers as From, or null when there is not
 * exactly one.
 */
function findAuthorDomain({ fields }: HeaderBlock): string | null {
  const [author, ...others] = fields
    .filter(({ key }) => key === 'from')
    .flatMap(({ value }) => parseAddressList(value))
    .filter(({ address }) => address !== '');
  if (author === undefined || others.length > 0) return null;
  // With a second @, readers would see a different address in front of the one that is checked.
  const address = normalizeAddress(author.address);
  const at = address.lastIndexOf('@');
  return /^(?:"[^"]*"|[^@"]+)$/.test(address.slice(0, at)) ? address.slice(at + 1) : null;
}

async function check(
  dns: Dns,
  hostname: string,
  arrival: Arrival,
  part: Part,
  timeLimitMs: number,
): Promise<AuthenticateResult | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<null>(resolve => {
    timer = setTimeout(resolve, timeLimitMs, null);
  });
  const verdict = authenticate(part.bytes, {
    ip: arrival.clientIp,
    helo: arrival.helo,
    sender: arrival.envelopeFrom,
    mta: hostname,
    resolver: ((name, type) => dns.resolve(name, type)) as DNSResolver,
    disableBimi: true,
  }).catch(() => null);
  try {
    return await Promise.race([verdict, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** The part of a message passed to the checks, and the length of its header. */
type Part = {
  readonly bytes: Buffer;
  readonly headerBytes: number;
  /** Whether all signatures are included. */
  readonly isWhole: boolean;
};

const LF = 0x0a;
const BLANKS = new Set([0x20, 0x09, 0x0d, LF]);

const isSignature = (key: string): boolean => key === 'dkim-signature' || key.startsWith('arc-');

/**
 * Returns the part of a message that the checks need: only the header when nothing is signed, and
 * never signatures beyond the limits of number and size, so that an attacker cannot make us check
 * thousands.
 */
function relevantPart(raw: Buffer, { fields, bodyStart }: HeaderBlock): Part {
  const seen = new Map<string, number>();
  const affordable = Math.max(SIGNATURES_MIN, Math.floor(HASHED_MAX_BYTES / Math.max(1, raw.length)));
  const excess = fields.filter(({ key, start, end }) => {
    if (!isSignature(key)) return false;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    const most = Math.min(affordable, key === 'dkim-signature' ? SIGNATURES_MAX : ARC_SETS_MAX);
    return count > most || end - start > SIGNATURE_MAX_BYTES;
  });
  const isHeaderEnough = seen.size === 0 || hasEndlessLine(raw, bodyStart);
  const bytes = isHeaderEnough ? raw.subarray(0, bodyStart) : raw;
  if (excess.length === 0) return { bytes, headerBytes: bodyStart, isWhole: true };
  const kept: Buffer[] = [];
  let at = 0;
  for (const { start, end } of excess) {
    kept.push(bytes.subarray(at, start));
    at = end;
  }
  const excessBytes = excess.reduce((sum, { start, end }) => sum + end - start, 0);
  return {
    bytes: Buffer.concat([...kept, bytes.subarray(at)]),
    headerBytes: bodyStart - excessBytes,
    isWhole: false,
  };
}

/**
 * Returns whether a body has a line so long that hashing it would be slow; its signatures then
 * count as broken.
 */
function hasEndlessLine(raw: Buffer, bodyStart: number): boolean {
  for (let at = bodyStart; raw.length - at > SIGNED_LINE_MAX_BYTES; ) {
    const end = raw.indexOf(LF, at);
    if (end < 0 || end - at > SIGNED_LINE_MAX_BYTES) return true;
    at = end + 1;
  }
  return false;
}

/** Returns whether the header's size and form allow a check in bounded time. */
function isCheckable({ bytes, headerBytes }: Pick<Part, 'bytes' | 'headerBytes'>): boolean {
  let lines = 0;
  let blanks = 0;
  for (let index = 0; index < headerBytes; index++) {
    const byte = bytes[index] as number;
    if (byte === LF) lines++;
    blanks = BLANKS.has(byte) ? blanks + 1 : 0;
    if (blanks > BLANK_RUN_MAX_BYTES || lines > HEADER_LINES_MAX) return false;
  }
  return true;
}
