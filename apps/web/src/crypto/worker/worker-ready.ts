// The first message that a worker sends.

/** Reports that a worker's script has loaded and listens. */
export const workerReady = 'up';
