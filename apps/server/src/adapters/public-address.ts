/**
 * Decides which IP addresses belong to the public internet. All others (this machine, its network,
 * its cloud's metadata service, addresses that embed other addresses) are refused, to prevent
 * server-side request forgery (SSRF).
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA special-purpose registries, and ranges that cloud providers use internally. */
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

/**
 * The range of all public IPv6 unicast addresses; mapped, NAT64, local and multicast addresses are
 * outside it.
 */
const GLOBAL_IPV6: readonly [string, number] = ['2000::', 3];
/**
 * Non-public parts of that range: special protocols, tunnels that embed an IPv4 address,
 * documentation examples.
 */
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

/**
 * Returns whether an address in its usual notation belongs to the public internet; false for
 * anything that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !privateIpv4.check(address, 'ipv4');
  // A zone id names an interface of this machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
}
