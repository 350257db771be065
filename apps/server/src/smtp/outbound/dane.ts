/**
 * DANE for SMTP (RFC 7672): which TLSA records are usable, and whether a certificate matches them.
 * The records come from DNSSEC-validated answers; mx.ts makes the queries. mx-connect can compare
 * too, but it does not check names, validity periods or the right to sign, which certificates of a
 * trust anchor must have.
 */
import { createHash, X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { TlsaRecord } from '../../adapters/dns.ts';

/**
 * Certificate usages (RFC 7671 §4). The two that require public authorities have no meaning in SMTP
 * (RFC 7672 §3.1.3).
 */
const USAGE = { trustAnchor: 2, endEntity: 3 } as const;
const SELECTOR = { certificate: 0, publicKey: 1 } as const;
/**
 * Matching types, with the algorithm that computes the association data; null means the data
 * itself.
 */
const HASHES: ReadonlyMap<number, { readonly algorithm: string; readonly sizeBytes: number } | null> =
  new Map([
    [0, null],
    [1, { algorithm: 'sha256', sizeBytes: 32 }],
    [2, { algorithm: 'sha512', sizeBytes: 64 }],
  ]);

function isUsable({ usage, selector, mtype, cert }: TlsaRecord): boolean {
  const hash = HASHES.get(mtype);
  if (usage !== USAGE.trustAnchor && usage !== USAGE.endEntity) return false;
  if (selector !== SELECTOR.certificate && selector !== SELECTOR.publicKey) return false;
  return hash !== undefined && (hash === null ? cert.length > 0 : cert.length === hash.sizeBytes);
}

/**
 * Returns the usable records. If all records are unusable, TLS is required but the server is not
 * authenticated (RFC 7672 §2.2).
 */
export const usableTlsa = (records: readonly TlsaRecord[]): readonly TlsaRecord[] => records.filter(isUsable);

/** Whether a record matches this certificate. */
function isNamed(certificate: X509Certificate, { selector, mtype, cert }: TlsaRecord): boolean {
  const bytes =
    selector === SELECTOR.certificate
      ? certificate.raw
      : certificate.publicKey.export({ type: 'spki', format: 'der' });
  const hash = HASHES.get(mtype);
  if (hash === undefined) return false;
  return cert.equals(hash === null ? bytes : createHash(hash.algorithm).update(bytes).digest());
}

const isCurrent = ({ validFromDate, validToDate }: X509Certificate, now: Date): boolean =>
  validFromDate.getTime() <= now.getTime() && now.getTime() <= validToDate.getTime();

const hasSigned = (issuer: X509Certificate, certificate: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

/** Maximum number of certificates of a chain that are checked. */
const CHAIN_MAX = 10;

/** Returns the certificates that signed the first one and each other, from leaf to root. */
function signersOf(
  leaf: X509Certificate,
  others: readonly X509Certificate[],
  now: Date,
): readonly X509Certificate[] {
  const signers: X509Certificate[] = [];
  for (let at = leaf; signers.length < CHAIN_MAX; ) {
    const next = others.find(
      one => !signers.includes(one) && one !== leaf && isCurrent(one, now) && hasSigned(one, at),
    );
    if (next === undefined) break;
    signers.push(next);
    at = next;
  }
  return signers;
}

export type DaneQuestion = {
  /** Certificates that the server presented, its own first. */
  readonly chain: readonly X509Certificate[];
  /** Usable records. */
  readonly records: readonly TlsaRecord[];
  /**
   * Names that a certificate below a trust anchor may be issued for: the server's and the domain's
   * (RFC 7672 §3.2.2).
   */
  readonly names: readonly string[];
  readonly now: Date;
};

/** Whether the records match the certificate or one that issued it. */
export function isTlsaMatch({ chain, records, names, now }: DaneQuestion): boolean {
  const [leaf] = chain;
  if (leaf === undefined) return false;
  // Only the key counts: neither the name nor the validity period is checked (RFC 7672 §3.1.1).
  if (records.some(record => record.usage === USAGE.endEntity && isNamed(leaf, record))) return true;
  const anchors = records.filter(({ usage }) => usage === USAGE.trustAnchor);
  if (anchors.length === 0 || !isCurrent(leaf, now)) return false;
  if (!names.some(name => leaf.checkHost(name) !== undefined)) return false;
  return signersOf(leaf, chain.slice(1), now).some(signer => anchors.some(record => isNamed(signer, record)));
}

/** Returns the certificates that a server presented, its own first. */
export function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  const seen = new Set<string>();
  let at = socket.getPeerCertificate(true);
  while (at?.raw !== undefined && chain.length < CHAIN_MAX) {
    const certificate = new X509Certificate(at.raw);
    if (seen.has(certificate.fingerprint256)) break;
    seen.add(certificate.fingerprint256);
    chain.push(certificate);
    at = at.issuerCertificate;
  }
  return chain;
}
