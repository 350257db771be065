// Long work as steps: a generator that yields its progress wherever other work may run. Does not
// depend on clocks.

/** Work that yields after each step; the yielded value is for its runner. */
export type Steps<Result, Told = unknown> = Generator<Told, Result>;

/** Runs all steps at once. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as Result;
  }
}

/**
 * Runs all steps in slices: `pause` receives each yielded value, and lets other work run when it
 * returns a promise.
 */
export async function runInSlices<Result, Told>(
  steps: Steps<Result, Told>,
  pause: (told: Told) => Promise<void> | null,
  step: (work: () => IteratorResult<Told, Result>) => IteratorResult<Told, Result> = work => work(),
): Promise<Result> {
  for (;;) {
    const { done, value } = step(() => steps.next());
    if (done) return value;
    const pausing = pause(value);
    if (pausing !== null) await pausing;
  }
}
