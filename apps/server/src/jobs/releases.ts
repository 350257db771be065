/**
 * Lets held mail go when it is due: at once for what this process held, at the next look for what another did. Several
 * processes may do so; which mail goes, and how, is features/outbound/sending's.
 */
import type { Deps } from '../context/deps.ts';
import { createReleaser, onHeld } from '../features/outbound/sending/index.ts';

export type ReleaseOptions = {
  /** How often the held mail is looked at without being woken. */
  readonly pollMs?: number;
};

const POLL_MS = 2_000;
/** What is due and not ours is in another worker's hands: looked at again after this. */
const BUSY_WAIT_MS = 100;
/** Releases at one time: many mails are scheduled for the same full hour. */
const LANES = 3;

export type RunningReleases = { readonly close: () => Promise<void> };

/** Starts to release; `close` waits for the releases that run now. */
export function startReleases(deps: Deps, { pollMs = POLL_MS }: ReleaseOptions = {}): RunningReleases {
  const releaser = createReleaser(deps);
  let isClosing = false;
  let isRunning = false;
  let isWoken = false;
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const empty = async (): Promise<void> => {
    while (!isClosing && (await releaser.releaseNext()));
  };
  const look = async (): Promise<number> => {
    await Promise.all(Array.from({ length: LANES }, empty));
    const dueAt = await releaser.nextDueAt();
    if (dueAt === null) return pollMs;
    const waitMs = dueAt.getTime() - deps.clock.now().getTime();
    return Math.min(pollMs, waitMs > 0 ? waitMs : BUSY_WAIT_MS);
  };
  const run = async (): Promise<void> => {
    isRunning = true;
    let waitMs = pollMs;
    try {
      do {
        isWoken = false;
        waitMs = await look();
      } while (isWoken && !isClosing);
    } catch (error) {
      deps.logger.warn({ err: error }, 'held mail could not be looked at');
    } finally {
      isRunning = false;
    }
    if (isClosing) return;
    timer = setTimeout(wake, waitMs);
    timer.unref();
  };
  const wake = (): void => {
    clearTimeout(timer);
    if (isClosing) return;
    if (isRunning) isWoken = true;
    else running = run();
  };
  const stopListening = onHeld(deps.db, wake);
  wake();
  return {
    close: async () => {
      isClosing = true;
      clearTimeout(timer);
      stopListening();
      await running;
    },
  };
}
