// A short date or time, with the full date in a tooltip.
import { formatFullDate, formatMessageDate } from '../../../lib/dates.ts';
import { t } from '../../../lib/language.ts';

/** Shows "Never" for null. */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return <>{t('Never')}</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={formatFullDate(date)} className="whitespace-nowrap">
      {formatMessageDate(date, new Date())}
    </time>
  );
}
