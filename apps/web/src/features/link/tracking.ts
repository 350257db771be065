// Removes tracking parameters (utm_source, fbclid and similar) from an address. The rule list is
// large and is loaded when the link page is open. Makes no network requests; no address leaves the
// page.
import { TidyURL } from 'tidy-url';

/**
 * Returns the address without tracking parameters, or null when none were found or the result is
 * not a web address of the same site.
 */
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
  // A rule may rewrite an address in other ways, such as a trailing slash; accept changes of the
  // query and the fragment only.
  if (before.origin !== after.origin || before.pathname !== after.pathname) return null;
  return before.href === after.href ? null : after.href;
}
