/** Finds conflicts among the addresses at which this server is reached. Base layer. */
import { isIP } from 'node:net';
import { z } from 'zod';

type Ports = {
  readonly PORT: number;
  readonly SMTP_PORT: number;
  readonly METRICS_PORT: number;
  readonly HTTPS_PORT: number;
  readonly HTTP_PORT: number;
  readonly KEYFOLD_TLS: string;
};

/**
 * Returns a one-line description of two identical ports; null when there are none. Port 0, which
 * the system chooses, conflicts with nothing.
 */
export function findPortProblem(ports: Ports): string | null {
  const names = ['PORT', 'SMTP_PORT', 'METRICS_PORT'] as const;
  const used = ports.KEYFOLD_TLS === 'off' ? names : ([...names, 'HTTPS_PORT', 'HTTP_PORT'] as const);
  for (const [index, name] of used.entries()) {
    const before = used.slice(0, index);
    if (ports[name] !== 0 && before.some(other => ports[other] === ports[name]))
      return `${name}: must differ from ${before.join(' and ').replace(/ and (?=.* and )/g, ', ')}`;
  }
  return null;
}

/** Returns whether a URL consists of a host only; links in messages are built from it. */
export function isOrigin(url: string): boolean {
  const { pathname, search, hash, username, password } = new URL(url);
  return [pathname.replace(/^\/+$/, ''), search, hash, username, password].every(part => part === '');
}

/** A port to listen on; 0 lets the system choose. */
export const port = (fallback: number) =>
  z
    .string()
    .default(String(fallback))
    .refine(text => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port between 0 and 65535')
    .transform(Number);

/** A local IP address to listen on. */
export const ipAddress = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .refine(text => isIP(text) !== 0, 'must be an IP address, such as 127.0.0.1 or 0.0.0.0');

/**
 * The relying party of passkeys: the host of the web client's URL, and its origin (WebAuthn
 * §5.1.2).
 */
export type RelyingParty = { readonly rpId: string; readonly origin: string };

const BARE_NUMBER = /^(\[.*\]|[0-9.]+)$/;

/** Returns null when the host is an IP address, for which browsers create no passkeys. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin } = new URL(publicUrl);
  return BARE_NUMBER.test(hostname) ? null : Object.freeze({ rpId: hostname, origin });
}
