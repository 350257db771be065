/**
 * Batches look-ups: while one statement runs, new requests queue for the next. Nothing is cached,
 * so an answer is never older than its request. If a statement gets no answer for several seconds,
 * its requests and all that arrive before it ends are rejected with DatabaseBusy instead of waiting
 * longer.
 */
import { DatabaseBusy } from './resilient-pool.ts';

/** Maximum keys per statement. */
const GROUP_MAX = 200;
const PATIENCE_MS = 4_000;

type Question<T> = {
  readonly key: string;
  readonly resolve: (found: T | undefined) => void;
  readonly reject: (reason: unknown) => void;
};

/** Turns a look-up of many keys into a look-up of one key. */
export function createGroupLookup<T>(
  findMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  patienceMs: number = PATIENCE_MS,
): (key: string) => Promise<T | undefined> {
  let waiting: Question<T>[] = [];
  let isAsking = false;
  let isStuck = false;

  const giveUp = (group: readonly Question<T>[]): void => {
    isStuck = true;
    const late = [...group, ...waiting];
    waiting = [];
    for (const { reject } of late) reject(new DatabaseBusy('A database lookup timed out'));
  };

  const ask = async (): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP_MAX);
      waiting = waiting.slice(GROUP_MAX);
      const patience = setTimeout(giveUp, patienceMs, group);
      try {
        const found = await findMany([...new Set(group.map(({ key }) => key))]);
        for (const { key, resolve } of group) resolve(found.get(key));
      } catch (error) {
        for (const { reject } of group) reject(error);
      } finally {
        clearTimeout(patience);
        isStuck = false;
      }
    }
    isAsking = false;
  };

  return key =>
    new Promise((resolve, reject) => {
      if (isStuck) {
        reject(new DatabaseBusy('A database lookup timed out'));
        return;
      }
      waiting.push({ key, resolve, reject });
      if (!isAsking) void ask();
    });
}
