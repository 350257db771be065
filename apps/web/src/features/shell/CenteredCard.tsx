// The page of screens that stand alone (sign-in, signup, link): the brand over one card in the middle.
import type { ReactNode } from 'react';
import { Brand } from './Brand.tsx';

/** A centred card; scrolls when the window is too low. */
export function CenteredCard({ children }: { children: ReactNode }) {
  return (
    <div className="h-dvh overflow-auto bg-bg">
      <div className="grid min-h-full place-items-center p-6 max-pane:p-4">
        <div className="w-full max-w-[560px]">
          <Brand className="mb-6 justify-center" />
          <main className="rounded-card border border-line bg-surface p-8 shadow-mid max-pane:p-5">
            {children}
          </main>
        </div>
      </div>
    </div>
  );
}
