// The guests of an event with their answers: counts on one line, all guests when expanded.
import type { Guest } from '@keyfold/mail/ics/guests';
import { Users } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { joinParts } from '../../lib/words.ts';
import { countWords, guestAnswerWord } from './invite-words.ts';

/** Maximum number of guests shown when expanded; a list of hundreds is not useful. */
const MAX_SHOWN = 50;

export type GuestListProps = {
  guests: readonly Guest[];
  /** Number of further guests in the file. */
  moreGuests: number;
};

/** One line that expands. */
export function GuestList({ guests, moreGuests }: GuestListProps) {
  const people = guests.filter(({ kind }) => kind === 'person' || kind === 'group');
  if (people.length === 0) return null;
  const total = people.length + moreGuests;
  const hidden = total - Math.min(people.length, MAX_SHOWN);
  return (
    <details className="group text-control text-ink-2">
      <summary className="-mx-1 flex cursor-pointer list-none items-start gap-2 rounded-control px-1 py-px hover:text-ink [&::-webkit-details-marker]:hidden">
        <Users aria-hidden size={15} className="mt-[3px] shrink-0" />
        <span className="min-w-0">
          <span className="underline decoration-line-strong underline-offset-2">
            {t('{count, plural, one {# guest} other {# guests}}', { count: total })}
          </span>
          {t(': ')}
          {countWords(people)}
        </span>
      </summary>
      <ul className="mt-1 flex flex-col gap-0.5 ps-[23px]">
        {people.slice(0, MAX_SHOWN).map((guest, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a guest may be listed twice, and the order never changes
          <li key={index} className="flex flex-wrap gap-x-2">
            <bdi className="min-w-0 break-words text-ink">{guest.name || guest.address}</bdi>
            <span>{joinParts([guestAnswerWord(guest), guest.role === 'optional' ? t('optional') : ''])}</span>
          </li>
        ))}
        {hidden > 0 && (
          <li>{t('{count, plural, one {and # more} other {and # more}}', { count: hidden })}</li>
        )}
      </ul>
    </details>
  );
}
