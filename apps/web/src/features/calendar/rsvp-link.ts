// The link that answers an invitation without an account. All of it stands in the fragment, which browsers send to nobody:
// no server and no log ever sees the token (docs/adr "Invitations").
export type RsvpTicket = {
  readonly eventId: string;
  readonly token: string;
  /** Shown on the page; the organiser's words, proved by nobody. */
  readonly title: string;
  readonly when: string;
};

const MAX_SHOWN_CHARACTERS = 200;

/** The link for one guest. */
export function rsvpLink(origin: string, { eventId, token, title, when }: RsvpTicket): string {
  const fields = new URLSearchParams({
    e: eventId,
    t: token,
    s: title.slice(0, MAX_SHOWN_CHARACTERS),
    w: when.slice(0, MAX_SHOWN_CHARACTERS),
  });
  return `${origin}/app/rsvp#${fields.toString()}`;
}

/** What a link's fragment holds; null when it is no such link. */
export function readRsvpLink(hash: string): RsvpTicket | null {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const eventId = fields.get('e') ?? '';
  const token = fields.get('t') ?? '';
  if (eventId === '' || eventId.length > 255 || !/^[A-Za-z0-9_-]{16,1200}$/.test(token)) return null;
  const shown = (name: string) => (fields.get(name) ?? '').slice(0, MAX_SHOWN_CHARACTERS);
  return { eventId, token, title: shown('s'), when: shown('w') };
}
