// External mail by day as columns, and the same data as a table for screen readers and users who
// prefer numbers. Drawn with SVG attributes: the page's policy allows no inline styles.
import type { SecurityStats } from '@keyfold/contract';
import { formatDay } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';
import { columnsOf, scaleTop } from './arrival-bars.ts';

const WIDTH = 600;
const HEIGHT = 120;

/**
 * Formats a UTC day from the server as the user writes dates. Noon falls on the same day in nearly
 * all time zones.
 */
const dayText = (date: string): string => formatDay(new Date(`${date}T12:00:00Z`));

function Legend() {
  return (
    <div aria-hidden className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-meta text-ink-2">
      <span className="flex items-center gap-1.5">
        <svg aria-hidden className="size-2.5">
          <rect width="100%" height="100%" className="fill-accent" />
        </svg>
        {t('Not marked as spam')}
      </span>
      <span className="flex items-center gap-1.5">
        <svg aria-hidden className="size-2.5">
          <rect width="100%" height="100%" className="fill-danger-solid" />
        </svg>
        {t('Spam')}
      </span>
    </div>
  );
}

function DayTable({ days }: { days: SecurityStats['days'] }) {
  const cell = 'border-b border-line px-3 py-1.5 text-end tabular-nums';
  return (
    <details className="mt-3">
      <summary className="w-fit cursor-pointer rounded-control text-control font-medium text-accent-text pointer-coarse:py-3">
        {t('Daily numbers')}
      </summary>
      <section
        aria-label={t('Daily numbers')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by keys
        tabIndex={0}
        className="mt-2 max-h-80 overflow-auto rounded-card border border-line"
      >
        <table className="w-full border-collapse text-control">
          <thead className="sticky top-0 bg-surface text-meta text-ink-3">
            <tr>
              <th scope="col" className={`${cell} text-start font-semibold`}>
                {t('Day')}
              </th>
              <th scope="col" className={`${cell} font-semibold`}>
                {t('Received')}
              </th>
              <th scope="col" className={`${cell} font-semibold`}>
                {t('Spam')}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ date, received, flagged }) => (
              <tr key={date}>
                <th scope="row" className={`${cell} text-start font-normal`}>
                  {dayText(date)}
                </th>
                <td className={cell}>{formatCount(received)}</td>
                <td className={cell}>{formatCount(flagged)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** Renders the chart with its table. */
export function ArrivalChart({ days, totals }: Pick<SecurityStats, 'days' | 'totals'>) {
  const first = days[0]?.date;
  const last = days.at(-1)?.date;
  return (
    <section aria-labelledby="arrivals-by-day" className="mt-8">
      <h2 id="arrivals-by-day" className="mb-3 text-pane font-semibold">
        {t('Mail from other providers by day')}
      </h2>
      <div className="flex items-stretch gap-2">
        <div aria-hidden className="flex flex-col justify-between text-end text-meta text-ink-3 tabular-nums">
          <span>{formatCount(scaleTop(days))}</span>
          <span>0</span>
        </div>
        <svg
          role="img"
          aria-label={t(
            '{received} received, {flagged} marked as spam. The daily numbers are in the table below.',
            {
              received: totals.received,
              flagged: totals.flagged,
            },
          )}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="block h-40 min-w-0 flex-1 border-y border-line rtl:-scale-x-100"
        >
          {columnsOf(days, WIDTH, HEIGHT).map(({ date, x, width: wide, flagged, rest }) => (
            <g key={date}>
              <rect x={x} width={wide} y={rest.y} height={rest.height} className="fill-accent" />
              <rect x={x} width={wide} y={flagged.y} height={flagged.height} className="fill-danger-solid" />
            </g>
          ))}
        </svg>
      </div>
      {first !== undefined && last !== undefined && (
        <div aria-hidden className="mt-1 flex justify-between ps-6 text-meta text-ink-3">
          <span>{dayText(first)}</span>
          <span>{dayText(last)}</span>
        </div>
      )}
      <Legend />
      <DayTable days={days} />
    </section>
  );
}
