/**
 * Finds the DNS name of a machine that delivers mail, if that name resolves back to it (FCrDNS):
 * operators of mail servers set one up. DNS failures and timeouts do not count against a sender.
 */
import { isIPv4, isIPv6 } from 'node:net';
import { type Dns, isAbsence } from '../../adapters/dns.ts';
import { plainAddress } from '../../adapters/network.ts';
import { isPublicAddress } from '../../adapters/public-address.ts';

export type HostName =
  | { readonly kind: 'named'; readonly name: string }
  /** It has no name, or none that resolves back to it. */
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

const TIME_LIMIT_MS = 3_000;
/** Maximum number of names tried per address. */
const NAMES_MAX = 3;
const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_-]{1,63})+$/;

const UNKNOWN: HostName = { kind: 'unknown' };

/** Returns the 16-bit parts of an IPv6 address. */
function partsOf(ip: string): number[] {
  const [head = '', tail] = ip.split('::');
  const read = (text: string) => (text === '' ? [] : text.split(':').map(part => Number.parseInt(part, 16)));
  const [left, right] = [read(head), read(tail ?? '')];
  return tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill(0), ...right];
}

/** Returns the name for the reverse lookup of an address. */
const reverseName = (ip: string): string =>
  isIPv4(ip)
    ? `${ip.split('.').reverse().join('.')}.in-addr.arpa`
    : `${partsOf(ip)
        .map(part => part.toString(16).padStart(4, '0'))
        .join('')
        .split('')
        .reverse()
        .join('.')}.ip6.arpa`;

function isSame(ip: string, other: unknown): boolean {
  if (typeof other !== 'string') return false;
  if (isIPv4(ip)) return ip === other;
  return isIPv6(other) && !other.includes('.') && partsOf(ip).join() === partsOf(other).join();
}

async function find(dns: Dns, ip: string): Promise<HostName> {
  const names = (await dns.resolve(reverseName(ip), 'PTR'))
    .map(name => String(name).toLowerCase().replace(/\.$/, ''))
    .filter(name => NAME.test(name))
    .slice(0, NAMES_MAX);
  let isSure = true;
  for (const name of names) {
    try {
      const addresses = await dns.resolve(name, isIPv4(ip) ? 'A' : 'AAAA');
      if (addresses.some(address => isSame(ip, address))) return { kind: 'named', name };
    } catch (error) {
      if (!isAbsence(error)) isSure = false;
    }
  }
  return isSure ? { kind: 'none' } : UNKNOWN;
}

/**
 * Returns the name of the machine at an address; private addresses are not looked up. Never
 * rejects.
 */
export async function findHostName(
  dns: Dns,
  clientIp: string,
  timeLimitMs = TIME_LIMIT_MS,
): Promise<HostName> {
  const ip = plainAddress(clientIp);
  if (!isPublicAddress(ip)) return UNKNOWN;
  const found = find(dns, ip).catch(
    (error: unknown): HostName => (isAbsence(error) ? { kind: 'none' } : UNKNOWN),
  );
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<HostName>(resolve => {
    timer = setTimeout(resolve, timeLimitMs, UNKNOWN);
  });
  try {
    return await Promise.race([found, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}
