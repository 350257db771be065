// The draft that another program requested: `/app/compose`, with a mailto link in the fragment,
// which is never sent to a server, or in the query. Read from the address once and consumed after
// sign-in. It never stays in the address, because Back would open the draft again.

let wanted: string | null = null;

/** Stores the mailto link of a query, which servers have seen already; does nothing without one. */
export function requestDraft(query: URLSearchParams): void {
  wanted = query.get('mailto') ?? wanted;
}

/** Reads the page's address; call once, before the first screen. */
export function noteRequestedDraft({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): void {
  if (pathname.replace(/\/$/, '') !== '/app/compose') return;
  try {
    wanted = decodeURIComponent(/^#mailto=(.*)$/.exec(hash)?.[1] ?? '');
  } catch {
    wanted = '';
  }
}

/**
 * Returns the mailto link, empty for a blank draft, or null if none was requested. Later calls
 * return null.
 */
export function takeRequestedDraft(): string | null {
  const taken = wanted;
  wanted = null;
  return taken;
}
