// What a worker says first.

/** Says that a worker's program has come and hears. */
export const workerReady = 'up';
