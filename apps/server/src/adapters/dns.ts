/**
 * The one way to ask DNS: the system's servers, or those of DNS_SERVERS. Everything that looks a name up is handed this.
 */
import { Resolver } from 'node:dns/promises';
import { RECORD_TYPES, type RecordType } from './dns-message.ts';
import { askDns } from './dns-question.ts';

export type DnsRecords = unknown[];
/** Asks for records of a type; rejects with a code such as ENOTFOUND, ENODATA or ETIMEOUT, as node:dns does. */
export type Dns = { readonly resolve: (name: string, type: string) => Promise<DnsRecords> };

const TIMEOUT_MS = 3_000;
const TRIES = 2;

const isAskedStrictly = (type: string): type is RecordType => type in RECORD_TYPES;

/** `timeoutMs` is for one server and one try. */
export const createDns = (servers: readonly string[], timeoutMs = TIMEOUT_MS): Dns => {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    resolve: async (name, type) => {
      // What decides about a domain or a sender is asked for by ourselves: it must be the very name's.
      if (isAskedStrictly(type))
        return [...(await askDns({ servers: resolver.getServers(), timeoutMs, tries: TRIES }, name, type))];
      return (await resolver.resolve(name, type)) as unknown as DnsRecords;
    },
  };
};

/** Whether a failed look-up is an answer: there is no such name, or no such record. Other failures say nothing. */
export const isAbsence = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'ENOTFOUND' || code === 'ENODATA';
};
