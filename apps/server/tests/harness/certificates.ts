/**
 * Certificates for tests: an authority, servers with certificates that it issued, and servers with
 * self-signed ones.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';

export type TestCertificate = {
  readonly key: string;
  /** The chain that a server presents: its own certificate, then its authority's. */
  readonly cert: string;
  /**
   * SHA-256 of the server's public key in hexadecimal, as in TLSA records with selector 1 and
   * matching type 1.
   */
  readonly keyHash: string;
};

export type TestAuthority = {
  readonly cert: string;
  readonly keyHash: string;
  readonly issue: (name: string, options?: { readonly notAfterDate?: Date }) => Promise<TestCertificate>;
};

const keyHashOf = (cert: string): string =>
  createHash('sha256')
    .update(new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');

const DAY_MS = 86_400_000;
const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;
const since = () => new Date(Date.now() - 2 * DAY_MS);

const forServer = (name: string) => [
  { name: 'basicConstraints' as const, cA: false },
  { name: 'keyUsage' as const, digitalSignature: true },
  { name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: name }] },
];

/** Creates a server certificate that no authority issued. */
export async function makeLonelyCertificate(name: string): Promise<TestCertificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    ...EC,
    notBeforeDate: since(),
    extensions: forServer(name),
  });
  return { key, cert, keyHash: keyHashOf(cert) };
}

/** Creates an authority. The test decides who trusts it. */
export async function makeAuthority(commonName: string): Promise<TestAuthority> {
  const { private: caKey, cert: caCert } = await generate([{ name: 'commonName', value: commonName }], {
    ...EC,
    notBeforeDate: since(),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    cert: caCert,
    keyHash: keyHashOf(caCert),
    issue: async (name, { notAfterDate } = {}) => {
      const made = await generate([{ name: 'commonName', value: name }], {
        ...EC,
        notBeforeDate: since(),
        ...(notAfterDate === undefined ? {} : { notAfterDate }),
        extensions: forServer(name),
        ca: { key: caKey, cert: caCert },
      });
      return { key: made.private, cert: `${made.cert.trim()}\n${caCert}`, keyHash: keyHashOf(made.cert) };
    },
  };
}
