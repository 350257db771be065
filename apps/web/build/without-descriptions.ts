// Every call of the contract is described in a sentence, which the server writes into its OpenAPI document. The browser
// never shows them: built programs leave them out, the page and its workers alike.
import type { Plugin } from 'vite';

const calls = /\/packages\/contract\/src\/[a-z-]+\.ts$/;
const description = /\babout:\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`),/g;

/** The plugin; in built programs only. */
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
