// A certificate of a test's own making, which is its own authority: whoever is told to trust it trusts it for these names.
import { isIP } from 'node:net';
import { generate } from 'selfsigned';

/** Key and certificate as PEM, for names and addresses. */
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
