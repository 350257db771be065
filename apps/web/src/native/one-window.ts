// The program has one window in the shell of a phone: what opens another in a browser, such as the page that shows a link before
// it is followed, is shown in this one. Systems open addresses of other sites in their browser by themselves, and know nothing
// to do with ours.
import { isOwnAddress } from '../lib/own-address.ts';

/** The path of an address of this program, with its query and fragment; null for any other. */
function ownPath(address: string): string | null {
  if (!URL.canParse(address, location.href)) return null;
  const url = new URL(address, location.href);
  return isOwnAddress(url) ? url.pathname + url.search + url.hash : null;
}

/** Hands what would open another window with a page of ours to `go`. */
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
