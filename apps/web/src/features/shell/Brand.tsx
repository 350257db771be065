// The name and the logo: an envelope whose flap folds down into a keyhole.
import { useId } from 'react';
import { cn } from '../../lib/class-names.ts';

/** The logo, `size` pixels square. */
export function BrandMark({ size = 26 }: { size?: number }) {
  const id = useId();
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
      <defs>
        <linearGradient id={id} x1="6" y1="0" x2="24" y2="32" gradientUnits="userSpaceOnUse">
          <stop stopColor="#4C78F2" />
          <stop offset="1" stopColor="#1E43B8" />
        </linearGradient>
      </defs>
      <rect width="32" height="32" rx="9" fill={`url(#${id})`} />
      <path
        d="M6.5 10.5l7.3 5.9M25.5 10.5l-7.3 5.9M6.5 10.5a2 2 0 0 1 2-2h15a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2z"
        fill="none"
        stroke="#fff"
        strokeWidth="1.9"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle cx="16" cy="15.6" r="2.5" fill="#fff" />
      <path d="M16 17.2v3.6" stroke="#fff" strokeWidth="2.1" strokeLinecap="round" />
    </svg>
  );
}

/** Logo and name; on a narrow rail only the logo. */
export function Brand({ markOnly = false, className }: { markOnly?: boolean; className?: string }) {
  return (
    <div className={cn('flex items-center gap-2.5 text-pane font-strong tracking-tight', className)}>
      <BrandMark />
      <span className={cn(markOnly && 'sr-only')}>Keyfold</span>
    </div>
  );
}
