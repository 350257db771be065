// Page-level safeguards for open drafts: a confirmation before the page is closed with unsaved
// changes, and another save once the connection is back. Mounted once, with the composers.
import { useEffect } from 'react';
import { registerOpenWork } from '../../session/state/open-work.ts';
import { sessionStatus, useSessionStatus } from '../../session/state/session-state.ts';
import { type DraftState, isGoingOut } from './draft/draft-state.ts';
import { listClosing, listComposers, type OpenComposer } from './windows/composer-list.ts';

/** Returns whether closing the page now would lose something. */
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

/** Guards these drafts while mounted. */
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
    // The user has signed in again over the page: resume saving.
    if (status === 'in') saveFailedDrafts();
  }, [status]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      // Without a session nothing can be saved, and the next user to sign in gets a fresh page.
      const sessions = [...composers.map(({ session }) => session), ...listClosing()];
      if (sessionStatus() === 'in' && sessions.some(session => isUnsaved(session.state())))
        event.preventDefault();
    };
    // The last event guaranteed to be handled (phones terminate pages without further notice).
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
