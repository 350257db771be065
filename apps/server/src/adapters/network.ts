/**
 * How much of an IP address is one household or machine: what is counted, and what is kept of where somebody was.
 */
import { isIPv6 } from 'node:net';

/** An IPv4 address as it is, or the first 64 bits of an IPv6 one. */
export const networkOf = (ip: string): string => {
  if (ip.startsWith('::ffff:')) return ip.slice(7);
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const gap = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...gap, ...right].slice(0, 4).join(':');
};

/** The network as people read it. */
export const networkText = (ip: string): string => {
  const network = networkOf(ip);
  return network.includes(':') ? `${network}::/64` : network;
};
