/**
 * Finds and reaches the mail server of a domain: MX records in order, the domain's own address without any, null MX,
 * MTA-STS. Addresses of this machine and of private networks are refused unless the configuration allows them: whoever
 * owns a domain could otherwise point our connections at services behind our firewall.
 */
import type { Socket } from 'node:net';
import mxConnect, { type MtaStsPolicy } from 'mx-connect';
import type { Deps } from '../../deps.ts';

/** An open connection to a server that has not greeted yet. */
export type Peer = {
  readonly socket: Socket;
  readonly hostname: string;
  /** IP address. */
  readonly host: string;
  /** Whether the domain's MTA-STS policy demands a verified certificate. */
  readonly mustVerify: boolean;
};

/** Why no server was reached; `isPermanent` when trying again cannot help. Its text names no address of a person. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly isPermanent: boolean;
  /** RFC 3463 status. */
  readonly status: string;

  constructor(status: string, message: string, isPermanent: boolean, cause: unknown) {
    super(message, { cause });
    this.status = status;
    this.isPermanent = isPermanent;
  }
}

const CONNECT_TIMEOUT_MS = 30_000;
/** Most MTA-STS policies remembered. */
const POLICIES_MAX = 1_000;

type MxError = { readonly category?: unknown; readonly temporary?: unknown; readonly code?: unknown };

const toUnreachable = (error: unknown): UnreachableError => {
  const { category, temporary, code } = (error ?? {}) as MxError;
  const make = (status: string, message: string, isPermanent: boolean) =>
    new UnreachableError(status, message, isPermanent, error);
  if (code === 'ENULLMX') return make('5.1.10', 'The domain does not accept mail', true);
  if (code === 'InvalidIpAddress' && temporary !== true)
    return make('5.4.4', 'The mail server of the domain has an address that cannot be used', true);
  if (category === 'dns' && temporary !== true)
    return make('5.1.2', 'The domain was not found or has no mail server', true);
  if (category === 'dns') return make('4.4.3', 'The mail server of the domain could not be looked up', false);
  if (category === 'policy')
    return make('4.7.5', 'The mail server does not fit the security policy of its domain', false);
  return make('4.4.1', 'No mail server of the domain could be reached', false);
};

export type MxConnector = (domain: string, passedOver: readonly string[]) => Promise<Peer>;

/** A connector that asks this DNS; `passedOver` are addresses that failed in this attempt already. */
export const createMxConnector = ({ config, dns }: Pick<Deps, 'config' | 'dns'>): MxConnector => {
  const policies = new Map<string, MtaStsPolicy>();
  const remember = (domain: string, policy: MtaStsPolicy): void => {
    policies.delete(domain);
    policies.set(domain, policy);
    const [oldest] = policies.keys();
    if (policies.size > POLICIES_MAX && oldest !== undefined) policies.delete(oldest);
  };
  return async (domain, passedOver) => {
    try {
      const found = await mxConnect({
        target: domain,
        port: config.mxPort,
        maxConnectTime: CONNECT_TIMEOUT_MS,
        ignoreMXHosts: [...passedOver],
        dnsOptions: {
          blockLocalAddresses: !config.isPrivateMxAllowed,
          blockReservedNetworks: !config.isPrivateMxAllowed,
          resolveRecords: dns.resolve,
        },
        mtaSts: {
          enabled: true,
          cache: {
            get: async name => policies.get(name) ?? false,
            set: async (name, policy) => remember(name, policy),
          },
        },
      });
      return {
        socket: found.socket,
        hostname: found.hostname,
        host: found.host,
        mustVerify: found.policyMatch?.mode === 'enforce',
      };
    } catch (error) {
      throw toUnreachable(error);
    }
  };
};
