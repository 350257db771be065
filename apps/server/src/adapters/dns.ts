/**
 * The one way to ask DNS: the system's servers, or those of DNS_SERVERS. Everything that looks a name up is handed this.
 */
import { Resolver } from 'node:dns/promises';
import type { RecordType } from './dns-message.ts';
import { askDns, type DnsAnswer } from './dns-question.ts';

export type { TlsaRecord } from './dns-message.ts';
export type { DnsAnswer } from './dns-question.ts';

export type DnsRecords = unknown[];
/** Both reject with a code such as ENOTFOUND, ENODATA or ETIMEOUT, as node:dns does. */
export type Dns = {
  /** Asks for records of a type. */
  readonly resolve: (name: string, type: string) => Promise<DnsRecords>;
  /** The same, told whether DNSSEC vouches for the answer. Where it is absent, nothing is vouched for. */
  readonly ask?: (name: string, type: RecordType) => Promise<DnsAnswer>;
};

const TIMEOUT_MS = 3_000;
const TRIES = 2;

const STRICT: ReadonlySet<string> = new Set<RecordType>(['CNAME', 'MX', 'TXT']);
const isAskedStrictly = (type: string): type is RecordType => STRICT.has(type);

/** `timeoutMs` is for one server and one try. */
export function createDns(servers: readonly string[], timeoutMs = TIMEOUT_MS): Dns {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  const ask = (name: string, type: RecordType): Promise<DnsAnswer> =>
    askDns({ servers: resolver.getServers(), timeoutMs, tries: TRIES }, name, type);
  return {
    resolve: async (name, type) => {
      // What decides about a domain or a sender is asked for by ourselves: it must be the very name's.
      if (isAskedStrictly(type)) return [...(await ask(name, type)).records];
      return (await resolver.resolve(name, type)) as unknown as DnsRecords;
    },
    ask,
  };
}

/** Whether a failed look-up is an answer: there is no such name, or no such record. Other failures say nothing. */
export function isAbsence(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
