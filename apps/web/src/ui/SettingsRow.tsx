// One setting: its name, one sentence, and the control.
import type { ReactNode } from 'react';
import { cn } from '../lib/class-names.ts';

type SettingsRowProps = {
  label: string;
  text?: ReactNode;
  /** On a phone, puts the control on a separate line. */
  wide?: boolean;
  children: ReactNode;
};

/** A line of a settings page. */
export function SettingsRow({ label, text, wide = false, children }: SettingsRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b border-line py-4 last:border-b-0">
      <div className="min-w-48 flex-1">
        <div className="font-medium">{label}</div>
        {text !== undefined && <div className="text-control text-ink-2">{text}</div>}
      </div>
      <div className={cn('min-w-0', wide && 'max-pane:basis-full')}>{children}</div>
    </div>
  );
}
