// Reads calendar files inside the key worker, off the main thread: they are untrusted input and may
// be slow to parse. A file that cannot be shown yields the corresponding text (docs/spec-map.md 8),
// never an error.
import { IcsError, type IcsErrorCode } from '@keyfold/mail/ics/error';
import { type Invitation, readInvitation } from '@keyfold/mail/ics/invitation';

export type CalendarFile = { readonly bytes: Uint8Array; readonly method: string | null };

export type ReadInvite =
  | { readonly kind: 'read'; readonly invitation: Invitation }
  | { readonly kind: 'refused'; readonly reason: IcsErrorCode };

/** Reads each file as of `now` in this time zone (IANA). */
export async function readInvites(
  files: readonly CalendarFile[],
  zone: string,
  now: Date,
): Promise<ReadInvite[]> {
  return files.map(({ bytes, method }): ReadInvite => {
    try {
      return { kind: 'read', invitation: readInvitation(bytes, { now, zone, method }) };
    } catch (error) {
      return { kind: 'refused', reason: error instanceof IcsError ? error.code : 'bad_event' };
    }
  });
}
