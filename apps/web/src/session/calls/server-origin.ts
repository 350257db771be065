// The public address of this server. In a browser it is the page's origin. In the native shell, the
// page has an origin that means nothing elsewhere, so the shell stores the server's (ADR 38).
import { isNative } from '../../native/is-native.ts';

/** Key under which the shell stores the server's origin. */
const keptAt = 'server_address';

/** Returns scheme, host and port, for links that are shared with others. */
export function serverOrigin(): string {
  const kept = isNative() ? localStorage.getItem(keptAt) : null;
  return kept !== null && URL.canParse(kept) ? new URL(kept).origin : location.origin;
}
