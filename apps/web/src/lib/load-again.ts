// Retries loading a part of the app after a broken connection. Browsers request a module again if
// it did not arrive, but they cache one that arrived and failed during evaluation.
import { CHUNK_RETRY_DELAYS_MS } from '../timing.ts';

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/**
 * Returns the result of `load` after up to three attempts. Rejects with the last error, or with
 * that of `mayTryAgain`.
 */
export async function loadAgain<T>(
  load: () => Promise<T>,
  mayTryAgain: (cause: unknown) => Promise<boolean> = async () => true,
): Promise<T> {
  for (const delayMs of CHUNK_RETRY_DELAYS_MS)
    try {
      return await load();
    } catch (cause) {
      await wait(delayMs);
      if (!(await mayTryAgain(cause))) throw cause;
    }
  return load();
}
