// Replaces parts of libraries that this program never uses, and that no bundler can detect as
// unused, with functions that do nothing: zod's JSON Schema writer, its compiler (forbidden by the
// page's policy, session/calls/schema-mode.ts) and its English error messages (the browser only
// validates, and shows its own texts), and react-router's instrumentation and its components for
// pages that a server renders (unused here).
import type { Plugin } from 'vite';

const halves =
  /\/(?:zod\/v4\/core\/(?:to-json-schema|json-schema-processors|doc)|zod\/v4\/locales\/en|react-router\/dist\/production\/lib\/(?:router\/instrumentation|dom\/ssr\/components))\.js$/;

/**
 * What react-router's links and its provider need of its components for server-rendered pages, as
 * it behaves without such a page: no context, nothing prefetched, and one ref instead of two.
 */
const ssrComponents: Readonly<Record<string, string>> = {
  FrameworkContext: 'createContext(undefined)',
  usePrefetchBehavior: '() => [false, null, {}]',
  mergeRefs: 'ref => ref',
};

/** Returns every name that a module exports, including `default`. */
function exportedNames(code: string): string[] {
  const declared = [...code.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name);
  const listed = [...code.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names]) =>
    (names ?? '').split(',').map(name => name.trim().split(' as ').at(-1)),
  );
  const other = /^export default /m.test(code) ? ['default'] : [];
  return [...declared, ...listed, ...other].flatMap(name => (name ? [name] : []));
}

/** Returns the plugin, for built programs only. */
export function withoutUnusedHalves(): Plugin {
  return {
    name: 'keyfold-without-unused-halves',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: halves },
      handler(code, id) {
        const names = exportedNames(code);
        const kept = id.includes('/ssr/') ? ssrComponents : {};
        if (names.length === 0 || !Object.keys(kept).every(name => names.includes(name)))
          throw new Error(`${id} has moved its exports: look at this plugin again`);
        // zod expects an object from its locale.
        const body = id.includes('/locales/') ? '({ localeError: () => "Invalid input" })' : 'undefined';
        return {
          code: [
            ...(id.includes('/ssr/') ? ["import { createContext } from 'react';"] : []),
            `const nothing = () => ${body};`,
            ...Object.entries(kept).map(([name, value]) => `export const ${name} = ${value};`),
            `export { ${names
              .filter(name => !(name in kept))
              .map(name => `nothing as ${name}`)
              .join(', ')} };`,
          ].join('\n'),
          map: null,
        };
      },
    },
  };
}
