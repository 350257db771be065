// Persists changes that wait for a connection beyond the page. Loaded once the list is rendered.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { isReachable } from '../../session/calls/reachability.ts';
import { COMPOSER_WARM_MS } from '../../timing.ts';

/** Runs the outbox while a user is signed in. */
export function useChangeOutbox(): void {
  const cache = useQueryClient();
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isGone = false;
    const timer = setTimeout(
      () => {
        loadChunk('outbox', () => import('../mail/state/change-outbox.ts')).then(
          ({ startChangeOutbox }) => {
            if (!isGone) stop = startChangeOutbox(cache);
          },
          () => undefined,
        );
        // Without a connection, any change may have to outlive the page.
      },
      isReachable() ? COMPOSER_WARM_MS : 0,
    );
    return () => {
      isGone = true;
      clearTimeout(timer);
      stop?.();
    };
  }, [cache]);
}
