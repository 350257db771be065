// The phone shell has a single window: pages that open another window in a browser, such as the
// page that shows a link before it is followed, are shown in this one. The system opens addresses
// of other sites in its browser, but cannot handle ours.
import { isOwnAddress } from '../lib/own-address.ts';

/**
 * Returns the path of an address of this app with its query and fragment, or null for any other
 * address.
 */
function ownPath(address: string): string | null {
  if (!URL.canParse(address, location.href)) return null;
  const url = new URL(address, location.href);
  return isOwnAddress(url) ? url.pathname + url.search + url.hash : null;
}

/** Passes to `go` the path of each page of this app that would open in another window. */
export function keepOneWindow(go: (path: string) => void): void {
  const openElsewhere = window.open.bind(window);
  window.open = (address, ...rest) => {
    const path = address === undefined ? null : ownPath(String(address));
    if (path === null) return openElsewhere(address, ...rest);
    go(path);
    return null;
  };
  addEventListener('click', event => {
    const link = (event.target as Element | null)?.closest?.<HTMLAnchorElement>('a[href][target="_blank"]');
    const path = event.defaultPrevented || !link ? null : ownPath(link.href);
    if (path === null) return;
    event.preventDefault();
    go(path);
  });
}
