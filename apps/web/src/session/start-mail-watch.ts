// Begins the watch over the mailbox, whose program is a chunk of its own: nobody waits for it.

/** Starts watching for news once its chunk is there; returns the way to stop. */
export function startMailWatch(): () => void {
  let stop: (() => void) | null = null;
  let isWanted = true;
  const begin = async (): Promise<void> => {
    const { startWatch } = await import('./mail-watch.ts');
    if (isWanted) stop = startWatch();
  };
  // Without the chunk the page is as it was: a reload, which the next screen asks for, brings both.
  begin().catch(() => undefined);
  return () => {
    isWanted = false;
    stop?.();
  };
}
