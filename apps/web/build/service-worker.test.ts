// The list of files that the service worker receives, from a build of a small client.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'vite';
import { afterEach, expect, test } from 'vitest';
import { serviceWorkerFile, serviceWorkerFiles } from './service-worker.ts';

const root = mkdtempSync(path.join(tmpdir(), 'keyfold-service-worker-'));
const client: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><script type="module" src="/src/main.ts"></script>',
  'src/main.ts': `const catalogs = import.meta.glob('./locales/*.json', { import: 'default' });
    void catalogs[\`./locales/\${document.title}.json\`]?.().then(document.write);
    void import('./screen.ts').then(({ show }) => show());`,
  'src/screen.ts': 'export const show = () => document.write(location.href);',
  'src/service-worker.ts': 'console.log(SHELL);',
  'src/locales/de.json': '{"Sign in":"Anmelden"}',
  'src/locales/pt-BR.json': '{"Sign in":"Entrar"}',
  'public/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
};

afterEach(() => rmSync(root, { recursive: true, force: true }));

type Shell = {
  readonly files: readonly string[];
  readonly catalogs: Readonly<Record<string, string>>;
};

/** Builds the client and returns what the worker receives. */
async function readShell(): Promise<Shell> {
  for (const [file, text] of Object.entries(client)) {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [serviceWorkerFiles()],
    build: {
      rolldownOptions: {
        input: {
          index: path.join(root, 'index.html'),
          'service-worker': path.join(root, 'src/service-worker.ts'),
        },
        output: {
          entryFileNames: ({ name }) =>
            name === 'service-worker' ? serviceWorkerFile : 'bundle.[name].[hash:7].js',
          chunkFileNames: 'bundle.[name].[hash:7].js',
        },
      },
    },
  });
  const code = readFileSync(path.join(root, 'dist', serviceWorkerFile), 'utf8');
  return JSON.parse(/^const SHELL = (\{.*\});$/m.exec(code)?.[1] ?? '');
}

test('the worker caches every file in advance except catalogs, and knows the catalog of each language', async () => {
  const { files, catalogs } = await readShell();
  const names = files.map(file => file.replace(/\.[\w-]{7}\.js$/, ''));
  expect(names.sort()).toEqual(['/bundle.index', '/bundle.screen', '/favicon.svg', '/index.html']);
  expect(Object.keys(catalogs)).toEqual(['de', 'pt-BR']);
  for (const [language, words] of [
    ['de', 'Anmelden'],
    ['pt-BR', 'Entrar'],
  ])
    expect(readFileSync(path.join(root, 'dist', catalogs[language ?? ''] ?? ''), 'utf8')).toContain(words);
});
