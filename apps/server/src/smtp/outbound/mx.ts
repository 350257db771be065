/**
 * Finds and connects to a mail server of a domain: its hosts in order, without those that its
 * MTA-STS policy does not list, together with the domain's TLS requirements. Addresses of this
 * machine and of private networks are refused unless the configuration allows them. Otherwise the
 * owner of a domain could direct our connections at services behind our firewall.
 */
import type { Socket } from 'node:net';
import mxConnect, { type Options } from 'mx-connect';
import { type Dns, isAbsence, type TlsaRecord } from '../../adapters/dns.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import type { Deps } from '../../context/deps.ts';
import {
  isMxAllowed,
  type MtaStsResolver,
  type StsFinding,
} from '../../features/reports/tls-policy/index.ts';
import { findMxHosts, type MxHost } from './mx-hosts.ts';
import type { TlsDemand } from './tls-demand.ts';
import { mismatchOf, type NoteTls } from './tls-notes.ts';
import { UnreachableError } from './unreachable.ts';

/** An open connection to a server that has not sent its greeting yet. */
export type Peer = {
  readonly socket: Socket;
  readonly hostname: string;
  /** IP address. */
  readonly host: string;
  readonly demand: TlsDemand;
  readonly sts: StsFinding;
};

const CONNECT_TIMEOUT_MS = 30_000;

type MxError = { readonly category?: unknown; readonly temporary?: unknown; readonly code?: unknown };

function toUnreachable(error: unknown): UnreachableError {
  const { category, temporary, code } = (error ?? {}) as MxError;
  const make = (status: string, message: string, isPermanent: boolean) =>
    new UnreachableError(status, message, isPermanent, error);
  if (code === 'InvalidIpAddress' && temporary !== true)
    return make('5.4.4', 'The mail server of the domain has an unusable address', true);
  if (category === 'dns' && temporary !== true)
    return make('5.1.2', 'The domain was not found or has no mail server', true);
  if (category === 'dns') return make('4.4.3', 'The mail server of the domain could not be looked up', false);
  if (category === 'dane')
    return new UnreachableError(
      '4.7.5',
      'The DANE records (TLSA) of the mail server could not be looked up',
      false,
      error,
      'dane',
    );
  return make('4.4.1', 'No mail server of the domain could be reached', false);
}

/**
 * Whether DNSSEC authenticates the addresses of a host. If not, its TLSA records must not be
 * trusted (RFC 7672 §2.2.2).
 */
async function isHostSecure(ask: NonNullable<Dns['ask']>, hostname: string): Promise<boolean> {
  for (const type of ['A', 'AAAA'] as const) {
    try {
      return (await ask(hostname, type)).isSecure;
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
  }
  return false;
}

function daneOptions({ ask }: Dns): Options['dane'] {
  if (ask === undefined) return undefined;
  return {
    enabled: true,
    checkDnssecSecure: async hostname => ({ secure: await isHostSecure(ask, hostname) }),
    resolveTlsa: async name => {
      const { records, isSecure } = await ask(name, 'TLSA');
      return isSecure ? (records as readonly TlsaRecord[]) : [];
    },
  };
}

/** Returns the hosts that the policy allows. Throws UnreachableError when it lists none of them. */
function allowedHosts(
  hosts: readonly MxHost[],
  sts: StsFinding,
  domain: string,
  note: NoteTls,
): readonly MxHost[] {
  const { policy } = sts;
  if (policy?.mode !== 'enforce') return hosts;
  const allowed = hosts.filter(({ exchange }) => isMxAllowed(policy, exchange));
  if (allowed.length > 0) return allowed;
  note(mismatchOf(domain, hosts[0]?.exchange ?? '', sts));
  throw new UnreachableError(
    '4.7.5',
    'The mail server is not listed in the MTA-STS policy of its domain',
    false,
    'MTA-STS',
    'mta-sts',
  );
}

const AUTHORITIES = { enforce: 'must', testing: 'wished', none: 'no' } as const;

export type MxConnector = (
  domain: string,
  passedOver: readonly string[],
  signal: AbortSignal,
) => Promise<Peer>;

/**
 * Creates a connector that uses this DNS resolver. `passedOver` lists addresses that already failed
 * in this attempt. Rejects with the signal's reason when the signal aborts it.
 */
export const createMxConnector =
  ({ config, dns }: Pick<Deps, 'config' | 'dns'>, policies: MtaStsResolver, note: NoteTls): MxConnector =>
  async (domain, passedOver, signal) => {
    const sts = await policies.find(domain, signal);
    const { hosts, isSecure } = await untilAborted(findMxHosts(dns, domain), signal);
    const dane = config.isDaneUsed && isSecure ? daneOptions(dns) : undefined;
    try {
      const connecting = mxConnect({
        target: domain,
        mx: allowedHosts(hosts, sts, domain, note).map(host => ({ ...host })),
        port: config.mxPort,
        maxConnectTime: CONNECT_TIMEOUT_MS,
        ignoreMXHosts: [...passedOver],
        dnsOptions: {
          blockLocalAddresses: !config.isPrivateMxAllowed,
          blockReservedNetworks: !config.isPrivateMxAllowed,
          resolveRecords: dns.resolve,
        },
        ...(dane === undefined ? {} : { dane }),
      });
      const found = await untilAborted(connecting, signal, late => late.socket.destroy());
      return {
        socket: found.socket,
        hostname: found.hostname,
        host: found.host,
        sts,
        demand: {
          authorities: AUTHORITIES[sts.policy?.mode ?? 'none'],
          tlsa: found.tlsaRecords ?? [],
          names: [found.hostname, domain],
        },
      };
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof UnreachableError ? error : toUnreachable(error);
    }
  };
