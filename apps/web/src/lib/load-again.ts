// Asks again for a part of the program whose connection broke. Browsers ask the server anew for a module that did not come,
// and remember one that came and failed while it ran.
import { CHUNK_RETRY_DELAYS_MS } from '../timing.ts';

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** What `load` gives in one of three tries; rejects as the last one did, or as `mayTryAgain` does. */
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
