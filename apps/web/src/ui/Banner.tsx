// A strip with a notice about its page and the actions for it.
import type { ReactNode } from 'react';
import { cn } from '../lib/class-names.ts';

const tones = {
  neutral: 'bg-well text-ink-2',
  info: 'bg-selected text-accent-text',
  secure: 'bg-secure-bg text-secure',
  warn: 'bg-warn-bg text-warn',
  danger: 'bg-danger-bg text-danger',
} as const;

type BannerProps = {
  tone: keyof typeof tones;
  icon: ReactNode;
  /** Bold first line; without it only the children are shown. */
  title?: ReactNode;
  /** Buttons at the end of the line. */
  actions?: ReactNode;
  /** Buttons under the text. */
  below?: ReactNode;
  role?: 'alert' | 'status' | undefined;
  children?: ReactNode;
};

export function Banner({ tone, icon, title, actions, below, role, children }: BannerProps) {
  return (
    <div
      role={role}
      className={cn(
        'flex gap-x-2.5 gap-y-1 rounded-control px-3 py-2 text-control max-pane:flex-wrap',
        title === undefined ? 'items-center' : 'items-start',
        tones[tone],
      )}
    >
      <span aria-hidden className={cn('shrink-0', title !== undefined && 'mt-px')}>
        {icon}
      </span>
      <div className="min-w-0 flex-1 basis-40">
        {title !== undefined && <div className="font-semibold">{title}</div>}
        <div className={cn('wrap-anywhere', title === undefined && 'font-medium')}>{children}</div>
        {below !== undefined && <div className="mt-2 flex flex-wrap gap-2">{below}</div>}
      </div>
      {actions !== undefined && <div className="flex shrink-0 flex-wrap gap-1">{actions}</div>}
    </div>
  );
}
