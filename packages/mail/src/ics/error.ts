// Why calendar data is not shown, and which of the three texts of docs/spec-map.md 8 applies. No
// error contains content. The assignment is Keyfold's (docs/adr/0013-invitations.md): the
// specification only gives the texts.

/**
 * Not calendar data at all; a calendar without an event; an event whose required values are missing
 * or unreadable.
 */
export type IcsErrorCode = 'not_calendar' | 'no_event' | 'bad_event';

/** The texts shown under 'CALENDAR INVITATION'. */
export const ICS_ERROR_TEXTS: Readonly<Record<IcsErrorCode, string>> = {
  not_calendar: 'Invalid calendar data.',
  no_event: 'Event details could not be parsed.',
  bad_event: 'Error parsing event details.',
};

/** The only error that the calendar reader throws. */
export class IcsError extends Error {
  override readonly name = 'IcsError';
  readonly code: IcsErrorCode;

  constructor(code: IcsErrorCode) {
    super(ICS_ERROR_TEXTS[code]);
    this.code = code;
  }
}
