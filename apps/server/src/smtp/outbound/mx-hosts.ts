/**
 * Resolves the mail hosts of a domain (RFC 5321 §5.1): its MX records, the domain itself if it has
 * none, or no host if the domain says so (RFC 7505). mx.ts resolves the addresses of the hosts and
 * connects.
 */
import type { Deps } from '../../context/deps.ts';
import { UnreachableError } from './unreachable.ts';

export type MxHost = { readonly exchange: string; readonly priority: number };

export type MxHosts = {
  readonly hosts: readonly MxHost[];
  /**
   * Whether DNSSEC authenticates the names. A name that no record gave is authenticated by its
   * address records alone.
   */
  readonly isSecure: boolean;
};

type MxRecord = { readonly exchange?: unknown; readonly priority?: unknown };

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

async function ask({ ask, resolve }: Deps['dns'], domain: string) {
  if (ask === undefined) return { records: await resolve(domain, 'MX'), isSecure: false };
  return ask(domain, 'MX');
}

/**
 * Maximum number of hosts used per domain: an answer may list thousands, and every one of them
 * needs an address lookup.
 */
const HOSTS_MAX = 20;
/**
 * Characters allowed in the name of a mail server. Other characters may be an attack on the code
 * that reads the name.
 */
const HOST_NAME = /^[a-z0-9_.:-]+$/;

/** Shuffles hosts of equal priority to distribute the load (RFC 5321 §5.1). */
const shuffled = (hosts: readonly MxHost[]): MxHost[] =>
  hosts
    .map(host => ({ host, order: Math.random() }))
    .sort((a, b) => a.host.priority - b.host.priority || a.order - b.order)
    .map(({ host }) => host);

/** Returns the hosts in the order in which to try them. Throws UnreachableError. */
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
