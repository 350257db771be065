// One number with its name and a note.
import { cn } from '../lib/class-names.ts';
import { Skeleton } from './Skeleton.tsx';

type StatCardProps = {
  label: string;
  /** null while loading; a dash if unavailable. */
  value: string | null;
  note?: string;
  /** Read out beside the number, which is shown in the danger color. */
  warning?: string | undefined;
};

/** For use inside a definition list. */
export function StatCard({ label, value, note, warning }: StatCardProps) {
  return (
    <div className="min-w-40 flex-1 rounded-card border border-line bg-surface p-4">
      <dt className="text-control text-ink-2">{label}</dt>
      <dd>
        {value === null ? (
          <Skeleton className="mt-1 h-7 w-24" />
        ) : (
          <div
            className={cn(
              'text-number font-semibold tracking-tight tabular-nums',
              warning !== undefined && 'text-danger',
            )}
          >
            {value}
            {warning !== undefined && <span className="sr-only">, {warning}</span>}
          </div>
        )}
        <div className="text-meta text-ink-3">{note}</div>
      </dd>
    </div>
  );
}
