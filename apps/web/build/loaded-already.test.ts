// Which files a dynamic import preloads, from a build of a small client.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type Rolldown } from 'vite';
import { afterEach, expect, test } from 'vitest';
import { preloads } from './loaded-already.ts';

const root = mkdtempSync(path.join(tmpdir(), 'keyfold-preloads-'));
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The start imports `shared`; the screen needs it too, and `part`; the help needs no more. */
const client: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><script type="module" src="/start.js"></script>',
  'start.js': `import { shared } from './shared.js';
    shared('start');
    void import('./screen.js').then(({ show }) => show());
    void import('./other.js').then(({ show }) => show());
    void import('./help.js').then(({ show }) => show());`,
  'screen.js': `import { shared } from './shared.js';
    import { part } from './part.js';
    export const show = () => shared(part('screen'));`,
  'other.js': `import { part } from './part.js';
    export const show = () => document.write(part('other'));`,
  'help.js': `import { shared } from './shared.js';
    export const show = () => shared('help');`,
  'shared.js': 'export const shared = text => console.log(text);',
  'part.js': 'export const part = text => text.toUpperCase() + location.href;',
};

test('a dynamic import preloads what it needs, without what the importing file has loaded', async () => {
  for (const [file, text] of Object.entries(client)) {
    mkdirSync(root, { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  const { plugin, findMissing } = preloads();
  const asked: Record<string, readonly string[]> = {};
  const { output } = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
    build: {
      write: false,
      modulePreload: {
        polyfill: false,
        resolveDependencies: (target, files, { hostId, hostType }) => {
          const missing = hostType === 'js' ? findMissing(target, files, hostId) : files;
          asked[target] = missing;
          return missing;
        },
      },
      rolldownOptions: {
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          codeSplitting: {
            groups: [
              { name: 'shared', test: /shared\.js$/ },
              { name: 'part', test: /part\.js$/ },
            ],
          },
        },
      },
    },
  })) as Rolldown.RolldownOutput;
  expect(asked['screen.js']?.toSorted()).toEqual(['part.js', 'screen.js']);
  expect(asked['other.js']?.toSorted()).toEqual(['other.js', 'part.js']);
  expect(asked['help.js']).toEqual([]);
  const start = output.find(({ fileName }) => fileName === 'index.js');
  expect(start?.type === 'chunk' && /m\.f=(\[[^\]]*\])/.exec(start.code)?.[1]).not.toContain('shared.js');
});
