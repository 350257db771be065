// A point in time, short, with all of it in a tooltip.
import { formatFullDate, formatMessageDate } from '../../../lib/dates.ts';
import { t } from '../../../lib/language.ts';

/** "Never" without one. */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return <>{t('Never')}</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatFullDate(date)} className="whitespace-nowrap">
      {formatMessageDate(date, new Date())}
    </time>
  );
}
