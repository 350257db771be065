/**
 * How many clients may be connected, in all, from one address and from one site. At a limit, the newcomer takes the place of the client
 * that has got nothing done for longest, if that is long enough: thousands of connections held open for nothing then
 * cost an honest sender nothing. Clients that work are never put out; when all do, the newcomer is sent away.
 */
import { networkOf, siteOf } from '../../adapters/network.ts';

export type GateOptions = {
  readonly totalMax: number;
  /** Of an IPv4 address, or the /64 that one IPv6 host has to itself. */
  readonly perAddressMax: number;
  /** Of a /24 of IPv4, or a /48 of IPv6, which is often one customer's. */
  readonly perSiteMax: number;
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

type Guest = { readonly id: string; readonly network: string; readonly site: string; activeAt: number };
/** Guests by where they are. */
type Crowds = Map<string, Map<string, Guest>>;

export function createConnectionGate(options: GateOptions): ConnectionGate {
  // Maps keep the order of insertion, and progress inserts anew: the first guest is the stalest.
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
