/**
 * Builds the page of a benchmark and the workers it starts, with the product's own code in them.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Builds bench/NAME/page.mjs into `outDir` as page.js. */
export async function buildPage(name, outDir) {
  const root = fileURLToPath(new URL(`../${name}/`, import.meta.url));
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'esnext',
      rolldownOptions: { input: path.join(root, 'page.mjs'), output: { entryFileNames: 'page.js' } },
    },
    worker: { format: 'es' },
  });
}
