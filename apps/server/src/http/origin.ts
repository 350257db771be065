/**
 * Tells a request that our own page made from one that another site made with our user's cookies (docs/interpretations.md#34,
 * #35). It reads Sec-Fetch-Site where the browser sends it, else compares Origin with Host; programs that are no browsers send
 * neither and carry no user's cookies by accident.
 */
import type { IncomingHttpHeaders } from 'node:http';

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);

/** Whether the page behind a request is ours. `host` is the name under which the service was addressed. */
export function isSameOrigin(headers: IncomingHttpHeaders, host: string, publicUrl: string): boolean {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return true;
  if (origin === undefined) return site === undefined;
  const from = hostOf(origin);
  if (from === null) return false;
  // A page on another port of this host is `same-site`: only the exact origin counts.
  return from === host || origin === new URL(publicUrl).origin;
}

/** Whether a GET that changes state was asked for by a script of our page: not by a link, an image or a prefetch. */
export function isDeliberateFetch(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-purpose'] !== undefined || headers.purpose === 'prefetch') return false;
  const destination = headers['sec-fetch-dest'];
  return destination === undefined || destination === 'empty';
}
