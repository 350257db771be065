// The frame of one settings page: title, introduction, and one column.
import type { ReactNode } from 'react';
import { cn } from '../lib/class-names.ts';
import { usePageTitle } from '../lib/page-title.ts';

type SettingsPageProps = {
  title: string;
  text?: ReactNode;
  /** Shown beside the title. */
  action?: ReactNode;
  /**
   * Whether the page has no controls; the page itself is then focusable, so that it can be scrolled
   * by keyboard.
   */
  isText?: boolean;
  children: ReactNode;
};

/** A page at most 920 pixels wide. */
export function SettingsPage({ title, text, action, isText = false, children }: SettingsPageProps) {
  usePageTitle(title);
  return (
    <div
      id="list"
      tabIndex={isText ? 0 : -1}
      {...(isText ? { role: 'region', 'aria-label': title } : {})}
      className={cn(
        'h-full overflow-auto outline-none',
        isText && 'focus-visible:-outline-offset-2 focus-visible:outline-2 focus-visible:outline-focus',
      )}
    >
      <div className="mx-auto max-w-[920px] px-6 py-8 max-pane:px-4 max-pane:py-5 max-pane:pb-24">
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <h1 className="min-w-0 flex-1 text-page font-semibold tracking-tight">{title}</h1>
          {action}
        </div>
        {text !== undefined && <p className="mb-4 max-w-[68ch] text-ink-2">{text}</p>}
        {children}
      </div>
    </div>
  );
}
