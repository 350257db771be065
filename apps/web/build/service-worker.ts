// Tells the service worker which files this build is made of. Large ones that few people need (the PDF engine, the words
// of other languages) are left out: they are kept once they were fetched.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

/** Name of the built worker, at the root of the site so that it may answer for all of it. */
export const serviceWorkerFile = 'service-worker.js';

const MOST_BYTES = 600_000;
const isLeftOut = (file: string): boolean => /\.map$|\.wasm$|locale/.test(file) || file === serviceWorkerFile;

/** The plugin; in builds only. */
export function serviceWorkerFiles(): Plugin {
  let publicDir = '';
  return {
    name: 'keyfold-service-worker',
    apply: 'build',
    configResolved(config) {
      publicDir = config.publicDir;
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = bundle[serviceWorkerFile];
        if (worker?.type !== 'chunk') return;
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The service worker was built without its start page');
        const hash = createHash('sha256');
        const files: string[] = [];
        const add = (file: string, content: string | Uint8Array) => {
          hash.update(file).update(content);
          files.push(`/${file}`);
        };
        for (const [file, part] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1))) {
          const content = part.type === 'chunk' ? part.code : part.source;
          if (!isLeftOut(file) && content.length <= MOST_BYTES) add(file, content);
        }
        for (const file of readdirSync(publicDir).sort())
          if (/\.(?:html|js|svg|webmanifest)$/.test(file))
            add(file, readFileSync(path.join(publicDir, file)));
        const shell = JSON.stringify({
          version: hash.digest('hex').slice(0, 16),
          page: createHash('sha256').update(page.source).digest('hex'),
          files,
        });
        worker.code = `const SHELL = ${shell};\n${worker.code}`;
      },
    },
  };
}
