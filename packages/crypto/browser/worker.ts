// Worker of the Chromium tests: runs the known-answer tests with the requested primitives and
// reports the results. Built as an ES module (worker.format), so that the JavaScript primitives
// stay separate files, as in the client.

import { loadPrimitives, type PrimitiveChoice, setPrimitives } from '../src/primitives/select.ts';
import { runVectors, type VectorResult } from './vector-run.ts';

/** Report of the worker. */
export type WorkerAnswer = VectorResult & {
  readonly hasSubtle: boolean;
};

async function fetchFile(name: string): Promise<Response> {
  const response = await fetch(`/vectors/${name}`);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

addEventListener('message', (event: MessageEvent<PrimitiveChoice>) => {
  void (async () => {
    try {
      setPrimitives(await loadPrimitives(event.data));
      const result = await runVectors({
        json: async name => (await fetchFile(name)).json(),
        bytes: async name => new Uint8Array(await (await fetchFile(name)).arrayBuffer()),
      });
      postMessage({ ...result, hasSubtle: crypto.subtle !== undefined });
    } catch (error) {
      postMessage({ checked: 0, failures: [String(error)], hasSubtle: false });
    }
  })();
});
