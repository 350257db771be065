// Asks the rules about sealed mail when the program has started and whenever mail arrives. The code behind it is fetched
// then, beside what is on the screen.
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
