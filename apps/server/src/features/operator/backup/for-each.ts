/** Concurrent processing of a stream of items. */

/**
 * Runs `work` on each item, `atOnce` of them concurrently. Rejects with the first failure, once all
 * have ended.
 */
export async function forEach<T>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  let hasFailed = false;
  const lane = async () => {
    for (;;) {
      const { value, done } = await iterator.next();
      if (done === true || hasFailed) return;
      await work(value);
    }
  };
  const lanes = Array.from({ length: atOnce }, () =>
    lane().catch(error => {
      hasFailed = true;
      throw error;
    }),
  );
  const ended = await Promise.allSettled(lanes);
  await iterator.return?.();
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}
