/**
 * What the operator says about push services, and the check of keys that were given. Ground: nothing is asked here.
 */
import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { isSafePage } from './safe-address.ts';

/** A service account of Firebase. `privateKey` is PEM, RSA; `tokenUri` where it is exchanged for a token. */
export type FcmConfig = {
  readonly projectId: string;
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly tokenUri: string;
  /** An origin. */
  readonly apiBase: string;
};

/** A key of Apple for one app. `key` is PEM, P-256. */
export type ApnsConfig = {
  readonly key: string;
  readonly keyId: string;
  readonly teamId: string;
  /** The app's bundle id. */
  readonly topic: string;
  /** An origin. */
  readonly apiBase: string;
};

/** Who this server says it is to push services of browsers (RFC 8292). Keys as base64url, bare. */
export type VapidConfig = {
  readonly subject: string;
  readonly keys: { readonly publicKey: string; readonly privateKey: string } | undefined;
};

function isKeyOf(pem: string, type: 'ec' | 'rsa'): boolean {
  try {
    const key = createPrivateKey(pem);
    return (
      key.asymmetricKeyType === type &&
      (type === 'rsa' || key.asymmetricKeyDetails?.namedCurve === 'prime256v1')
    );
  } catch {
    return false;
  }
}

const serviceAccount = z.object({
  type: z.literal('service_account'),
  project_id: z.string().regex(/^[a-z0-9:.-]{1,100}$/),
  client_email: z.string().min(3),
  private_key: z.string().refine(pem => isKeyOf(pem, 'rsa')),
  token_uri: z.string().refine(isSafePage),
});

/** The service account in a JSON text; null when it is none. */
export function readServiceAccount(text: string): Omit<FcmConfig, 'apiBase'> | null {
  try {
    const account = serviceAccount.parse(JSON.parse(text));
    return {
      projectId: account.project_id,
      clientEmail: account.client_email,
      privateKey: account.private_key,
      tokenUri: account.token_uri,
    };
  } catch {
    return null;
  }
}

/** Whether a text is a private key for APNs: PEM, P-256. */
export const isApnsKey = (pem: string): boolean => isKeyOf(pem, 'ec');
