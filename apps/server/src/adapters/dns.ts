/**
 * The only way to query DNS, using the system's servers or those of DNS_SERVERS. Every component
 * that looks up names receives it.
 */
import { Resolver } from 'node:dns/promises';
import type { RecordType } from './dns-message.ts';
import { askDns, type DnsAnswer } from './dns-question.ts';

export type { TlsaRecord } from './dns-message.ts';
export type { DnsAnswer } from './dns-question.ts';

export type DnsRecords = unknown[];
/** Both methods reject with a code such as ENOTFOUND, ENODATA or ETIMEOUT, as node:dns does. */
export type Dns = {
  /** Queries records of a type. */
  readonly resolve: (name: string, type: string) => Promise<DnsRecords>;
  /**
   * Like `resolve`, but also reports whether DNSSEC validated the answer. When absent, no answer
   * counts as validated.
   */
  readonly ask?: (name: string, type: RecordType) => Promise<DnsAnswer>;
};

const TIMEOUT_MS = 3_000;
const TRIES = 2;

const STRICT: ReadonlySet<string> = new Set<RecordType>(['CNAME', 'MX', 'TXT']);
const isAskedStrictly = (type: string): type is RecordType => STRICT.has(type);

/** `timeoutMs` applies to one server and one try. */
export function createDns(servers: readonly string[], timeoutMs = TIMEOUT_MS): Dns {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const ask = (name: string, type: RecordType): Promise<DnsAnswer> =>
    askDns({ servers: resolver.getServers(), timeoutMs, tries: TRIES }, name, type);
  return {
    resolve: async (name, type) => {
      // Records that decide about a domain or a sender use our own queries, because they must
      // belong to exactly this name.
      if (isAskedStrictly(type)) return [...(await ask(name, type)).records];
      return (await resolver.resolve(name, type)) as unknown as DnsRecords;
    },
    ask,
  };
}

/**
 * Returns whether a failed lookup is an answer: there is no such name, or no such record. Other
 * failures are inconclusive.
 */
export function isAbsence(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
