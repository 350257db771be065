/**
 * Loads the certificate that a listener presents by default: the operator's, read again each time,
 * or the one by ACME. Without either, creates a self-signed certificate and stores it in
 * KEYFOLD_DATA/keys: mail servers prefer encryption with any certificate to cleartext. The
 * self-signed certificate is renewed well before it expires.
 */
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HOSTNAME } from '../../../config/mx.ts';
import { readTlsPair, type TlsPair } from '../../../config/tls.ts';
import type { Deps } from '../../../context/deps.ts';
import { findPair } from './holder.ts';
import { wantNames } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Longest lifetime that all clients accept: some reject longer ones. */
const LIFETIME_MS = 397 * DAY_MS;
const RENEW_BEFORE_MS = 30 * DAY_MS;
const RSA_BITS = 2048;

/** Returns whether a certificate is for this name and will remain valid for a while. */
function isGood({ cert }: TlsPair, hostname: string, now: Date): boolean {
  const parsed = new X509Certificate(cert);
  const hasBegun = new Date(parsed.validFrom).getTime() <= now.getTime();
  const endsMs = new Date(parsed.validTo).getTime();
  return hasBegun && endsMs - now.getTime() > RENEW_BEFORE_MS && parsed.checkHost(hostname) !== undefined;
}

function readKept(file: string, hostname: string, now: Date): TlsPair | null {
  try {
    const text = readFileSync(file, 'utf8');
    const at = text.indexOf('-----BEGIN CERTIFICATE-----');
    const kept = { key: text.slice(0, at), cert: text.slice(at) };
    return isGood(kept, hostname, now) ? kept : null;
  } catch {
    // Absent or damaged: a new one replaces it.
    return null;
  }
}

async function make(hostname: string, now: Date): Promise<TlsPair> {
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: hostname }], {
    keySize: RSA_BITS,
    algorithm: 'sha256',
    // Clocks differ: a client whose clock is slow must not consider the certificate not yet valid.
    notBeforeDate: new Date(now.getTime() - DAY_MS),
    notAfterDate: new Date(now.getTime() + LIFETIME_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: hostname }] },
    ],
  });
  return { key: made.private.endsWith('\n') ? made.private : `${made.private}\n`, cert: made.cert };
}

export type CertificateDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'logger' | 'masterKey'>;

/** Returns the certificate by ACME, and notes that this machine wants it. */
async function findIssued(deps: CertificateDeps, hostname: string): Promise<TlsPair | null> {
  if (HOSTNAME.test(hostname)) await wantNames(deps.db, [hostname], deps.clock.now());
  return findPair(deps, hostname);
}

/**
 * Returns the certificate to use for `hostname`: the operator's, the one by ACME, the stored
 * self-signed one, or a new one, which is then stored. Throws TlsPairError when the operator's
 * files contain no usable pair.
 */
export async function loadCertificate(deps: CertificateDeps, hostname: string): Promise<TlsPair> {
  const { config, clock } = deps;
  if (config.tlsFiles !== undefined) return readTlsPair(config.tlsFiles);
  const issued = config.https?.acme ? await findIssued(deps, hostname) : null;
  if (issued !== null) return issued;
  const dir = path.join(config.dataDir, 'keys');
  // A file for each name: listeners with two names would keep replacing one another's certificate.
  const file = path.join(dir, hostname === config.hostname ? 'smtp-tls.pem' : 'https-tls.pem');
  const kept = readKept(file, hostname, clock.now());
  if (kept !== null) return kept;
  const made = await make(hostname, clock.now());
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  try {
    // One file for both, replaced atomically: no reader ever finds a key with another certificate.
    writeFileSync(draft, made.key + made.cert, { mode: 0o600 });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return made;
}
