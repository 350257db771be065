/** Starts the worker, so that everything measured runs off the main thread as in the product. */
globalThis.measure = rounds =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => (data.failure ? reject(new Error(data.failure)) : resolve(data.times));
    worker.onerror = event => reject(new Error(event.message));
    worker.postMessage(rounds);
  });
