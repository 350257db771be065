// The letter that another program asked for: `/app/compose`, with a mail link in the fragment, which no server sees, or in the
// query. Remembered while the address is looked at, and taken once somebody is signed in. It never stays in an address: Back
// would bring the letter once more.

let wanted: string | null = null;

/** Remembers the mail link of a query, which has been in an address that servers see already; nothing without one. */
export function requestDraft(query: URLSearchParams): void {
  wanted = query.get('mailto') ?? wanted;
}

/** Looks at the page's address; call once, before the first screen. */
export function noteRequestedDraft({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): void {
  if (pathname.replace(/\/$/, '') !== '/app/compose') return;
  try {
    wanted = decodeURIComponent(/^#mailto=(.*)$/.exec(hash)?.[1] ?? '');
  } catch {
    wanted = '';
  }
}

/** The mail link, empty for a blank letter, or null when none was asked for; the second look finds nothing. */
export function takeRequestedDraft(): string | null {
  const taken = wanted;
  wanted = null;
  return taken;
}
