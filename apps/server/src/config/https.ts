/**
 * The operator's settings for HTTPS of this server itself: certificates by ACME (RFC 8555) or from
 * files, and the ports. Without them a reverse proxy provides HTTPS. Base layer.
 */
import { z } from 'zod';
import { port } from './addresses.ts';
import { isSafeOrigin } from './safe-address.ts';

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';
const DEFAULT_PORT = 443;

export type AcmeConfig = {
  /** URL of the authority's directory. */
  readonly directoryUrl: string;
  /** Address to which the authority may write. */
  readonly contact: string;
  /** Binds the ACME account to an account with the authority, where it requires one. */
  readonly binding: { readonly kid: string; readonly hmacKey: string } | undefined;
};

export type HttpsConfig = {
  /** Undefined: all addresses of both families. */
  readonly host: string | undefined;
  readonly port: number;
  /** Port that answers ACME challenges and redirects everything else to HTTPS. */
  readonly redirectPort: number;
  /** Null: the certificate is in TLS_CERT_FILE. */
  readonly acme: AcmeConfig | null;
};

/** An ACME directory: https, or http on this machine. */
const directory = z
  .string()
  .refine(
    text => URL.canParse(text) && isSafeOrigin(new URL(text).origin),
    'must be an https:// URL, or http:// on this machine',
  );

/** Environment variables. */
export const httpsEnvironment = {
  KEYFOLD_TLS: z.enum(['off', 'acme', 'files'], { message: 'must be off, acme or files' }).default('off'),
  HTTPS_PORT: port(DEFAULT_PORT),
  HTTP_PORT: port(80),
  KEYFOLD_HTTPS_HOST: z.string().optional(),
  KEYFOLD_ACME_DIRECTORY: directory.default(LETS_ENCRYPT),
  KEYFOLD_ACME_CONTACT: z
    .string()
    .regex(/^[^\s@,;]+@[^\s@,;]+$/, 'must be an e-mail address')
    .optional(),
  KEYFOLD_ACME_KEY_ID: z.string().optional(),
  KEYFOLD_ACME_HMAC_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url, as the authority gives it')
    .optional(),
} as const;

type Given = z.output<z.ZodObject<typeof httpsEnvironment>>;

/** Reads the settings; null when a proxy provides HTTPS. `domain` is the primary domain. */
export function readHttpsConfig(given: Given, domain: string): HttpsConfig | null {
  if (given.KEYFOLD_TLS === 'off') return null;
  const { KEYFOLD_ACME_KEY_ID: kid, KEYFOLD_ACME_HMAC_KEY: hmacKey } = given;
  return Object.freeze({
    host: given.KEYFOLD_HTTPS_HOST,
    port: given.HTTPS_PORT,
    redirectPort: given.HTTP_PORT,
    acme:
      given.KEYFOLD_TLS === 'files'
        ? null
        : Object.freeze({
            directoryUrl: given.KEYFOLD_ACME_DIRECTORY,
            contact: given.KEYFOLD_ACME_CONTACT ?? `postmaster@${domain}`,
            binding: kid !== undefined && hmacKey !== undefined ? { kid, hmacKey } : undefined,
          }),
  });
}

/** Returns the URL of the web client where HTTPS is on and KEYFOLD_URL is not set. */
export const httpsUrlOf = ({ port: at }: HttpsConfig, hostname: string): string =>
  `https://${hostname}${at === DEFAULT_PORT || at === 0 ? '' : `:${at}`}`;

/** Returns a one-line reason why the settings contradict each other; null when they do not. */
export function findHttpsProblem(
  given: Given & { readonly TLS_CERT_FILE?: string | undefined; readonly KEYFOLD_URL?: string | undefined },
): string | null {
  const { KEYFOLD_TLS: tls, TLS_CERT_FILE: file, KEYFOLD_URL: url } = given;
  if ((given.KEYFOLD_ACME_KEY_ID === undefined) !== (given.KEYFOLD_ACME_HMAC_KEY === undefined))
    return given.KEYFOLD_ACME_KEY_ID === undefined
      ? 'KEYFOLD_ACME_HMAC_KEY: requires KEYFOLD_ACME_KEY_ID'
      : 'KEYFOLD_ACME_KEY_ID: requires KEYFOLD_ACME_HMAC_KEY';
  if (tls === 'off') return null;
  if (tls === 'files' && file === undefined) return 'KEYFOLD_TLS: files requires TLS_CERT_FILE';
  if (tls === 'acme' && file !== undefined)
    return 'KEYFOLD_TLS: acme excludes TLS_CERT_FILE; for your own certificate, set files';
  return url === undefined || url.startsWith('https:')
    ? null
    : 'KEYFOLD_URL: must begin with https:// when KEYFOLD_TLS is acme or files';
}
