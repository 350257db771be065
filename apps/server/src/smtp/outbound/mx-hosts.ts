/**
 * Which names a domain's mail goes to (RFC 5321 §5.1): its MX records, or itself without any; none at all where it says so
 * (RFC 7505). Addresses of the names, and connections, are mx.ts'.
 */
import type { Deps } from '../../context/deps.ts';
import { UnreachableError } from './unreachable.ts';

export type MxHost = { readonly exchange: string; readonly priority: number };

export type MxHosts = {
  readonly hosts: readonly MxHost[];
  /** Whether DNSSEC vouches for the names. Those that no record gave are vouched for by their addresses alone. */
  readonly isSecure: boolean;
};

type MxRecord = { readonly exchange?: unknown; readonly priority?: unknown };

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

async function ask({ ask, resolve }: Deps['dns'], domain: string) {
  if (ask === undefined) return { records: await resolve(domain, 'MX'), isSecure: false };
  return ask(domain, 'MX');
}

/** Hosts of one domain that are looked at: an answer may name thousands, and addresses are asked for all of them. */
const HOSTS_MAX = 20;
/** What a name of a mail server is made of; others are a stranger's play with what reads them. */
const HOST_NAME = /^[a-z0-9_.:-]+$/;

/** Puts hosts of one priority in a random order, so that each gets its share (RFC 5321 §5.1). */
const shuffled = (hosts: readonly MxHost[]): MxHost[] =>
  hosts
    .map(host => ({ host, order: Math.random() }))
    .sort((a, b) => a.host.priority - b.host.priority || a.order - b.order)
    .map(({ host }) => host);

/** The hosts in the order in which to try them. Throws UnreachableError. */
export async function findMxHosts(dns: Deps['dns'], domain: string): Promise<MxHosts> {
  try {
    const { records, isSecure } = await ask(dns, domain);
    const hosts = records.flatMap((record): MxHost[] => {
      const { exchange, priority } = record as MxRecord;
      const name = typeof exchange === 'string' ? exchange.trim().replace(/\.$/, '').toLowerCase() : '';
      return HOST_NAME.test(name) ? [{ exchange: name, priority: Number(priority) || 0 }] : [];
    });
    if (hosts.length === 0)
      throw new UnreachableError('5.1.10', 'The domain does not accept mail', true, 'null MX');
    return { hosts: shuffled(hosts).slice(0, HOSTS_MAX), isSecure };
  } catch (error) {
    if (error instanceof UnreachableError) throw error;
    if (codeOf(error) === 'ENODATA') return { hosts: [{ exchange: domain, priority: 0 }], isSecure: true };
    if (codeOf(error) === 'ENOTFOUND' || codeOf(error) === 'EBADNAME')
      throw new UnreachableError('5.1.2', 'The domain was not found or has no mail server', true, error);
    throw new UnreachableError('4.4.3', 'The mail server of the domain could not be looked up', false, error);
  }
}
