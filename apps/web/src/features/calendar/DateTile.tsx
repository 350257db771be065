// The day of an event as a leaf of a calendar. The full date stands beside it, so it is hidden from screen readers.
import type { Moment } from '@keyfold/mail/ics/times';
import { cn } from '../../lib/class-names.ts';
import { tileOf } from './event-dates.ts';

/** Month over day; quiet for events that are over or called off. */
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
