/**
 * Concurrency limiter: limits simultaneous operations per user and overall; further operations wait
 * in a queue.
 */
import { AppError } from '@keyfold/contract/errors';

export type OwnerLimiter = { readonly take: <T>(owner: string, work: () => Promise<T>) => Promise<T> };

export type OwnerLimits = {
  readonly perOwner: number;
  readonly inAll: number;
  /** Maximum number of waiting operations per owner. */
  readonly waitingPerOwner: number;
};

type Waiting = { readonly owner: string; readonly start: () => void };

/** Creates a limiter. `take` throws rate_limited when too many operations are already waiting. */
export function createOwnerLimiter({ perOwner, inAll, waitingPerOwner }: OwnerLimits): OwnerLimiter {
  const running = new Map<string, number>();
  const waiting: Waiting[] = [];
  let total = 0;
  const runningOf = (owner: string): number => running.get(owner) ?? 0;
  const hasRoom = (owner: string): boolean => total < inAll && runningOf(owner) < perOwner;
  const begin = (owner: string): void => {
    total += 1;
    running.set(owner, runningOf(owner) + 1);
  };
  const end = (owner: string): void => {
    total -= 1;
    const left = runningOf(owner) - 1;
    if (left > 0) running.set(owner, left);
    else running.delete(owner);
    const at = waiting.findIndex(one => hasRoom(one.owner));
    const [next] = at < 0 ? [] : waiting.splice(at, 1);
    if (next === undefined) return;
    // Reserves the slot for the waiting operation before any other can take it.
    begin(next.owner);
    next.start();
  };
  return {
    take: async (owner, work) => {
      if (hasRoom(owner)) begin(owner);
      else {
        if (waiting.filter(one => one.owner === owner).length >= waitingPerOwner)
          throw new AppError('rate_limited', { retryAfterSeconds: 5 });
        await new Promise<void>(resolve => waiting.push({ owner, start: resolve }));
      }
      try {
        return await work();
      } finally {
        end(owner);
      }
    },
  };
}
