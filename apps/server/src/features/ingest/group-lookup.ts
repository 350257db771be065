/**
 * Looks things up for many at once: while one statement is under way, further questions gather for the next. Nothing is
 * remembered, so an answer is never older than its question.
 */

/** Questions that one statement carries. */
const GROUP_MAX = 200;

type Question<T> = {
  readonly key: string;
  readonly resolve: (found: T | undefined) => void;
  readonly reject: (reason: unknown) => void;
};

/** Turns a look-up of many keys into one of a single key. */
export const createGroupLookup = <T>(
  findMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): ((key: string) => Promise<T | undefined>) => {
  let waiting: Question<T>[] = [];
  let isAsking = false;

  const ask = async (): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP_MAX);
      waiting = waiting.slice(GROUP_MAX);
      try {
        const found = await findMany([...new Set(group.map(({ key }) => key))]);
        for (const { key, resolve } of group) resolve(found.get(key));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isAsking = false;
  };

  return key =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!isAsking) void ask();
    });
};
