// What open letters need of the page: a question before it goes away with something unsaved, and another save once the
// connection is back. Mounted once, with the composers.
import { useEffect } from 'react';
import { registerOpenWork } from '../../session/state/open-work.ts';
import { sessionStatus, useSessionStatus } from '../../session/state/session-state.ts';
import { type DraftState, isGoingOut } from './draft/draft-state.ts';
import { listClosing, listComposers, type OpenComposer } from './windows/composer-list.ts';

/** Whether leaving now would lose something. */
export const isUnsaved = ({ save, files, phase }: Pick<DraftState, 'save' | 'files' | 'phase'>): boolean =>
  isGoingOut(phase) ||
  save.kind === 'changed' ||
  save.kind === 'saving' ||
  save.kind === 'failed' ||
  files.some(({ stage }) => stage === 'encrypting' || stage === 'uploading');

function saveFailedDrafts(): void {
  for (const { session } of listComposers())
    if (session.state().save.kind === 'failed') void session.saveNow();
}

/** Guards these letters while mounted. */
export function useDraftGuards(composers: readonly OpenComposer[]): void {
  const status = useSessionStatus();
  useEffect(
    () =>
      registerOpenWork({
        isOpen: () => listComposers().length > 0,
        keep: () => Promise.all(listComposers().map(({ session }) => session.keepNow())),
      }),
    [],
  );
  useEffect(() => {
    // Somebody has signed in again over the page: saving goes on.
    if (status === 'in') saveFailedDrafts();
  }, [status]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      // Without a session nothing can be saved any more, and whoever signs in next gets a fresh page.
      const sessions = [...composers.map(({ session }) => session), ...listClosing()];
      if (sessionStatus() === 'in' && sessions.some(session => isUnsaved(session.state())))
        event.preventDefault();
    };
    // The last moment in which something is certain to be done (phones end pages without another word).
    const keep = () => {
      if (document.visibilityState === 'hidden') for (const { session } of composers) void session.keepNow();
    };
    addEventListener('beforeunload', ask);
    document.addEventListener('visibilitychange', keep);
    addEventListener('online', saveFailedDrafts);
    return () => {
      removeEventListener('beforeunload', ask);
      document.removeEventListener('visibilitychange', keep);
      removeEventListener('online', saveFailedDrafts);
    };
  }, [composers]);
}
