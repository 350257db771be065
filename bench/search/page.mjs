/** Runs a worker and hands out what it measured. */
globalThis.measure = (what, count) =>
  new Promise(resolve => {
    // Kept alive, so that its memory can be looked at and a second device can take its index over.
    globalThis.worker ??= new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
    const { worker } = globalThis;
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage({ what, count });
  });
