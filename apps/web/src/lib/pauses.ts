// Splits long work on the main thread into slices, between which the browser handles input and
// paints. Knows nothing about the work. docs/interface.md#speed: no task over 50 ms.

type Scheduler = { readonly yield?: () => Promise<void> };

/** Lets everything that waits for the main thread run first. */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: Scheduler };
  return scheduler?.yield?.() ?? new Promise(resolve => setTimeout(resolve));
}

/**
 * Returns a function to call between steps of work. It returns null until `sliceMs` milliseconds of
 * work have passed, else a promise to await. The promise rejects with the signal's reason once the
 * signal is aborted.
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
