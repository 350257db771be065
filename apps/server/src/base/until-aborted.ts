/**
 * Stops waiting for work that cannot be canceled itself, such as a lookup or a pending connection,
 * when a signal aborts. Base layer.
 */

/**
 * Resolves with the work's result; rejects with the signal's reason when the signal aborts first. A
 * later result is passed to `drop`.
 */
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
