// The address under which everybody else knows this server. In a browser the page came from it; in the shell of a phone the page
// has an address of its own, which means nothing elsewhere, and the shell keeps the server's (ADR 38).
import { isNative } from '../../native/is-native.ts';

/** Where the shell keeps it, as an origin. */
const keptAt = 'server_address';

/** Scheme, host and port; for links that are given to others. */
export function serverOrigin(): string {
  const kept = isNative() ? localStorage.getItem(keptAt) : null;
  return kept !== null && URL.canParse(kept) ? new URL(kept).origin : location.origin;
}
