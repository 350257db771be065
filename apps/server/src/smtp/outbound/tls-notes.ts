/**
 * TLS results of a session as RFC 8460 reports need them: one result for each policy that applied,
 * or one for a domain without a policy. features/reports/tls-policy counts them.
 */
import type { TLSSocket } from 'node:tls';
import type { TlsaRecord } from '../../adapters/dns.ts';
import { isMxAllowed, type StsFinding, type TlsResult } from '../../features/reports/tls-policy/index.ts';
import type { TlsVerdict } from './tls-demand.ts';

export type NoteTls = (result: TlsResult) => void;

/** A contacted server of a domain, and the domain's policies. */
export type MetServer = {
  readonly domain: string;
  readonly hostname: string;
  /** IP address. */
  readonly host: string;
  /** Our own IP address on that connection. */
  readonly ownAddress: string | undefined;
  readonly sts: StsFinding;
  readonly tlsa: readonly TlsaRecord[];
};

type Policy = TlsResult['policy'];

const NO_POLICY: Policy = { type: 'no-policy-found', strings: [], mxHosts: [] };
const UNKNOWN_STS: Policy = { type: 'sts', strings: [], mxHosts: [] };

const stsPolicyOf = ({ policy }: StsFinding): Policy =>
  policy === null
    ? UNKNOWN_STS
    : {
        type: 'sts',
        strings: [
          'version: STSv1',
          `mode: ${policy.mode}`,
          ...policy.mx.map(name => `mx: ${name}`),
          `max_age: ${policy.maxAgeSeconds}`,
        ],
        mxHosts: [...policy.mx],
      };

const tlsaPolicyOf = (records: readonly TlsaRecord[]): Policy => ({
  type: 'tlsa',
  strings: records.map(
    ({ usage, selector, mtype, cert }) => `${usage} ${selector} ${mtype} ${cert.toString('hex')}`,
  ),
  mxHosts: [],
});

/** Returns the result for a domain whose policy lists none of its servers. */
export const mismatchOf = (domain: string, receivingHost: string, sts: StsFinding): TlsResult => ({
  domain,
  policy: stsPolicyOf(sts),
  failure: { type: 'validation-failure', receivingHost },
});

/** Returns the results of a session that reached TLS, or MAIL without TLS. */
export function resultsOf(met: MetServer, verdict: TlsVerdict, socket: TLSSocket | null): TlsResult[] {
  const { domain, sts, tlsa } = met;
  const failureOf = (type: string | null): TlsResult['failure'] =>
    type === null
      ? null
      : { type, sendingIp: met.ownAddress, receivingHost: met.hostname, receivingIp: met.host };
  const results: TlsResult[] = [];
  const { policy, problem } = sts;
  if (problem !== null) results.push({ domain, policy: UNKNOWN_STS, failure: { type: problem } });
  if (policy !== null && policy.mode !== 'none') {
    const isStranger = !isMxAllowed(policy, met.hostname);
    const type = verdict.authorities ?? (isStranger ? 'validation-failure' : null);
    results.push({ domain, policy: stsPolicyOf(sts), failure: failureOf(type) });
  }
  if (tlsa.length > 0) results.push({ domain, policy: tlsaPolicyOf(tlsa), failure: failureOf(verdict.tlsa) });
  if (results.length === 0)
    results.push({
      domain,
      policy: NO_POLICY,
      failure: failureOf(socket === null ? 'starttls-not-supported' : null),
    });
  return results;
}
