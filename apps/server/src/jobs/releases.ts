/**
 * Releases held messages when they are due: immediately for those this process held, at the next
 * poll for those of another. Several processes may do so concurrently; features/outbound/sending
 * decides which messages are released, and how.
 */
import type { Deps } from '../context/deps.ts';
import { createReleaser, onHeld } from '../features/outbound/sending/index.ts';

export type ReleaseOptions = {
  /** Interval at which held messages are polled without a signal. */
  readonly pollMs?: number;
};

const POLL_MS = 2_000;
/**
 * A due message that this worker cannot claim belongs to another worker: polled again after this
 * delay.
 */
const BUSY_WAIT_MS = 100;
/** Concurrent releases: many messages are scheduled for the same full hour. */
const LANES = 3;

export type RunningReleases = { readonly close: () => Promise<void> };

/** Starts releasing; `close` waits for releases in progress. */
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
      deps.logger.warn({ err: error }, 'could not check held mail');
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
