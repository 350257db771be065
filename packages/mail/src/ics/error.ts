// Why calendar data is not shown, and which of the three texts of docs/spec-map.md 8 says so. No message ever carries
// content. The choice is ours (docs/adr/0013-invitations.md): the specification names the texts alone.

/** Not calendar data at all; a calendar without an event; an event whose needed values are missing or unreadable. */
export type IcsErrorCode = 'not_calendar' | 'no_event' | 'bad_event';

/** The texts that stand under 'CALENDAR INVITATION'. */
export const ICS_ERROR_TEXTS: Readonly<Record<IcsErrorCode, string>> = {
  not_calendar: 'Invalid calendar data.',
  no_event: 'Event details could not be parsed.',
  bad_event: 'Error parsing event details.',
};

/** The only thing that reading a calendar file throws. */
export class IcsError extends Error {
  override readonly name = 'IcsError';
  readonly code: IcsErrorCode;

  constructor(code: IcsErrorCode) {
    super(ICS_ERROR_TEXTS[code]);
    this.code = code;
  }
}
