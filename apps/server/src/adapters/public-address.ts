/**
 * Which IP addresses are places of the public Internet. Everything else (this machine, its network, its cloud's metadata,
 * addresses that stand for others) is refused, so that nobody can make the server look into its own house (SSRF).
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA special-purpose registries, and what clouds use for themselves. */
const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** All of IPv6 that is given out for the public lies here; mapped, NAT64, local and multicast addresses do not. */
const GLOBAL_IPV6: readonly [string, number] = ['2000::', 3];
/** Parts of it that are not: protocols of their own, tunnels that carry an IPv4 address, examples. */
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const privateIpv4 = new BlockList();
for (const [address, bits] of PRIVATE_IPV4) privateIpv4.addSubnet(address, bits, 'ipv4');
const globalIpv6 = new BlockList();
globalIpv6.addSubnet(...GLOBAL_IPV6, 'ipv6');
const specialIpv6 = new BlockList();
for (const [address, bits] of SPECIAL_IPV6) specialIpv6.addSubnet(address, bits, 'ipv6');

/** Whether an address, in its usual spelling, belongs to the public Internet; false for what is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !privateIpv4.check(address, 'ipv4');
  // A zone names an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}
