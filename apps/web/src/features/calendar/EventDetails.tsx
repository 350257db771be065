// Details of the event in an invitation: the day, time, place, organizer, and further text.
// Untrusted texts are shown as plain text, never as markup (docs/spec-map.md 4, 8, 9).
import type { Moment } from '@keyfold/mail/ics/times';
import { Globe, Link2, MapPin, Repeat, TriangleAlert, UserRound, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { linkPath } from '../../paths.ts';
import { formatMoment, formatOwnZone, formatSpan, tileOf } from './event-dates.ts';
import { GuestList } from './GuestList.tsx';
import { type InviteView, withOwnAnswer } from './invite-view.ts';
import { stateWords } from './invite-words.ts';
import { repeatWords } from './repeat-words.ts';

const webAddress = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/i;

/**
 * Shows untrusted text with clickable URLs, such as the link of a video meeting. Each link leads
 * through the page that shows its target (docs/spec-map.md 2); everything else stays plain text.
 */
function LinkedText({ text }: { text: string }) {
  return text.split(webAddress).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never move
        key={index}
        href={linkPath(piece)}
        target="_blank"
        rel="noopener noreferrer"
        className="break-all text-accent-text underline underline-offset-2"
      >
        {piece}
      </a>
    ),
  );
}

/**
 * The day of an event as a calendar page, muted for past or canceled events. Hidden from screen
 * readers, because the full date is beside it.
 */
export function DateTile({ moment, isQuiet }: { moment: Moment; isQuiet: boolean }) {
  const { month, day } = tileOf(moment);
  return (
    <div
      aria-hidden
      className="h-[58px] w-[52px] shrink-0 overflow-hidden rounded-control border border-line bg-surface text-center"
    >
      <div
        className={cn(
          'text-[11px] leading-[19px] font-semibold tracking-wide',
          isQuiet ? 'bg-hover text-ink-2' : 'bg-danger-solid text-on-danger',
        )}
      >
        {month}
      </div>
      <div className="text-[22px] leading-[37px] font-strong tabular-nums">{day}</div>
    </div>
  );
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 text-control text-ink-2">
      <span aria-hidden className="mt-[3px] shrink-0">
        {icon}
      </span>
      <span className="min-w-0 break-words" dir="auto">
        {children}
      </span>
    </p>
  );
}

function When({ view }: { view: InviteView }) {
  const { invitation, kind } = view;
  const { start, end, next, repetition, replaces } = invitation;
  const shown = next ?? { start, end };
  const own = formatOwnZone(shown);
  return (
    <>
      <p className={cn('text-control font-medium', kind === 'cancelled' && 'line-through')}>
        <time dateTime={shown.start.isDate ? shown.start.local : shown.start.instant}>
          {formatSpan(shown.start, shown.end)}
        </time>
      </p>
      {own !== null && (
        <Line icon={<Globe size={15} />}>
          {t('{time} in {zone}', { time: own, zone: shown.start.zone ?? '' })}
        </Line>
      )}
      {start.isZoneUnknown && (
        <Line icon={<TriangleAlert size={15} />}>
          {t('Unknown time zone {zone}. The time is shown as if it were in your time zone.', {
            zone: start.zoneName ?? '?',
          })}
        </Line>
      )}
      {repetition !== null && <Line icon={<Repeat size={15} />}>{repeatWords(repetition)}</Line>}
      {replaces !== null && kind !== 'answered' && (
        <Line icon={<Repeat size={15} />}>
          {invitation.isFromThereOn
            ? t('This and all later events in the series, from {time}', { time: formatMoment(replaces) })
            : t('One event in a series, originally {time}', { time: formatMoment(replaces) })}
        </Line>
      )}
    </>
  );
}

/** Shows the event line by line. */
export function EventDetails({ view }: { view: InviteView }) {
  const { kind, invitation, title, description, joinLink, guests } = view;
  const { organizer, location, hasTime, comment } = invitation;
  const state = stateWords(view);
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1">
      {state !== '' && <p className="text-control font-semibold text-ink">{state}</p>}
      <h3
        dir="auto"
        className={cn(
          'align-as-page text-pane font-semibold break-words',
          kind === 'cancelled' && 'line-through',
        )}
      >
        {title || t('(No title)')}
      </h3>
      {hasTime && <When view={view} />}
      {location !== '' && (
        <Line icon={<MapPin size={15} />}>
          <LinkedText text={location} />
        </Line>
      )}
      {invitation.url !== null && invitation.url !== location && (
        <Line icon={<Link2 size={15} />}>
          <LinkedText text={invitation.url} />
        </Line>
      )}
      {joinLink !== null && (
        <Line icon={<Video size={15} />}>
          <LinkedText text={joinLink} />
        </Line>
      )}
      {organizer !== null && kind !== 'answered' && (
        <Line icon={<UserRound size={15} />}>
          {t('Organized by {name}', { name: organizer.name || organizer.address })}
        </Line>
      )}
      {kind !== 'answered' && kind !== 'counter' && (
        <GuestList guests={withOwnAnswer(guests, view.me, view.answer)} moreGuests={invitation.moreGuests} />
      )}
      {comment !== '' && (
        <p dir="auto" className="align-as-page text-control break-words whitespace-pre-line text-ink">
          {comment}
        </p>
      )}
      {description !== '' && kind !== 'answered' && (
        <p dir="auto" className="align-as-page mt-1 text-control break-words whitespace-pre-line text-ink-2">
          <LinkedText text={description} />
        </p>
      )}
      {invitation.moreEvents > 0 && (
        <p className="text-control text-ink-2">
          {t(
            '{count, plural, one {The file contains # more event.} other {The file contains # more events.}}',
            {
              count: invitation.moreEvents,
            },
          )}
        </p>
      )}
    </div>
  );
}
