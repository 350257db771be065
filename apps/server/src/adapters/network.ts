/**
 * How much of an IP address is one household or machine: what is counted, and what is kept of where somebody was.
 */
import { isIPv4, isIPv6 } from 'node:net';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The address itself: a listener for both families sees IPv4 clients within IPv6 (::ffff:192.0.2.1). */
export const plainAddress = (ip: string): string => MAPPED.exec(ip)?.[1] ?? ip;

/** An IPv4 address as it is, or the first 64 bits of an IPv6 one. */
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
 * Where many networks are one customer's: the first three numbers of IPv4, the first 48 bits of IPv6, of which whoever gets one
 * often gets all 65,536 networks. Takes what networkOf gives, and addresses.
 */
export function siteOf(ip: string): string {
  const network = networkOf(ip);
  return isIPv4(network)
    ? network.slice(0, network.lastIndexOf('.'))
    : network.split(':').slice(0, 3).join(':');
}

/** The network as people read it (RFC 5952: zeros at its end go into the two colons). */
export function networkText(ip: string): string {
  const network = networkOf(ip);
  return network.includes(':') ? `${network.replace(/(?:(?:^|:)0+)+$/, '')}::/64` : network;
}
