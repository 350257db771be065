/**
 * Leaves work that cannot be ended itself as soon as a signal says so: a look-up, a connection on its way. Ground.
 */

/** The work's result; rejects with the signal's reason when that is first. What comes afterwards is handed to `drop`. */
export const untilAborted = <T>(
  work: Promise<T>,
  signal: AbortSignal,
  drop: (late: T) => void = () => undefined,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    work.then(
      value => {
        signal.removeEventListener('abort', leave);
        if (signal.aborted) drop(value);
        resolve(value);
      },
      error => {
        signal.removeEventListener('abort', leave);
        reject(error);
      },
    );
  });
