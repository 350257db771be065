/**
 * What a session says about TLS at its domain, as the reports of RFC 8460 want it: one result for each policy that it was
 * held to, or one for a domain without any. Counting them is features/reports/tls-policy's.
 */
import type { TLSSocket } from 'node:tls';
import type { TlsaRecord } from '../../adapters/dns.ts';
import { isMxAllowed, type StsFinding, type TlsResult } from '../../features/reports/tls-policy/index.ts';
import type { TlsVerdict } from './tls-demand.ts';

export type NoteTls = (result: TlsResult) => void;

/** A server of a domain that was met, and what the domain says. */
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

/** A domain none of whose servers its policy names. */
export const mismatchOf = (domain: string, receivingHost: string, sts: StsFinding): TlsResult => ({
  domain,
  policy: stsPolicyOf(sts),
  failure: { type: 'validation-failure', receivingHost },
});

/** The results of a session that came as far as TLS, or as MAIL without it. */
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
