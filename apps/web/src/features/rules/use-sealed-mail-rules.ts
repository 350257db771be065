// Applies the rules to sealed mail at start-up and whenever mail arrives. The code is loaded at
// that time, in the background.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { newEmailsReceived } from '../../session/news/mail-news.ts';
import { COMPOSER_WARM_MS } from '../../timing.ts';

/** `owner` is the id of the mailbox's public keys. */
export function useSealedMailRules(owner: string): void {
  const cache = useQueryClient();
  useEffect(() => {
    const run = () => {
      loadChunk('rule-run', () => import('./sealed-mail-rules.ts')).then(
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
