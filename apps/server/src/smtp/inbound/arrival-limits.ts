/**
 * How much one network may bring, and how often it may be wrong about names: messages within a minute, refused recipients
 * within an hour. All machines count together ([Note: Counting together]); gateways that the operator names are not counted.
 */
import { networkOf } from '../../adapters/network.ts';
import type { Config } from '../../config/config.ts';
import { createNetworkTest } from '../../config/networks.ts';
import type { Deps } from '../../context/deps.ts';
import { createSharedWindows, type SharedWindows } from '../../features/support/rate-limits/index.ts';
import { NETWORKS_COUNTED_MAX, REFUSED_PER_NETWORK_MAX } from './limits.ts';

export type ArrivalLimits = {
  /** Counts a message that a client begins; false when its network has had its share. */
  readonly mayBring: (ip: string) => boolean;
  /** Counts a recipient that was refused; false when its network is guessing. */
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
