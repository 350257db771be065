// Layout of standalone screens (sign-in, sign-up, link, errors): the brand above one centered card.
import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { Brand } from './Brand.tsx';

/**
 * Renders a centered card around `children` or the nested route. It scrolls when the window is too
 * low.
 */
export function CenteredLayout({ children }: { children?: ReactNode }) {
  return (
    <div className="h-dvh overflow-auto bg-bg pt-(--inset-top) pb-(--inset-bottom)">
      <div className="grid min-h-full grid-cols-[minmax(0,1fr)] place-items-center p-6 max-pane:p-4">
        <div className="w-full max-w-[560px]">
          <Brand className="mb-6 justify-center" />
          <main className="rounded-card border border-line bg-surface p-8 shadow-mid max-pane:p-5">
            {children ?? <Outlet />}
          </main>
        </div>
      </div>
    </div>
  );
}
