// The browser checks values with zod and never describes them, yet every schema of zod holds on to the half of the library
// that writes JSON Schema. That half is replaced by functions that do nothing; what they would fill stays undefined.
import type { Plugin } from 'vite';

const writers = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/;

/** The plugin; in built programs only. */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'keyfold-without-json-schema',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: writers },
      handler(code) {
        const names = [...code.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name);
        if (names.length === 0) throw new Error('zod has moved its JSON Schema: look at this plugin again');
        return {
          code: `const nothing = () => undefined;\nexport { ${names.map(name => `nothing as ${name}`).join(', ')} };`,
          map: null,
        };
      },
    },
  };
}
