/**
 * The operator's settings for STARTTLS: a certificate and its key, in two files that other programs
 * replace while the server runs. Checks whether the current files are a usable pair. Base layer:
 * caches nothing, and errors contain none of the files' content.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';

export type TlsFiles = { readonly certFile: string; readonly keyFile: string };

export type TlsConfig = {
  /** Undefined: a self-signed certificate is used. */
  readonly tlsFiles: TlsFiles | undefined;
};

/** The certificate, followed by those of its issuers, and the key, both as PEM. */
export type TlsPair = { readonly cert: string; readonly key: string };

/** An unusable pair; the message is one line that begins with a variable's name. */
export class TlsPairError extends Error {
  override readonly name = 'TlsPairError';
}

type Variable = 'TLS_CERT_FILE' | 'TLS_KEY_FILE';

function readText(variable: Variable, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    throw new TlsPairError(
      code === 'ENOENT' ? `${variable}: file not found` : `${variable}: cannot read the file (${code})`,
    );
  }
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/**
 * Returns the certificates of a text, or none when the text is truncated within one: OpenSSL would
 * silently accept those before it.
 */
function wholeCertificates(pem: string): string[] {
  const isWhole = !pem.replace(BLOCK, '').includes('-----');
  const blocks = [...pem.matchAll(BLOCK)].filter(([, kind]) => kind === 'CERTIFICATE');
  return isWhole ? blocks.map(([block]) => block) : [];
}

function readLeaf(pem: string): X509Certificate {
  try {
    const [leaf] = wholeCertificates(pem).map(block => new X509Certificate(block));
    if (leaf !== undefined) return leaf;
  } catch {
    // Reported below, like a file without a certificate.
  }
  throw new TlsPairError(
    'TLS_CERT_FILE: must contain a complete PEM certificate, followed by those of its issuers',
  );
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new TlsPairError('TLS_KEY_FILE: must contain a complete PEM private key without a passphrase');
  }
}

/** Returns whether the current certificate is valid for a host name. Throws TlsPairError. */
export const isForName = ({ certFile }: TlsFiles, name: string): boolean =>
  readLeaf(readText('TLS_CERT_FILE', certFile)).checkHost(name) !== undefined;

/** Returns the current pair. Throws TlsPairError when it cannot be used for TLS. */
export function readTlsPair({ certFile, keyFile }: TlsFiles): TlsPair {
  const cert = readText('TLS_CERT_FILE', certFile);
  const key = readText('TLS_KEY_FILE', keyFile);
  if (!readLeaf(cert).checkPrivateKey(readKey(key)))
    throw new TlsPairError('TLS_KEY_FILE: does not match the certificate in TLS_CERT_FILE');
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new TlsPairError('TLS_CERT_FILE: has a type or key size that TLS does not accept');
  }
  return { cert, key };
}

/** Environment variables. */
export const tlsEnvironment = {
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
} as const;

type Given = z.output<z.ZodObject<typeof tlsEnvironment>>;

/** Reads the settings. */
export const readTlsConfig = ({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }: Given): TlsConfig => ({
  tlsFiles: cert && key ? { certFile: path.resolve(cert), keyFile: path.resolve(key) } : undefined,
});

/**
 * Returns a one-line reason why the pair cannot be used now; null when it can, or when none is
 * configured.
 */
export function findTlsProblem(given: Given): string | null {
  if (given.TLS_KEY_FILE === undefined && given.TLS_CERT_FILE === undefined) return null;
  const { tlsFiles } = readTlsConfig(given);
  if (tlsFiles === undefined)
    return given.TLS_KEY_FILE === undefined
      ? 'TLS_CERT_FILE: requires TLS_KEY_FILE'
      : 'TLS_KEY_FILE: requires TLS_CERT_FILE';
  try {
    readTlsPair(tlsFiles);
    return null;
  } catch (error) {
    if (error instanceof TlsPairError) return error.message;
    throw error;
  }
}
