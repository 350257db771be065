// Removes the descriptions of the contract's endpoints from built programs, both the page and its
// workers. The server writes them into its OpenAPI document; the browser never shows them.
import type { Plugin } from 'vite';

const calls = /\/packages\/contract\/src\/[a-z-]+\.ts$/;
const description = /\babout:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`),/g;

/** Returns the plugin, for built programs only. */
export function withoutDescriptions(): Plugin {
  return {
    name: 'keyfold-without-descriptions',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: calls },
      handler: code => ({ code: code.replace(description, "about: '',"), map: null }),
    },
  };
}
