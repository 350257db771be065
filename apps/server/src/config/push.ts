/**
 * The operator's settings for push services, and the validation of configured keys. Base layer:
 * opens no connection.
 */
import { createPrivateKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { isSafePage } from './safe-address.ts';

/** A Firebase service account. `privateKey` is PEM, RSA; `tokenUri` exchanges it for a token. */
export type FcmConfig = {
  readonly projectId: string;
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly tokenUri: string;
  /** An origin. */
  readonly apiBase: string;
};

/** An Apple key for one app. `key` is PEM, P-256. */
export type ApnsConfig = {
  readonly key: string;
  readonly keyId: string;
  readonly teamId: string;
  /** The app's bundle id. */
  readonly topic: string;
  /** An origin. */
  readonly apiBase: string;
};

/** This server's identity for browsers' push services (RFC 8292). Keys are unpadded base64url. */
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

/** Parses a service account from JSON; returns null when it is invalid. */
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

/** Returns whether a text is a private key for APNs: PEM, P-256. */
export const isApnsKey = (pem: string): boolean => isKeyOf(pem, 'ec');

type FcmSettings = { readonly FCM_CREDENTIALS?: string | undefined; readonly FCM_API_BASE: string };

type ApnsSettings = {
  readonly APNS_KEY_FILE?: string | undefined;
  readonly APNS_KEY_ID?: string | undefined;
  readonly APNS_TEAM_ID?: string | undefined;
  readonly APNS_TOPIC?: string | undefined;
  readonly APNS_API_BASE: string;
};

function readFileOf(name: 'APNS_KEY_FILE' | 'FCM_CREDENTIALS', file: string): string {
  if (!existsSync(file)) throw new ConfigError(`${name}: file not found`);
  return readFileSync(file, 'utf8');
}

/**
 * FCM_CREDENTIALS is a file's path or its JSON content. JSON begins with a brace, which no real
 * path does.
 */
export function readFcm({
  FCM_CREDENTIALS: given,
  FCM_API_BASE: apiBase,
}: FcmSettings): FcmConfig | undefined {
  if (given === undefined) return undefined;
  const isContent = given.trimStart().startsWith('{');
  const account = readServiceAccount(isContent ? given : readFileOf('FCM_CREDENTIALS', given));
  if (account === null)
    throw new ConfigError('FCM_CREDENTIALS: must be the JSON key of a Firebase service account, or its file');
  return Object.freeze({ ...account, apiBase: new URL(apiBase).origin });
}

export function readApns(e: ApnsSettings): ApnsConfig | undefined {
  if (!(e.APNS_KEY_FILE && e.APNS_KEY_ID && e.APNS_TEAM_ID && e.APNS_TOPIC)) return undefined;
  const key = readFileOf('APNS_KEY_FILE', e.APNS_KEY_FILE);
  if (!isApnsKey(key)) throw new ConfigError('APNS_KEY_FILE: must contain a private key from Apple (.p8)');
  const { APNS_KEY_ID: keyId, APNS_TEAM_ID: teamId, APNS_TOPIC: topic } = e;
  return Object.freeze({ key, keyId, teamId, topic, apiBase: new URL(e.APNS_API_BASE).origin });
}
