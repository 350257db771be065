/**
 * Determines how much of an IP address identifies one household or machine, for rate limits and for
 * stored locations of sessions.
 */
import { isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the plain address: a dual-stack listener sees IPv4 clients as IPv6 (::ffff:192.0.2.1).
 */
export const plainAddress = (ip: string): string => MAPPED.exec(ip)?.[1] ?? ip;

/** Returns an IPv4 address as it is, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const ip = plainAddress(address);
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const gap = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...gap, ...right].slice(0, 4).join(':');
}

/**
 * Returns the block that usually belongs to one customer: the first three numbers of IPv4, the
 * first 48 bits of IPv6, because customers often get such a block with all its 65,536 networks.
 * Accepts addresses and results of networkOf.
 */
export function siteOf(ip: string): string {
  const network = networkOf(ip);
  return isIPv4(network)
    ? network.slice(0, network.lastIndexOf('.'))
    : network.split(':').slice(0, 3).join(':');
}

/** Formats a network for display (RFC 5952: trailing zeros become the two colons). */
export function networkText(ip: string): string {
  const network = networkOf(ip);
  return network.includes(':') ? `${network.replace(/(?:(?:^|:)0+)+$/, '')}::/64` : network;
}
