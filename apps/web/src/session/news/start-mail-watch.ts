// Begins the watch over the mailbox, whose program is a chunk of its own: nobody waits for it.
import { loadAgain } from '../../lib/load-again.ts';

const watch = () => import('./mail-watch.ts');

/** Starts watching for news once its chunk, which `load` gives, is there; returns the way to stop. */
export function startMailWatch(load: typeof watch = watch): () => void {
  let stop: (() => void) | null = null;
  let isWanted = true;
  const begin = async (): Promise<void> => {
    // A page that hears no news would show an old list until it is loaded anew.
    const { startWatch } = await loadAgain(load);
    if (isWanted) stop = startWatch();
  };
  // Without the chunk the page is as it was: a reload, which the next screen asks for, brings both.
  begin().catch(() => undefined);
  return () => {
    isWanted = false;
    stop?.();
  };
}
