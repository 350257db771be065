/**
 * How much one network may bring, and how often it may be wrong about names: messages within a minute, refused recipients
 * within an hour. Counted in memory, each process for itself; gateways that the operator names are not counted.
 */
import { networkOf } from '../../adapters/network.ts';
import type { Config } from '../../config.ts';
import { type CountedWindows, createCountedWindows } from '../../counted-windows.ts';
import { createNetworkTest } from '../../network-text.ts';
import { NETWORKS_COUNTED_MAX, REFUSED_PER_NETWORK_MAX } from './limits.ts';

export type ArrivalLimits = {
  /** Counts a message that a client begins; false when its network has had its share. */
  readonly mayBring: (ip: string) => boolean;
  /** Counts a recipient that was refused; false when its network is guessing. */
  readonly mayErr: (ip: string) => boolean;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const count = (points: number, windowMs: number): CountedWindows =>
  createCountedWindows({ points, windowMs, keysMax: NETWORKS_COUNTED_MAX, now: () => performance.now() });

export const createArrivalLimits = ({
  arrivalsPerMinute,
  mailGateways,
}: Pick<Config, 'arrivalsPerMinute' | 'mailGateways'>): ArrivalLimits => {
  const isGateway = createNetworkTest(mailGateways);
  const messages = count(arrivalsPerMinute, MINUTE_MS);
  const refusals = count(REFUSED_PER_NETWORK_MAX, HOUR_MS);
  return {
    mayBring: ip => arrivalsPerMinute === 0 || isGateway(ip) || messages.take(networkOf(ip)),
    mayErr: ip => isGateway(ip) || refusals.take(networkOf(ip)),
  };
};
