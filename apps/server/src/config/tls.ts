/**
 * What the operator says about STARTTLS: a certificate and its key, in two files that other programs replace while the server
 * runs, and whether what lies there now is a pair that can be used. Ground: nothing of them is remembered, and no word of a
 * refusal holds any of it.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';

export type TlsFiles = { readonly certFile: string; readonly keyFile: string };

export type TlsConfig = {
  /** Undefined: a certificate of our own making is used. */
  readonly tlsFiles: TlsFiles | undefined;
};

/** Both as PEM; the certificate with those of its issuers after it. */
export type TlsPair = { readonly cert: string; readonly key: string };

/** A pair that cannot be used; the message is one line that begins with a variable's name. */
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
      code === 'ENOENT'
        ? `${variable}: there is no such file`
        : `${variable}: the file cannot be read (${code})`,
    );
  }
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/** The certificates of a text, or none when it ends within one: OpenSSL would take those before it without a word. */
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
    // Told below, as what holds no certificate at all.
  }
  throw new TlsPairError(
    'TLS_CERT_FILE: must hold a whole certificate in PEM, those of its issuers after it',
  );
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new TlsPairError('TLS_KEY_FILE: must hold a whole private key in PEM, without a passphrase');
  }
}

/** Whether the certificate that lies there now is for a host of this name. Throws TlsPairError. */
export const isForName = ({ certFile }: TlsFiles, name: string): boolean =>
  readLeaf(readText('TLS_CERT_FILE', certFile)).checkHost(name) !== undefined;

/** The pair that lies there now. Throws TlsPairError when it cannot be used for TLS. */
export function readTlsPair({ certFile, keyFile }: TlsFiles): TlsPair {
  const cert = readText('TLS_CERT_FILE', certFile);
  const key = readText('TLS_KEY_FILE', keyFile);
  if (!readLeaf(cert).checkPrivateKey(readKey(key)))
    throw new TlsPairError('TLS_KEY_FILE: is not the key of the certificate in TLS_CERT_FILE');
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new TlsPairError('TLS_CERT_FILE: cannot be used for TLS, by its kind or the size of its key');
  }
  return { cert, key };
}

/** Variables of the environment. */
export const tlsEnvironment = {
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
} as const;

type Given = z.output<z.ZodObject<typeof tlsEnvironment>>;

/** What they say. */
export const readTlsConfig = ({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }: Given): TlsConfig => ({
  tlsFiles: cert && key ? { certFile: path.resolve(cert), keyFile: path.resolve(key) } : undefined,
});

/** Why the pair cannot be used now, as one line; null when it can, or when there is none. */
export function findTlsProblem(given: Given): string | null {
  if (given.TLS_KEY_FILE === undefined && given.TLS_CERT_FILE === undefined) return null;
  const { tlsFiles } = readTlsConfig(given);
  if (tlsFiles === undefined)
    return given.TLS_KEY_FILE === undefined
      ? 'TLS_CERT_FILE: needs TLS_KEY_FILE beside it'
      : 'TLS_KEY_FILE: needs TLS_CERT_FILE beside it';
  try {
    readTlsPair(tlsFiles);
    return null;
  } catch (error) {
    if (error instanceof TlsPairError) return error.message;
    throw error;
  }
}
