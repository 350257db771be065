// Long work on the main thread, cut up: between two slices the browser handles input and paints. Knows nothing of what
// the work is. docs/interface.md#speed: no task over 50 ms.

type Scheduler = { readonly yield?: () => Promise<void> };

/** Lets everything that waits for the main thread go first. */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: Scheduler };
  return scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve));
}

/**
 * A function to call between steps of work: null while less than `sliceMs` milliseconds were worked, else a promise to
 * wait for. It rejects with the signal's reason once that is aborted.
 */
export function createPauses(sliceMs: number, signal: AbortSignal): () => Promise<void> | null {
  let sinceMs = performance.now();
  return () => {
    if (performance.now() - sinceMs < sliceMs) return null;
    return nextTask().then(() => {
      signal.throwIfAborted();
      sinceMs = performance.now();
    });
  };
}
