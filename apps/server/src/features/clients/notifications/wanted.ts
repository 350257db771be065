/**
 * Whether a device is notified of a message, according to its owner's preferences. Pure. Clients
 * apply the same rules to notifications of an open page.
 */
import type { PushPreferences } from '@keyfold/contract';
import { parseAddressList } from '@keyfold/mail/addresses';
import { readHeaderBlock } from '@keyfold/mail/mime/headers';

/** New message: a notice of the service, or a message with these stored headers. */
export type Arrived = { readonly isNotice: boolean; readonly headers: string };

const clockOf = (now: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
    now,
  );

/** Returns whether the time is within quiet hours, in the chosen time zone. */
export function isQuiet({ quiet }: Pick<PushPreferences, 'quiet'>, now: Date): boolean {
  if (quiet === null) return false;
  const { from, to } = quiet;
  const time = clockOf(now, quiet.time_zone);
  return from <= to ? from <= time && time < to : from <= time || time < to;
}

const isMention = (headers: string, own: ReadonlySet<string>): boolean =>
  readHeaderBlock(Buffer.from(headers, 'utf8'))
    .fields.filter(({ key }) => key === 'to')
    .flatMap(({ value }) => parseAddressList(value))
    .some(({ address }) => own.has(address.toLowerCase()));

/**
 * Returns whether a device is notified of a message. `own` are the user's addresses in lowercase.
 */
export const isWanted = (
  { newEmails, mentions, security }: PushPreferences,
  { isNotice, headers }: Arrived,
  own: ReadonlySet<string>,
): boolean => (isNotice ? security : newEmails || (mentions && isMention(headers, own)));
