/**
 * Kept alive, so that its memory can be measured and a second device can take over its index.
 * @type {Worker | undefined}
 */
let worker;

/** Runs a worker and returns its measurements. */
globalThis.measure = (what, count) =>
  new Promise(resolve => {
    worker ??= new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage({ what, count });
  });
