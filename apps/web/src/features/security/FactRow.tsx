// One fact of the overview: its status, its text, and a link to the page that changes it.
import { Check, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';

type FactRowProps = {
  /** Amber asks for an action; gray only informs, about features that the plan does not include. */
  state: 'well' | 'asks' | 'tells';
  title: string;
  text: ReactNode;
  /** Target and label of the action. */
  action?: { readonly path: string; readonly label: string };
};

const looks = {
  well: { Icon: Check, className: 'bg-success-bg text-success' },
  asks: { Icon: TriangleAlert, className: 'bg-warn-bg text-warn' },
  tells: { Icon: Info, className: 'bg-well text-ink-2' },
};

export function FactRow({ state, title, text, action }: FactRowProps) {
  const { Icon, className } = looks[state];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-4 last:border-b-0">
      <span className={cn('grid size-9 shrink-0 place-items-center rounded-full', className)}>
        <Icon aria-hidden size={17} />
      </span>
      <div className="min-w-40 flex-1">
        <div className="font-medium">{title}</div>
        <div className="text-control break-words text-ink-2">{text}</div>
      </div>
      {action !== undefined && (
        <Link
          to={action.path}
          aria-label={t('{what}: {why}', { what: action.label, why: title })}
          className="inline-flex min-h-8 items-center rounded-control border border-line-strong px-3 text-control font-semibold text-ink no-underline hover:bg-hover pointer-coarse:min-h-11"
        >
          {action.label}
        </Link>
      )}
    </li>
  );
}
