/**
 * The one way to ask DNS: the system's servers, or those of DNS_SERVERS. Everything that looks a name up is handed this.
 */
import { Resolver } from 'node:dns/promises';

export type DnsRecords = unknown[];
/** Asks for records of a type; rejects with a code such as ENOTFOUND, ENODATA or ETIMEOUT, as node:dns does. */
export type Dns = { readonly resolve: (name: string, type: string) => Promise<DnsRecords> };

const TIMEOUT_MS = 3_000;
const TRIES = 2;

export const createDns = (servers: readonly string[]): Dns => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return { resolve: async (name, type) => (await resolver.resolve(name, type)) as unknown as DnsRecords };
};
