// The link that answers an invitation without an account. All of its data is in the fragment, which
// browsers do not send: no server and no log ever sees the token (docs/adr/0013).
export type RsvpTicket = {
  readonly eventId: string;
  readonly token: string;
  /** Shown on the page; the organizer's own words, not authenticated. */
  readonly title: string;
  readonly when: string;
};

const MAX_SHOWN_CHARACTERS = 200;

/** Returns the link for one guest. */
export function rsvpLink(origin: string, { eventId, token, title, when }: RsvpTicket): string {
  const fields = new URLSearchParams({
    e: eventId,
    t: token,
    s: title.slice(0, MAX_SHOWN_CHARACTERS),
    w: when.slice(0, MAX_SHOWN_CHARACTERS),
  });
  return `${origin}/app/rsvp#${fields.toString()}`;
}

/** Parses a link's fragment; null when it is not such a link. */
export function readRsvpLink(hash: string): RsvpTicket | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const eventId = fields.get('e') ?? '';
  const token = fields.get('t') ?? '';
  if (eventId === '' || eventId.length > 255 || !/^[A-Za-z0-9_-]{16,1200}$/.test(token)) return null;
  const shown = (name: string) => (fields.get(name) ?? '').slice(0, MAX_SHOWN_CHARACTERS);
  return { eventId, token, title: shown('s'), when: shown('w') };
}
