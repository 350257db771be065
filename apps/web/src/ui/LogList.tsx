// An activity log, newest first: the action, its actor, its target and the time, with a button that
// loads older entries.
import { formatFullDate } from '../lib/dates.ts';
import { t } from '../lib/language.ts';
import { Button } from './Button.tsx';

export type LogLine = {
  id: string;
  /** ISO 8601. */
  at: string;
  deed: string;
  by: string;
  /** The person concerned; null if there is none. */
  subject: string | null;
  lines: readonly string[];
};

type LogListProps = {
  label: string;
  lines: readonly LogLine[];
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore: () => void;
};

export function LogList({ label, lines, hasMore, isLoadingMore, onMore }: LogListProps) {
  return (
    <>
      <ul aria-label={label} className="rounded-card border border-line bg-surface">
        {lines.map(line => (
          <li
            key={line.id}
            className="flex flex-wrap gap-x-4 gap-y-1 border-b border-line px-4 py-3 text-control last:border-b-0"
          >
            <div className="min-w-40 flex-1 wrap-anywhere">
              <div className="font-medium">{line.deed}</div>
              <div className="text-ink-2">{t('by {who}', { who: line.by })}</div>
            </div>
            <div className="min-w-40 flex-1 text-ink-2 wrap-anywhere">
              {line.subject !== null && <div className="text-ink">{line.subject}</div>}
              {line.lines.map(text => (
                <div key={text}>
                  <bdi>{text}</bdi>
                </div>
              ))}
            </div>
            <time dateTime={line.at} className="text-meta whitespace-nowrap text-ink-3 tabular-nums">
              {formatFullDate(new Date(line.at))}
            </time>
          </li>
        ))}
      </ul>
      {hasMore && (
        <div className="mt-4 flex justify-center">
          <Button variant="outline" busy={isLoadingMore} onClick={onMore}>
            {t('Show older entries')}
          </Button>
        </div>
      )}
    </>
  );
}
