// A short status in a pill: "Offline", "Found", "Admin".
import type { ReactNode } from 'react';
import { cn } from '../lib/class-names.ts';

const tones = {
  neutral: 'bg-well text-ink-2',
  info: 'bg-selected text-accent-text',
  secure: 'bg-secure-bg text-secure',
  success: 'bg-success-bg text-success',
  warn: 'bg-warn-bg text-warn',
  danger: 'bg-danger-bg text-danger',
} as const;

export function Badge({ tone = 'neutral', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={cn(
        'inline-flex h-[22px] items-center gap-1.5 rounded-full px-2 text-meta font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
