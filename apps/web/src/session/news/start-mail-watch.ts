// Starts the mailbox watch, whose code is a separate chunk that nothing waits for.
import { loadAgain } from '../../lib/load-again.ts';

const watch = () => import('./mail-watch.ts');

/**
 * Starts watching for news once the chunk returned by `load` has arrived; returns a function that
 * stops it.
 */
export function startMailWatch(load: typeof watch = watch): () => void {
  let stop: (() => void) | null = null;
  let isWanted = true;
  const begin = async (): Promise<void> => {
    // Without news, a page would show an outdated list until it is reloaded.
    const { startWatch } = await loadAgain(load);
    if (isWanted) stop = startWatch();
  };
  // Without the chunk the page stays as it is; a reload, which the next screen requests, loads
  // both.
  begin().catch(() => undefined);
  return () => {
    isWanted = false;
    stop?.();
  };
}
