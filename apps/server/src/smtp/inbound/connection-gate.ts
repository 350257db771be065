/**
 * How many clients may be connected, in all and from one address. At a limit, the newcomer takes the place of the client
 * that has got nothing done for longest, if that is long enough: thousands of connections held open for nothing then
 * cost an honest sender nothing. Clients that work are never put out; when all do, the newcomer is sent away.
 */
import { isIPv6 } from 'node:net';

export type GateOptions = {
  readonly totalMax: number;
  readonly perAddressMax: number;
  readonly staleMs: number;
  readonly now: () => number;
  /** Hangs up on a client. */
  readonly evict: (connectionId: string) => void;
};

export type ConnectionGate = {
  /** Whether this client may stay. */
  readonly enter: (connectionId: string, ip: string) => boolean;
  /** Notes that a client got something done. */
  readonly progress: (connectionId: string) => void;
  readonly leave: (connectionId: string) => void;
};

type Guest = { readonly id: string; readonly network: string; activeAt: number };

/** Who counts as one: an IPv4 address, or the /64 that one IPv6 host has to itself. */
export const networkOf = (ip: string): string => {
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.split('::');
  const left = head === '' ? [] : head.split(':');
  if (tail === undefined) return left.slice(0, 4).join(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right].slice(0, 4).join(':');
};

export const createConnectionGate = (options: GateOptions): ConnectionGate => {
  // Maps keep the order of insertion, and progress inserts anew: the first guest is the stalest.
  const guests = new Map<string, Guest>();
  const perNetwork = new Map<string, Map<string, Guest>>();

  const leave = (id: string): void => {
    const guest = guests.get(id);
    if (guest === undefined) return;
    guests.delete(id);
    const neighbours = perNetwork.get(guest.network);
    neighbours?.delete(id);
    if (neighbours?.size === 0) perNetwork.delete(guest.network);
  };

  const makeRoom = (crowd: ReadonlyMap<string, Guest>, max: number): boolean => {
    if (crowd.size < max) return true;
    const [stalest] = crowd.values();
    if (stalest === undefined || options.now() - stalest.activeAt < options.staleMs) return false;
    leave(stalest.id);
    options.evict(stalest.id);
    return true;
  };

  const settle = (guest: Guest): void => {
    const neighbours = perNetwork.get(guest.network) ?? new Map<string, Guest>();
    perNetwork.set(guest.network, neighbours);
    for (const crowd of [guests, neighbours]) {
      crowd.delete(guest.id);
      crowd.set(guest.id, guest);
    }
  };

  return {
    enter: (id, ip) => {
      const network = networkOf(ip);
      if (!makeRoom(perNetwork.get(network) ?? new Map(), options.perAddressMax)) return false;
      if (!makeRoom(guests, options.totalMax)) return false;
      settle({ id, network, activeAt: options.now() });
      return true;
    },
    progress: id => {
      const guest = guests.get(id);
      if (guest === undefined) return;
      guest.activeAt = options.now();
      settle(guest);
    },
    leave,
  };
};
