/**
 * Sends the pushes of one queue with limited concurrency: immediately on a signal, otherwise when
 * the next one is due, and periodically for pushes that other processes have queued.
 */
import type { Deps } from '../context/deps.ts';
import type { PushQueue } from '../features/clients/notifications/index.ts';

const WAIT_MIN_MS = 100;

export type PushWorkerPool = {
  readonly wake: () => void;
  /** Waits for the pushes being sent. */
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
        // A signal during the query requires another one: a push may have been queued after the
        // query ran.
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
      logger.warn({ err: error }, 'could not check pending pushes');
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
