// Long work as steps: a generator that yields wherever others may go first, how far it is. Knows nothing of clocks.

/** Work that yields after each step; what it yields is for who runs it. */
export type Steps<Result, Told = unknown> = Generator<Told, Result>;

/** All of it at once. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value as Result;
  }
}

/** All of it in slices: `pause` hears what each step yields, and lets others go first where it gives a promise. */
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
