// Self-signed test certificates. Each is its own authority: a client that trusts it trusts it for
// these names only.
import { isIP } from 'node:net';
import { generate } from 'selfsigned';

/** Creates a key and a certificate as PEM, for these names and addresses. */
export async function makeCertificate(
  names: readonly string[],
): Promise<{ readonly key: string; readonly cert: string }> {
  const altNames = names.map(name =>
    isIP(name) === 0 ? ({ type: 2, value: name } as const) : ({ type: 7, ip: name } as const),
  );
  const made = await generate([{ name: 'commonName', value: names[0] ?? 'test' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  return { key: made.private, cert: made.cert };
}
