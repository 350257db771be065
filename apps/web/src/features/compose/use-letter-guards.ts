// What open letters need of the page: a question before it goes away with something unsaved, and another save once the
// connection is back. Mounted once, with the composers.
import { useEffect } from 'react';
import { sessionStatus } from '../../session/session-state.ts';
import type { OpenComposer } from './composers.ts';
import type { DraftState } from './draft-state.ts';

/** Whether leaving now would lose something. */
export const isUnsaved = ({
  save,
  files,
  isSending,
}: Pick<DraftState, 'save' | 'files' | 'isSending'>): boolean =>
  isSending ||
  save.kind === 'changed' ||
  save.kind === 'saving' ||
  save.kind === 'failed' ||
  files.some(({ stage }) => stage === 'encrypting' || stage === 'uploading');

/** Guards these letters while mounted. */
export function useLetterGuards(composers: readonly OpenComposer[]): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      // Without a session nothing can be saved any more, and whoever signs in next gets a fresh page.
      if (sessionStatus() === 'in' && composers.some(({ session }) => isUnsaved(session.state())))
        event.preventDefault();
    };
    const saveFailed = () => {
      for (const { session } of composers) if (session.state().save.kind === 'failed') void session.saveNow();
    };
    addEventListener('beforeunload', ask);
    addEventListener('online', saveFailed);
    return () => {
      removeEventListener('beforeunload', ask);
      removeEventListener('online', saveFailed);
    };
  }, [composers]);
}
