/**
 * Sends what waits in one queue of pushes: so many at a time, at once when somebody says that there is something, else when
 * the next is due, and now and then for what other processes have queued.
 */
import type { Deps } from '../context/deps.ts';
import type { PushQueue } from '../features/clients/notifications/index.ts';

const WAIT_MIN_MS = 100;

export type PushWorkerPool = {
  readonly wake: () => void;
  /** Waits for what is sent now. */
  readonly close: () => Promise<void>;
};

export function startWorkerPool(
  { clock, logger }: Pick<Deps, 'clock' | 'logger'>,
  { atOnce, pushNext, nextDueAt }: PushQueue,
  lookEveryMs: number,
): PushWorkerPool {
  const lanes = new Set<Promise<unknown>>();
  let isClosing = false;
  let wakes = 0;
  let busy = 0;
  let timer: NodeJS.Timeout | undefined;

  const sendAll = async (): Promise<void> => {
    try {
      while (!isClosing) {
        const seen = wakes;
        // Woken meanwhile, it looks once more: what was queued then may have come after it looked.
        if (!(await pushNext()) && seen === wakes) return;
      }
    } finally {
      busy--;
    }
  };
  const findWaitMs = async (): Promise<number> => {
    const dueAt = await nextDueAt();
    if (dueAt === null) return lookEveryMs;
    return Math.min(lookEveryMs, Math.max(WAIT_MIN_MS, dueAt.getTime() - clock.now().getTime()));
  };
  const run = async (): Promise<void> => {
    let waitMs = lookEveryMs;
    try {
      await sendAll();
      if (busy > 0 || isClosing) return;
      waitMs = await findWaitMs();
    } catch (error) {
      logger.warn({ err: error }, 'waiting pushes could not be looked at');
    }
    if (busy > 0 || isClosing) return;
    clearTimeout(timer);
    timer = setTimeout(wake, waitMs);
    timer.unref();
  };
  const wake = (): void => {
    if (isClosing) return;
    wakes++;
    clearTimeout(timer);
    while (busy < atOnce) {
      busy++;
      const lane: Promise<unknown> = run().finally(() => lanes.delete(lane));
      lanes.add(lane);
    }
  };

  return {
    wake,
    close: async () => {
      isClosing = true;
      clearTimeout(timer);
      await Promise.all(lanes);
    },
  };
}
