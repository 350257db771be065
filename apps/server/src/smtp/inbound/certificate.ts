/**
 * The certificate of STARTTLS as it is now: the operator's, read anew each time. Without one, a self-signed one is made and kept
 * in KEYFOLD_DATA/keys: mail servers encrypt to whatever they are shown, and to it rather than in the clear. It is renewed well
 * before it expires.
 */
import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generate } from 'selfsigned';
import type { Clock } from '../../adapters/clock.ts';
import type { Config } from '../../config/config.ts';
import { readTlsPair, type TlsPair } from '../../config/tls.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What clients still take: longer-lived ones are refused by some. */
const LIFETIME_MS = 397 * DAY_MS;
const RENEW_BEFORE_MS = 30 * DAY_MS;
const RSA_BITS = 2048;

/** Whether a certificate is for this name and good for a while. */
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
    // Absent or damaged: a new one is made in its place.
    return null;
  }
}

async function make(hostname: string, now: Date): Promise<TlsPair> {
  const made = await generate([{ name: 'commonName', value: hostname }], {
    keySize: RSA_BITS,
    algorithm: 'sha256',
    // Clocks differ: one that is slow must not find the certificate to be of the future.
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

/**
 * The certificate to use now: the operator's, the kept one, or a new one, which is then kept. Throws TlsPairError when the
 * operator's files hold no pair that can be used.
 */
export async function loadCertificate(
  config: Pick<Config, 'tlsFiles' | 'dataDir' | 'hostname'>,
  clock: Clock,
): Promise<TlsPair> {
  if (config.tlsFiles !== undefined) return readTlsPair(config.tlsFiles);
  const dir = path.join(config.dataDir, 'keys');
  const file = path.join(dir, 'smtp-tls.pem');
  const kept = readKept(file, config.hostname, clock.now());
  if (kept !== null) return kept;
  const made = await make(config.hostname, clock.now());
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  try {
    // One file for both, put in place whole: no reader ever finds a key with another certificate.
    writeFileSync(draft, made.key + made.cert, { mode: 0o600 });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return made;
}
