// Passes the list of this build's files to the service worker. Large files that few users need (the
// PDF engine) are left out; the worker caches them after the first fetch. The texts of other
// languages are listed separately: the worker caches those of the language in use.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/**
 * File name of the built worker. It is at the root of the site so that its scope covers the whole
 * site.
 */
export const serviceWorkerFile = 'service-worker.js';

const MOST_BYTES = 600_000;
const isLeftOut = (file: string): boolean => /\.map$|\.wasm$/.test(file) || file === serviceWorkerFile;
/** The names of chunks do not reveal catalogs, so they are recognized by their module. */
const catalogModule = /\/src\/locales\/([A-Za-z-]+)\.json$/;

/**
 * Returns the language whose catalog a file of the build is; null for any other file.
 * @throws Error when a chunk contains a catalog and other code, which would not be cached.
 */
function findLanguage(part: Rolldown.OutputAsset | Rolldown.OutputChunk): string | null {
  if (part.type !== 'chunk') return null;
  const [language] = part.moduleIds.flatMap(id => catalogModule.exec(id)?.[1] ?? []);
  if (language === undefined) return null;
  if (part.moduleIds.length > 1) throw new Error(`${part.fileName} contains more than a catalog`);
  return language;
}

/** Returns the plugin, for builds only. */
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
        const catalogs: Record<string, string> = {};
        const add = (file: string, content: string | Uint8Array) => {
          hash.update(file).update(content);
          files.push(`/${file}`);
        };
        for (const [file, part] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1))) {
          const content = part.type === 'chunk' ? part.code : part.source;
          const language = findLanguage(part);
          if (language !== null) catalogs[language] = `/${file}`;
          else if (!isLeftOut(file) && content.length <= MOST_BYTES) add(file, content);
        }
        for (const file of readdirSync(publicDir).sort())
          if (/\.(?:html|js|svg|webmanifest)$/.test(file))
            add(file, readFileSync(path.join(publicDir, file)));
        const shell = JSON.stringify({
          version: hash.digest('hex').slice(0, 16),
          page: createHash('sha256').update(page.source).digest('hex'),
          files,
          catalogs,
        });
        worker.code = `const SHELL = ${shell};\n${worker.code}`;
      },
    },
  };
}
