// Where one acts on a notice of the service: links to pages of this program, which the notice does not choose.
import { Link } from 'react-router';
import { cn } from '../../../lib/class-names.ts';
import type { NoticeAction } from '../state/view-model.ts';

/** The links under a notice; nothing without any. */
export function NoticeActions({ actions }: { actions: readonly NoticeAction[] }) {
  if (actions.length === 0) return null;
  return (
    <div className="mt-4 flex flex-wrap gap-2 print:hidden">
      {actions.map(({ label, path, isAlarm }) => (
        <Link
          key={label}
          to={path}
          className={cn(
            'inline-flex h-9 items-center rounded-control border border-line-strong px-3.5 text-control font-semibold hover:bg-hover pointer-coarse:h-11',
            isAlarm ? 'text-danger' : 'text-ink',
          )}
        >
          {label}
        </Link>
      ))}
    </div>
  );
}
