/** Limits on HTTP connections, derived from the number of files that this process may open. */
import { readFileSync } from 'node:fs';

export type ConnectionLimits = {
  readonly totalMax: number;
  readonly perNetworkMax: number;
  /** Per IPv4 /24 or IPv6 /48, which may contain hundreds of networks. */
  readonly perSiteMax: number;
  /** Time without progress after which a connection may be evicted, milliseconds. */
  readonly staleMs: number;
  /** Time in which a slow reader must receive a minimum of a response, milliseconds. */
  readonly slowMs?: number;
};

const CONNECTIONS_MAX = 20_000;
const PER_NETWORK_MAX = 1_000;
const STALE_MS = 10_000;
/** Descriptors for everything except client connections: database, files, mail. */
const RESERVED_DESCRIPTORS = 1_500;
const CONNECTIONS_MIN = 100;
const CONNECTIONS_WANTED = 10_000;

/** Maximum number of open files of this process; infinite if unknown. */
export function openFilesMax(limitsFile = '/proc/self/limits'): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'latin1'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Limits that fit the maximum number of open files. */
export function limitsFor(filesMax: number): ConnectionLimits {
  const totalMax = Math.max(CONNECTIONS_MIN, Math.min(CONNECTIONS_MAX, filesMax - RESERVED_DESCRIPTORS));
  const perNetworkMax = Math.min(PER_NETWORK_MAX, totalMax);
  // A single site can take at most half.
  const perSiteMax = Math.max(perNetworkMax, Math.floor(totalMax / 2));
  return { totalMax, perNetworkMax, perSiteMax, staleMs: STALE_MS };
}

/** Whether the limits are so low that normal use may reach them. */
export const isCramped = ({ totalMax }: ConnectionLimits): boolean => totalMax < CONNECTIONS_WANTED;
