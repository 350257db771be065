/**
 * Counts how TLS went on the way to other domains, for the reports that those ask for (RFC 8460): each session by the
 * policy that it was held to, and by what failed. Sealed, since it says whom mail went to; reports.ts reads it.
 */
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { addTlsResult } from './results-store.ts';

const policySchema = z.object({
  type: z.enum(['no-policy-found', 'sts', 'tlsa']),
  /** The policy's lines, or its TLSA records. */
  strings: z.array(z.string()),
  /** Names of mail servers in an MTA-STS policy. */
  mxHosts: z.array(z.string()),
});

const failureSchema = z.object({
  /** RFC 8460 §4.3. */
  type: z.string(),
  sendingIp: z.string().optional(),
  receivingHost: z.string().optional(),
  receivingIp: z.string().optional(),
});

const resultSchema = z.object({
  domain: z.string(),
  policy: policySchema,
  /** Null for a session that met its policy. */
  failure: failureSchema.nullable(),
});

export type TlsResult = z.output<typeof resultSchema>;

const PURPOSE = 'tls result';
const SECOND_MS = 1000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
/** Reports of a day are sent in the first hours after it, not all at its end (RFC 8460 §4.1). */
const SPREAD_MS = 4 * HOUR_MS;

/** The day of a time, in UTC, as YYYY-MM-DD. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** When a day ends. */
export const endOf = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS);

const contextOf = (day: string, digest: Buffer): string => `${day} ${digest.toString('hex')}`;

/** Counts one session. */
export const noteTlsResult = async (
  { clock, db, masterKey }: Pick<Deps, 'clock' | 'db' | 'masterKey'>,
  result: TlsResult,
): Promise<void> => {
  const day = dayOf(clock.now());
  const text = JSON.stringify(resultSchema.parse(result));
  const digest = masterKey.digest(PURPOSE, day, text);
  const domainDigest = masterKey.digest(PURPOSE, result.domain);
  await addTlsResult(db, {
    day,
    domain_digest: domainDigest,
    result_digest: digest,
    result_sealed: masterKey.seal(PURPOSE, contextOf(day, digest), Buffer.from(text)),
    sessions: 1,
    // Each domain has its own moment, the same for all rows of it.
    next_try_at: new Date(endOf(day).getTime() + (domainDigest.readUInt32BE(0) % SPREAD_MS)),
  });
};

/** A counted result as it was noted; null when it was sealed under another master key. */
export const openTlsResult = (
  { masterKey }: Pick<Deps, 'masterKey'>,
  row: { readonly day: string; readonly result_digest: Buffer; readonly result_sealed: Buffer },
): TlsResult | null => {
  try {
    const text = masterKey.open(PURPOSE, contextOf(row.day, row.result_digest), row.result_sealed);
    return resultSchema.parse(JSON.parse(text.toString('utf8')));
  } catch {
    return null;
  }
};
