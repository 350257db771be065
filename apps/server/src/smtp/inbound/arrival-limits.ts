/**
 * Limits per network: messages within a minute, and refused recipients within an hour. All machines
 * count together ([Note: Counting together]); gateways named by the operator are not counted.
 */
import { networkOf } from '../../adapters/network.ts';
import type { Config } from '../../config/config.ts';
import { createNetworkTest } from '../../config/networks.ts';
import type { Deps } from '../../context/deps.ts';
import { createSharedWindows, type SharedWindows } from '../../features/support/rate-limits/index.ts';
import { NETWORKS_COUNTED_MAX, REFUSED_PER_NETWORK_MAX } from './limits.ts';

export type ArrivalLimits = {
  /** Counts a message that a client starts; returns false when its network has used its share. */
  readonly mayBring: (ip: string) => boolean;
  /** Counts a refused recipient; returns false when its network is guessing addresses. */
  readonly mayErr: (ip: string) => boolean;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type LimitDeps = Pick<Deps, 'clock' | 'db' | 'logger' | 'masterKey'> & {
  readonly config: Pick<Config, 'arrivalsPerMinute' | 'mailGateways'>;
};

export function createArrivalLimits(deps: LimitDeps): ArrivalLimits {
  const { arrivalsPerMinute, mailGateways } = deps.config;
  const isGateway = createNetworkTest(mailGateways);
  const count = (name: string, points: number, windowMs: number): SharedWindows =>
    createSharedWindows(deps, { name, points, windowMs, keysMax: NETWORKS_COUNTED_MAX });
  const messages = count('smtp messages', arrivalsPerMinute, MINUTE_MS);
  const refusals = count('smtp refusals', REFUSED_PER_NETWORK_MAX, HOUR_MS);
  return {
    mayBring: ip => arrivalsPerMinute === 0 || isGateway(ip) || messages.take(networkOf(ip)),
    mayErr: ip => isGateway(ip) || refusals.take(networkOf(ip)),
  };
}
