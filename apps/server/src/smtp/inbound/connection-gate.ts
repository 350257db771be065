/**
 * Limits how many clients may be connected, in total, per address and per site. At a limit, a new
 * client replaces the one that has made no progress for longest, if that is long enough: thousands
 * of idle connections then do not affect an honest sender. Active clients are never disconnected;
 * when all are active, the new one is rejected.
 */
import { networkOf, siteOf } from '../../adapters/network.ts';

export type GateOptions = {
  readonly totalMax: number;
  /** Limit per IPv4 address, or per /64 that one IPv6 host has to itself. */
  readonly perAddressMax: number;
  /** Limit per IPv4 /24, or per IPv6 /48, which often belongs to one customer. */
  readonly perSiteMax: number;
  readonly staleMs: number;
  readonly now: () => number;
  /** Disconnects a client. */
  readonly evict: (connectionId: string) => void;
};

export type ConnectionGate = {
  /** Returns whether this client may stay. */
  readonly enter: (connectionId: string, ip: string) => boolean;
  /** Records that a client made progress. */
  readonly progress: (connectionId: string) => void;
  readonly leave: (connectionId: string) => void;
};

type Guest = { readonly id: string; readonly network: string; readonly site: string; activeAt: number };
/** Clients by address or site. */
type Crowds = Map<string, Map<string, Guest>>;

export function createConnectionGate(options: GateOptions): ConnectionGate {
  // Maps keep insertion order, and progress reinserts a client: the first one is the stalest.
  const guests = new Map<string, Guest>();
  const perNetwork: Crowds = new Map();
  const perSite: Crowds = new Map();

  const placesOf = ({ network, site }: Guest) =>
    [
      [perNetwork, network],
      [perSite, site],
    ] as const;

  const leave = (id: string): void => {
    const guest = guests.get(id);
    if (guest === undefined) return;
    guests.delete(id);
    for (const [crowds, place] of placesOf(guest)) {
      const neighbors = crowds.get(place);
      neighbors?.delete(id);
      if (neighbors?.size === 0) crowds.delete(place);
    }
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
    const crowds = placesOf(guest).map(([all, place]) => {
      const neighbors = all.get(place) ?? new Map<string, Guest>();
      all.set(place, neighbors);
      return neighbors;
    });
    for (const crowd of [guests, ...crowds]) {
      crowd.delete(guest.id);
      crowd.set(guest.id, guest);
    }
  };

  return {
    enter: (id, ip) => {
      const network = networkOf(ip);
      const site = siteOf(ip);
      if (!makeRoom(perNetwork.get(network) ?? new Map(), options.perAddressMax)) return false;
      if (!makeRoom(perSite.get(site) ?? new Map(), options.perSiteMax)) return false;
      if (!makeRoom(guests, options.totalMax)) return false;
      settle({ id, network, site, activeAt: options.now() });
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
}
