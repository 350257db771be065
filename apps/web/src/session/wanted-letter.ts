// The letter that another program asked for when it opened this page: `/app/compose`, with a mail link in the fragment,
// which no server sees. Remembered before the router looks at the address, and taken once somebody is signed in.

let wanted: string | null = null;

/** Looks at the page's address; call once, before the first screen. */
export function noteWantedLetter({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): void {
  // A link in the query is read where the screens are; it has been in an address that servers see already.
  if (new URLSearchParams(search).has('mailto')) return;
  if (pathname.replace(/\/$/, '') !== '/app/compose') return;
  try {
    wanted = decodeURIComponent(/^#mailto=(.*)$/.exec(hash)?.[1] ?? '');
  } catch {
    wanted = '';
  }
}

/** The mail link, empty for a blank letter, or null when none was asked for; the second look finds nothing. */
export function takeWantedLetter(): string | null {
  const taken = wanted;
  wanted = null;
  return taken;
}
