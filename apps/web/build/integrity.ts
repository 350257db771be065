// Binds the start page to the program it was built with (Subresource Integrity). Each script and
// style sheet the page names carries its SHA-256, and an import map carries the hashes of all
// chunks that are fetched later, so a browser with the right page runs the right program or none.
// The page also contains its own policy, in addition to the server's header, so the right page
// stays as strict when another server delivers it. Workers and images have no such attribute; the
// service worker verifies them (src/service-worker.ts).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ownPolicy } from '@keyfold/contract/page-policy';
import type { Plugin } from 'vite';
import { serviceWorkerFile } from './service-worker.ts';

/** Returns the `sha256-…` of some bytes, in the form `integrity` takes. */
export const integrityOf = (content: string | Uint8Array): string =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`;

const tag = /<(?:script|link)\b[^>]*>/g;
/** Matches everything up to the declaration of the character encoding. */
const head = /<head>(?:\s*<meta charset="[^"]*" ?\/?>)?/;
const isBound = /<script\b|rel="(?:modulepreload|stylesheet)"/;

/**
 * Returns the page with an `integrity` for every script and style sheet, the import map before all
 * scripts, and the policy before everything else.
 * @throws Error when the page names a file whose hash `find` does not know, or contains an inline
 *   script.
 */
export function bindPage(
  html: string,
  find: (file: string) => string | undefined,
  chunks: readonly string[],
): string {
  const hashFor = (file: string): string => {
    const hash = find(file);
    if (hash === undefined) throw new Error(`The start page names ${file}, which is no file of the build`);
    return hash;
  };
  const bound = html.replace(tag, one => {
    if (!isBound.test(one)) return one;
    const file = /\b(?:src|href)="\/([^"]+)"/.exec(one)?.[1];
    if (file === undefined) throw new Error(`The start page has a script that is no file: ${one}`);
    // Under an Integrity-Policy the browser does not even fetch a script without this attribute.
    const mode = /\bcrossorigin\b/.test(one) ? '' : ' crossorigin';
    return one.replace(/\s*>$/, `${mode} integrity="${hashFor(file)}">`);
  });
  const integrity = Object.fromEntries([...chunks].sort().map(file => [`/${file}`, hashFor(file)]));
  const map = JSON.stringify({ integrity });
  const at = bound.search(/<script\b/);
  if (at < 0) throw new Error('The start page has no script');
  if (!head.test(bound)) throw new Error('The start page has no head');
  const policy = `<meta http-equiv="Content-Security-Policy" content="${ownPolicy([`'${integrityOf(map)}'`])}" />`;
  return `${bound.slice(0, at)}<script type="importmap">${map}</script>\n    ${bound.slice(at)}`.replace(
    head,
    start => `${start}\n    ${policy}`,
  );
}

/**
 * Returns the plugin, for builds only. It must run before the plugin that gives the service worker
 * the page's hash.
 */
export function bindStartPage(): Plugin {
  let publicDir = '';
  return {
    name: 'keyfold-integrity',
    apply: 'build',
    configResolved(config) {
      publicDir = config.publicDir;
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') return;
        const find = (file: string): string => {
          const part = bundle[file];
          if (part === undefined) return integrityOf(readFileSync(path.join(publicDir, file)));
          return integrityOf(part.type === 'chunk' ? part.code : part.source);
        };
        const chunks = Object.values(bundle)
          .filter(part => part.type === 'chunk' && part.fileName !== serviceWorkerFile)
          .map(part => part.fileName);
        page.source = bindPage(String(page.source), find, chunks);
      },
    },
  };
}
