/**
 * The TLS requirements of a domain for connections to its server, by MTA-STS (RFC 8461) and DANE
 * (RFC 7672), and whether a connection meets them. Without requirements, any TLS is better than
 * none (RFC 7435). If both apply, both must hold: neither may override a failure of the other (RFC
 * 8461 §2).
 */
import type { TLSSocket } from 'node:tls';
import type { TlsaRecord } from '../../adapters/dns.ts';
import { chainOf, isTlsaMatch, usableTlsa } from './dane.ts';

export type TlsDemand = {
  /**
   * Whether a public authority must certify the server's name; `wished`: the result is recorded but
   * not required.
   */
  readonly authorities: 'must' | 'no' | 'wished';
  /** TLSA records of the server, usable or not; empty when it has no DNSSEC-authenticated ones. */
  readonly tlsa: readonly TlsaRecord[];
  /** Names of the server and of the domain. */
  readonly names: readonly string[];
};

/** Failure types of RFC 8460 §4.3 that a connection can reveal. */
export type TlsFailure =
  | 'certificate-expired'
  | 'certificate-host-mismatch'
  | 'certificate-not-trusted'
  | 'starttls-not-supported'
  | 'validation-failure';

export const NO_DEMAND: TlsDemand = { authorities: 'no', tlsa: [], names: [] };

export const mustUseTls = ({ authorities, tlsa }: TlsDemand): boolean =>
  authorities === 'must' || tlsa.length > 0;

const AUTHORITY_FAILURES: Readonly<Record<string, TlsFailure>> = {
  CERT_HAS_EXPIRED: 'certificate-expired',
  CERT_NOT_YET_VALID: 'certificate-expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-host-mismatch',
};

/**
 * Returns the failure of PKIX validation, or null when a public authority certifies the requested
 * name.
 */
function judgeByAuthorities(socket: TLSSocket): TlsFailure | null {
  if (socket.authorized) return null;
  return AUTHORITY_FAILURES[String(socket.authorizationError)] ?? 'certificate-not-trusted';
}

function judgeByTlsa(socket: TLSSocket, { tlsa, names }: TlsDemand, now: Date): TlsFailure | null {
  const records = usableTlsa(tlsa);
  if (records.length === 0) return null;
  return isTlsaMatch({ chain: chainOf(socket), records, names, now }) ? null : 'validation-failure';
}

export type TlsVerdict = {
  /** Result of PKIX validation; null when it succeeds or is not required. */
  readonly authorities: TlsFailure | null;
  readonly tlsa: TlsFailure | null;
  /** Whether mail may be sent over this connection. */
  readonly isMet: boolean;
};

/** Compares a connection, null for one without TLS, with the requirements. */
export function judgeTls(demand: TlsDemand, socket: TLSSocket | null, now: Date): TlsVerdict {
  const isAsked = demand.authorities !== 'no';
  if (socket === null) {
    const missing = 'starttls-not-supported';
    return {
      authorities: isAsked ? missing : null,
      tlsa: demand.tlsa.length > 0 ? missing : null,
      isMet: !mustUseTls(demand),
    };
  }
  const authorities = isAsked ? judgeByAuthorities(socket) : null;
  const tlsa = judgeByTlsa(socket, demand, now);
  return {
    authorities,
    tlsa,
    isMet: tlsa === null && (authorities === null || demand.authorities !== 'must'),
  };
}
