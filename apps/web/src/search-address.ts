// The search in the page's address. It is in the fragment, `#q=...`, because a browser sends the
// query part of an address to the server at every reload, and search terms are private. Independent
// of the router.

const start = '#q=';

/** Returns the search in a fragment; '' for none. */
export function searchOf(hash: string): string {
  if (!hash.startsWith(start)) return '';
  try {
    return decodeURIComponent(hash.slice(start.length));
  } catch {
    return '';
  }
}

/** Returns the fragment of a search; '' for none. */
export const hashOf = (search: string): string =>
  search.trim() === '' ? '' : `${start}${encodeURIComponent(search)}`;
