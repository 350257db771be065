/**
 * What contradicts itself among the addresses at which this server is reached. Ground.
 */
import { isIP } from 'node:net';
import { z } from 'zod';

type Ports = { readonly PORT: number; readonly SMTP_PORT: number; readonly METRICS_PORT: number };

/** Two ports that are one, as one line; null when there are none. Any port of the system's choice, 0, differs from all. */
export function findPortProblem({ PORT, SMTP_PORT, METRICS_PORT }: Ports): string | null {
  const taken = [PORT, SMTP_PORT].filter(port => port !== 0);
  if (PORT !== 0 && PORT === SMTP_PORT) return 'SMTP_PORT: must differ from PORT';
  return taken.includes(METRICS_PORT) ? 'METRICS_PORT: must differ from PORT and SMTP_PORT' : null;
}

/** Whether a URL is one of a host alone, under which everything else is: links in mail are made from it. */
export function isOrigin(url: string): boolean {
  const { pathname, search, hash, username, password } = new URL(url);
  return [pathname.replace(/^\/+$/, ''), search, hash, username, password].every(part => part === '');
}

/** An IP address of this machine to listen on. */
export const ipAddress = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .refine(text => isIP(text) !== 0, 'must be an IP address, such as 127.0.0.1 or 0.0.0.0');

/** Whose passkeys are: the host of the web client's address, and its origin (WebAuthn §5.1.2). */
export type RelyingParty = { readonly rpId: string; readonly origin: string };

const BARE_NUMBER = /^(\[.*\]|[0-9.]+)$/;

/** Null under a bare number instead of a name, where browsers make no passkeys. */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin } = new URL(publicUrl);
  return BARE_NUMBER.test(hostname) ? null : Object.freeze({ rpId: hostname, origin });
}
