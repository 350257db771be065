/**
 * Whether a device is to be told of a mail, by what its owner chose. Pure; clients decide likewise about notifications of
 * an open page.
 */
import type { PushPreferences } from '@keyfold/contract';
import { parseAddressList } from '@keyfold/mail/addresses';
import { readHeaderBlock } from '@keyfold/mail/mime/headers';

/** A mail that came: a notice of the service, or one whose stored headers these are. */
export type Arrived = { readonly isNotice: boolean; readonly headers: string };

const clockOf = (now: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
    now,
  );

/** Whether it is an hour of rest, by the clock that was chosen. */
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

/** Whether a mail is worth telling of. `own` are the user's addresses, in small letters. */
export const isWanted = (
  { newEmails, mentions, security }: PushPreferences,
  { isNotice, headers }: Arrived,
  own: ReadonlySet<string>,
): boolean => (isNotice ? security : newEmails || (mentions && isMention(headers, own)));
