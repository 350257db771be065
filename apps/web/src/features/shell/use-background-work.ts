// Background work of every signed-in screen: new mail, changes from other devices, rules for sealed
// mail, the service worker, the outbox, preloading the composer, and a draft that another program
// requested.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { loadAgain } from '../../lib/load-again.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { watchInstallation } from '../../platform/installation.ts';
import { startServiceWorker } from '../../platform/service-worker.ts';
import { newEmailsReceived } from '../../session/news/mail-news.ts';
import { startMailWatch } from '../../session/news/start-mail-watch.ts';
import { takeRequestedDraft } from '../../session/requested-draft.ts';
import { finishFirstStep } from '../../session/state/first-steps.ts';
import { COMPOSER_WARM_MS } from '../../timing.ts';
import { openComposer } from '../compose/windows/composers.ts';
import { followChanges } from '../mail/state/follow-changes.ts';
import { useChangeOutbox } from './use-change-outbox.ts';

/**
 * Applies the rules to sealed mail at start-up and whenever mail arrives. The code is loaded at
 * that time. `owner` is the id of the mailbox's public keys.
 */
function useSealedMailRules(owner: string): void {
  const cache = useQueryClient();
  useEffect(() => {
    const run = () => {
      loadChunk('rule-run', () => import('../rules/sealed-mail-rules.ts')).then(
        ({ runSealedMailRules }) => runSealedMailRules(cache, owner),
        () => undefined,
      );
    };
    const first = setTimeout(run, COMPOSER_WARM_MS);
    addEventListener(newEmailsReceived, run);
    return () => {
      clearTimeout(first);
      removeEventListener(newEmailsReceived, run);
    };
  }, [cache, owner]);
}

/**
 * Runs the background work. Returns whether the start-up phase, in which only visible content is
 * loaded, is over.
 */
export function useBackgroundWork(keyId: string, locationKey: string): boolean {
  useEffect(() => startMailWatch(), []);
  const [isSettled, setSettled] = useState(false);
  const cache = useQueryClient();
  useEffect(() => followChanges(cache), [cache]);
  useSealedMailRules(keyId);
  useEffect(() => {
    watchInstallation(() => finishFirstStep('phone'));
    return startServiceWorker();
  }, []);
  useChangeOutbox();
  useEffect(() => {
    const warming = setTimeout(() => {
      void loadAgain(() => import('../compose/LazyComposerWindow.tsx')).then(({ warmComposer }) =>
        warmComposer(),
      );
      setSettled(true);
    }, COMPOSER_WARM_MS);
    return () => clearTimeout(warming);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another may be wanted at each address
  useEffect(() => {
    const wanted = takeRequestedDraft();
    if (wanted === null) return;
    void loadAgain(() => import('../mail/reader/mailto.ts')).then(({ readMailto }) =>
      openComposer(readMailto(wanted)),
    );
  }, [locationKey]);
  return isSettled;
}
