/**
 * What a domain demands of the TLS on the way to its server, by MTA-STS (RFC 8461) and DANE (RFC 7672), and whether a
 * connection meets it. Without a demand any TLS is better than none (RFC 7435). Where there are both, both must hold:
 * neither may excuse a failure of the other (RFC 8461 §2).
 */
import type { TLSSocket } from 'node:tls';
import type { TlsaRecord } from '../../adapters/dns.ts';
import { chainOf, isTlsaMatch, usableTlsa } from './dane.ts';

export type TlsDemand = {
  /** Whether a public authority must vouch for the server's name; `wished`: whether it does is of interest. */
  readonly authorities: 'must' | 'no' | 'wished';
  /** TLSA records of the server, usable or not; empty when it has none that DNSSEC vouches for. */
  readonly tlsa: readonly TlsaRecord[];
  /** The server's name and the domain's. */
  readonly names: readonly string[];
};

/** Kinds of failures in the words of RFC 8460 §4.3, as far as a connection shows them. */
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

/** What public authorities find wrong with a server; null when they vouch for it under the name that was asked for. */
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
  /** What public authorities say; null when they vouch, or nobody asks. */
  readonly authorities: TlsFailure | null;
  readonly tlsa: TlsFailure | null;
  /** Whether mail may go this way. */
  readonly isMet: boolean;
};

/** Compares a connection, null for one in the clear, with what is demanded of it. */
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
