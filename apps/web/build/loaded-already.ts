// Leaves out of the list of files that a dynamic import preloads those that are loaded already when
// it runs: whatever the importing chunk itself imports. The names of these files contain hashes
// that do not compress, and they are in the chunks of the first load.
import type { Plugin } from 'vite';

type Preloads = {
  readonly plugin: Plugin;
  /**
   * Returns those of `files` that may not be loaded yet when the chunk `host` imports `target`. A
   * target that needs nothing else is not listed, because the import itself fetches it.
   */
  readonly findMissing: (target: string, files: string[], host: string) => string[];
};

/** Returns the plugin that reads the chunks of a build, and the function that uses them. */
export function preloads(): Preloads {
  const importsOf = new Map<string, readonly string[]>();
  const loaded = new Map<string, ReadonlySet<string>>();
  const findLoaded = (host: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const waiting = [host];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (found.has(file)) continue;
      found.add(file);
      waiting.push(...(importsOf.get(file) ?? []));
    }
    loaded.set(host, found);
    return found;
  };
  return {
    plugin: {
      name: 'keyfold-loaded-already',
      apply: 'build',
      generateBundle: {
        // Before the lists are written.
        order: 'pre',
        handler(_options, bundle) {
          loaded.clear();
          for (const part of Object.values(bundle))
            if (part.type === 'chunk') importsOf.set(part.fileName, part.imports);
        },
      },
    },
    findMissing: (target, files, host) => {
      const have = loaded.get(host) ?? findLoaded(host);
      const missing = files.filter(file => !have.has(file));
      return missing.length === 1 && missing[0] === target ? [] : missing;
    },
  };
}
