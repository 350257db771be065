/** Private keys of certificates and ACME accounts, sealed by the server's key. */
import type { MasterKey } from '../../../base/master-key.ts';

const PURPOSE = 'tls key';

/** `context` is the name of the certificate, or the directory of the account. */
export const sealPrivateKey = (masterKey: MasterKey, context: string, pem: string): Buffer =>
  masterKey.seal(PURPOSE, context, Buffer.from(pem));

/** Returns the key as PEM; null when it was sealed under a server key that has been replaced. */
export function openPrivateKey(masterKey: MasterKey, context: string, sealed: Buffer): string | null {
  try {
    return masterKey.open(PURPOSE, context, sealed).toString();
  } catch {
    return null;
  }
}
