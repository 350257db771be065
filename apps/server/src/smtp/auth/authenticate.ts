/**
 * Who a message really comes from: SPF, DKIM, ARC and DMARC (RFC 7208, 6376, 8617, 9989) by mailauth over the one DNS
 * adapter, and the Authentication-Results value (RFC 8601) that says so in the stored headers. Verdicts only: nothing is
 * refused here. DNS that fails, or takes too long, ends as `temperror`, never as an error.
 */
import { readHeaderBlock } from '@keyfold/mail/mime/headers';
import { type AuthenticateResult, authenticate, type DNSResolver } from 'mailauth';
import type { Dns } from '../../adapters/dns.ts';
import { formatResults } from './results.ts';

/** All look-ups of one message end by then, milliseconds. */
const TIME_LIMIT_MS = 10_000;
/** DKIM signatures that are looked at; every one costs a look-up and a hash of the body. */
const SIGNATURES_MAX = 10;
/** ARC sets that are looked at, three fields each; RFC 8617 §4.2.1 allows 50, real chains have a handful. */
const ARC_SETS_MAX = 10;

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
  /** What the author's domain asks to be done with mail that fails: none, quarantine or reject. */
  readonly dmarcPolicy: string;
  /** Value of the Authentication-Results field, authserv-id first. */
  readonly results: string;
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
export const authenticateMessage = async (
  dns: Dns,
  hostname: string,
  arrival: Arrival,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<Authentication> => formatResults(hostname, await check(dns, hostname, arrival, timeLimitMs));

const check = async (
  dns: Dns,
  hostname: string,
  arrival: Arrival,
  timeLimitMs: number,
): Promise<AuthenticateResult | null> => {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<null>(resolve => {
    timer = setTimeout(resolve, timeLimitMs, null);
  });
  const verdict = authenticate(relevantPart(arrival.raw), {
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
};

/**
 * What the checks need of a message: the header alone when nothing is signed, and never more signatures than we look
 * at, so that nobody makes us do the work of thousands.
 */
const relevantPart = (raw: Buffer): Buffer => {
  const { fields, bodyStart } = readHeaderBlock(raw);
  const seen = new Map<string, number>();
  const excess = fields.filter(({ key }) => {
    if (key !== 'dkim-signature' && !key.startsWith('arc-')) return false;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count > (key === 'dkim-signature' ? SIGNATURES_MAX : ARC_SETS_MAX);
  });
  if (seen.size === 0) return raw.subarray(0, bodyStart);
  if (excess.length === 0) return raw;
  const kept: Buffer[] = [];
  let at = 0;
  for (const { start, end } of excess) {
    kept.push(raw.subarray(at, start));
    at = end;
  }
  return Buffer.concat([...kept, raw.subarray(at)]);
};
