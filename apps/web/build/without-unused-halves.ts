// Libraries carry halves that this program never uses and that no bundler can tell from the used ones. They are replaced by
// functions that do nothing: zod's writer of JSON Schema and its English sentences about wrong values (the browser only
// checks, and shows words of its own), and react-router's instrumentation (nobody measures it).
import type { Plugin } from 'vite';

const halves =
  /\/(?:zod\/v4\/core\/(?:to-json-schema|json-schema-processors)|zod\/v4\/locales\/en|react-router\/dist\/production\/lib\/router\/instrumentation)\.js$/;

/** Every name that a module exports, `default` too. */
function exportedNames(code: string): string[] {
  const declared = [...code.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name);
  const listed = [...code.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names]) =>
    (names ?? '').split(',').map(name => name.trim().split(' as ').at(-1)),
  );
  const other = /^export default /m.test(code) ? ['default'] : [];
  return [...declared, ...listed, ...other].flatMap(name => (name ? [name] : []));
}

/** The plugin; in built programs only. */
export function withoutUnusedHalves(): Plugin {
  return {
    name: 'keyfold-without-unused-halves',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: halves },
      handler(code, id) {
        const names = exportedNames(code);
        if (names.length === 0) throw new Error(`${id} has moved its exports: look at this plugin again`);
        // zod asks its language for an object.
        const body = id.includes('/locales/') ? '({ localeError: () => "Invalid input" })' : 'undefined';
        return {
          code: `const nothing = () => ${body};\nexport { ${names.map(name => `nothing as ${name}`).join(', ')} };`,
          map: null,
        };
      },
    },
  };
}
