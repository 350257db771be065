/**
 * How much one network may bring, and how often it may be wrong about names: messages within a minute, refused recipients
 * within an hour. Counted in memory, each process for itself; gateways that the operator names are not counted.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../../config.ts';
import { createNetworkTest } from '../../network-text.ts';
import { networkOf } from './connection-gate.ts';
import { REFUSED_PER_NETWORK_MAX } from './limits.ts';

export type ArrivalLimits = {
  /** Counts a message that a client begins; false when its network has had its share. */
  readonly mayBring: (ip: string) => Promise<boolean>;
  /** Counts a recipient that was refused; false when its network is guessing. */
  readonly mayErr: (ip: string) => Promise<boolean>;
};

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;

const isLeft = async (limiter: RateLimiterMemory, ip: string): Promise<boolean> => {
  try {
    await limiter.consume(networkOf(ip));
    return true;
  } catch (error) {
    if (error instanceof RateLimiterRes) return false;
    throw error;
  }
};

export const createArrivalLimits = ({
  arrivalsPerMinute,
  mailGateways,
}: Pick<Config, 'arrivalsPerMinute' | 'mailGateways'>): ArrivalLimits => {
  const isGateway = createNetworkTest(mailGateways);
  const messages = new RateLimiterMemory({ points: arrivalsPerMinute, duration: MINUTE_SECONDS });
  const refusals = new RateLimiterMemory({ points: REFUSED_PER_NETWORK_MAX, duration: HOUR_SECONDS });
  return {
    mayBring: async ip => arrivalsPerMinute === 0 || isGateway(ip) || isLeft(messages, ip),
    mayErr: async ip => isGateway(ip) || isLeft(refusals, ip),
  };
};
