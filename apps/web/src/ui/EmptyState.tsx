// Placeholder for a list with nothing to show: the reason, and one action.
import type { ReactNode } from 'react';
import { cn } from '../lib/class-names.ts';

type EmptyStateProps = {
  icon: ReactNode;
  title: string;
  text: ReactNode;
  action?: ReactNode;
  tone?: 'neutral' | 'danger';
  role?: 'alert' | undefined;
};

/** A centered block with an icon, a sentence and an action. */
export function EmptyState({ icon, title, text, action, tone = 'neutral', role }: EmptyStateProps) {
  return (
    <div role={role} className="grid h-full place-items-center p-8 text-center">
      <div className="max-w-72">
        <div
          aria-hidden
          className={cn(
            'mx-auto mb-4 grid size-14 place-items-center rounded-dialog [&_svg]:size-[26px] [&_svg]:stroke-[1.6]',
            tone === 'danger' ? 'bg-danger-bg text-danger' : 'bg-well text-ink-3',
          )}
        >
          {icon}
        </div>
        <h2 className="mb-1 text-pane font-semibold">{title}</h2>
        <div className="text-control text-ink-2">{text}</div>
        {action !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
      </div>
    </div>
  );
}
