// Layout of every signed-in screen: sidebar (full, rail, or drawer on a phone), top bar, the
// screen, bottom bar and compose button. Knows widths and slots, not their content.
import { PenLine } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { usePhone, useWide } from '../../lib/media.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Sidebar, type SidebarProps } from './Sidebar.tsx';

const Drawer = lazy(async () => ({
  default: (await loadChunk('drawer', () => import('../../ui/Drawer.tsx'))).Drawer,
}));

export type ShellProps = {
  sidebar: Omit<SidebarProps, 'isRail'>;
  /** TopBar. */
  top: ReactNode;
  /** BottomBar, shown only on a phone. */
  bottom: ReactNode;
  /** The content that the drawer was opened for; null while it is closed. */
  drawer: 'menu' | 'tags' | null;
  onCloseDrawer: () => void;
  /** Banners above the screen: recovery kit, new version. */
  banner?: ReactNode;
  /** The composers. */
  overlay?: ReactNode;
  /**
   * A conversation is open. On a phone it covers everything, so the other buttons are then out of
   * reach of the keyboard and screen readers too.
   */
  isReading: boolean;
  /** The mail screen is shown, with the compose button for phones. */
  hasFab: boolean;
  children: ReactNode;
};

export function Shell(props: ShellProps) {
  const { sidebar, top, bottom, drawer, onCloseDrawer, banner, overlay, isReading, hasFab, children } = props;
  const isPhone = usePhone();
  const isWide = useWide();
  return (
    <>
      <SkipLink target="list">{hasFab ? t('Skip to message list') : t('Skip to content')}</SkipLink>
      <div className="grid h-dvh grid-cols-[minmax(0,1fr)] pt-(--inset-top) pr-(--inset-right) pl-(--inset-left) pane:grid-cols-[56px_minmax(0,1fr)] wide:grid-cols-[232px_minmax(0,1fr)] print:block print:h-auto">
        {!isPhone && (
          <div className="min-h-0 border-e border-line print:hidden">
            <Sidebar {...sidebar} isRail={!isWide} />
          </div>
        )}
        <div className="flex min-h-0 min-w-0 flex-col">
          <div className="contents" inert={isPhone && isReading}>
            {top}
            {banner}
          </div>
          <main tabIndex={-1} className="min-h-0 flex-1 -outline-offset-2">
            {children}
          </main>
          {isPhone && (
            <div className="contents" inert={isReading}>
              {bottom}
            </div>
          )}
        </div>
      </div>
      {isPhone && drawer !== null && (
        <Suspense>
          <Drawer
            open
            onClose={onCloseDrawer}
            title={t('Menu')}
            startAt={drawer === 'tags' ? drawer : undefined}
          >
            <Sidebar {...sidebar} isRail={false} onNavigate={onCloseDrawer} />
          </Drawer>
        </Suspense>
      )}
      {isPhone && hasFab && !isReading && (
        <IconButton
          tip={false}
          variant="fab"
          size="none"
          label={t('Compose')}
          data-keep-clear
          onClick={sidebar.onCompose}
          className="fixed end-4 bottom-[calc(72px+var(--inset-bottom))] z-10 short:bottom-3 short:size-11 [:root:has([data-selecting])_&]:hidden"
        >
          <PenLine size={22} />
        </IconButton>
      )}
      {overlay}
    </>
  );
}

/** A link that is visible only while it has the focus. */
function SkipLink({ target, children }: { target: string; children: string }) {
  return (
    <a
      href={`#${target}`}
      onClick={event => {
        // The hash is used for the shell's deep links, so the jump is done in code.
        event.preventDefault();
        const element = document.getElementById(target);
        element?.focus();
        // The target is not on this screen, or is hidden beside the open item: focus the screen
        // instead.
        if (element === null || document.activeElement !== element) document.querySelector('main')?.focus();
      }}
      className="sr-only print:hidden focus-visible:not-sr-only focus-visible:fixed focus-visible:start-3 focus-visible:top-3 focus-visible:z-60 focus-visible:rounded-control focus-visible:bg-raised focus-visible:px-3 focus-visible:py-2 focus-visible:font-medium focus-visible:shadow-mid"
    >
      {children}
    </a>
  );
}
