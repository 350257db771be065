// Where a search stands in the address: in the fragment, `#q=...`, because a browser sends the query part of an address to
// the server at every reload, and what people look for is nobody's business. Knows no router.

const start = '#q=';

/** The search that a fragment holds; '' for none. */
export function searchOf(hash: string): string {
  if (!hash.startsWith(start)) return '';
  try {
    return decodeURIComponent(hash.slice(start.length));
  } catch {
    return '';
  }
}

/** The fragment of a search; '' for none. */
export const hashOf = (search: string): string =>
  search.trim() === '' ? '' : `${start}${encodeURIComponent(search)}`;
