/**
 * Kept alive, so that its memory can be looked at and a second device can take its index over.
 * @type {Worker | undefined}
 */
let worker;

/** Runs a worker and hands out what it measured. */
globalThis.measure = (what, count) =>
  new Promise(resolve => {
    worker ??= new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage({ what, count });
  });
