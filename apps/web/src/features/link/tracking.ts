// Takes what only tells who comes from where (utm_source, fbclid and their kind) out of an address. The list of rules is
// large and is fetched when the link page is open. Nothing is asked over the network, and no address leaves the page.
import { TidyURL } from 'tidy-url';

/** The address without what tracks, or null when nothing was found or what is left is no web address of the same site. */
export function withoutTracking(address: string): string | null {
  // The library writes to the console unless `silent` is false.
  TidyURL.config.setMany({
    silent: false,
    allowAMP: true,
    allowRedirects: false,
    allowCustomHandlers: false,
  });
  let cleaned: string;
  try {
    cleaned = TidyURL.clean(address).url;
  } catch {
    return null;
  }
  if (cleaned === address || !URL.canParse(cleaned) || !URL.canParse(address)) return null;
  const [before, after] = [new URL(address), new URL(cleaned)];
  // A rule may rewrite an address in other ways, such as a trailing slash; only its query and fragment are to change.
  if (before.origin !== after.origin || before.pathname !== after.pathname) return null;
  return before.href === after.href ? null : after.href;
}
