// Build and development server of the web client. Chunks keep the names of docs/spec-map.md 7
// (`bundle.{chunk id}.{hash}.js` at the site root). Nothing inline is written into a page except
// the import map, which browsers accept from nowhere else: the production policy contains its hash
// and allows neither inline scripts nor inline styles.
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressOutput } from './build/compress-output.ts';
import { firstChunks } from './build/first-chunks.ts';
import { bindStartPage } from './build/integrity.ts';
import { preloads } from './build/loaded-already.ts';
import { pageLanguages } from './build/page-languages.ts';
import { serviceWorkerFile, serviceWorkerFiles } from './build/service-worker.ts';
import { withoutDescriptions } from './build/without-descriptions.ts';
import { withoutUnusedHalves } from './build/without-unused-halves.ts';

const apiOrigin = 'http://localhost:8000';
const apiPaths = ['/auth', '/user', '/admin', '/csrf', '/otp', '/health', '/ready', '/docs', '/openapi.json'];
const page = fileURLToPath(new URL('index.html', import.meta.url));
/** Icons of the frame and the list; in a file each, half the bytes would be overhead. */
const firstIcons =
  /lucide-react\/dist\/esm\/icons\/(?:arrow-up|bell|calendar-clock|chevron-down|circle-question-mark|clock|cloud-off|ellipsis|file-text|funnel|inbox|life-buoy|list-filter|lock|minus|paperclip|pen-line|plus|search|shield-ban|shield-check|star|tag|trash-2)\.m?js$/;
/**
 * Icons of screens that are fetched later: one file for all, because the entry chunk names every
 * file.
 */
const laterIcons =
  /lucide-react\/dist\/esm\/icons\/(?:arrow-down|at-sign|chart-column|chevron-left|chevron-right|credit-card|globe|key-round|link-2|monitor-smartphone|pencil|printer|shield-x|user-plus|users)\.m?js$/;
/** Seven characters of a hash distinguish two builds, and every file names dozens of others. */
const bundleName = 'bundle.[name].[hash:7].js';

const { plugin: loadedAlready, findMissing } = preloads();

/** The duration of each build step is irrelevant to someone starting Keyfold. */
const checks = { bundlerTimings: false, pluginTimings: false };

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  resolve: { alias: { 'iconv-lite': fileURLToPath(new URL('build/no-iconv.ts', import.meta.url)) } },
  plugins: [
    react(),
    tailwindcss(),
    withoutUnusedHalves(),
    withoutDescriptions(),
    pageLanguages(),
    loadedAlready,
    bindStartPage(),
    serviceWorkerFiles(),
    compressOutput(),
  ],
  worker: {
    format: 'es',
    plugins: () => [withoutDescriptions()],
    rolldownOptions: { checks, output: { entryFileNames: bundleName, chunkFileNames: bundleName } },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Otherwise every browser would load the list of files that only the phone's shell fetches,
      // and from the shell itself.
      resolveDependencies: (file, dependencies, { hostId, hostType }) => {
        if (file.includes('.native-start.')) return [];
        return hostType === 'js' ? findMissing(file, dependencies, hostId) : dependencies;
      },
    },
    rolldownOptions: {
      checks,
      input: {
        index: page,
        'service-worker': fileURLToPath(new URL('src/service-worker.ts', import.meta.url)),
      },
      output: {
        entryFileNames: ({ name }) => (name === 'service-worker' ? serviceWorkerFile : bundleName),
        chunkFileNames: bundleName,
        assetFileNames: 'assets/[name].[hash][extname]',
        codeSplitting: {
          groups: [
            {
              name: 'frame',
              priority: 9,
              test: /node_modules\/(?:react|react-dom|react-router|scheduler)\//,
            },
            { name: 'icons', priority: 9, test: firstIcons },
            { name: 'later-icons', priority: 9, test: laterIcons },
            ...firstChunks(fileURLToPath(new URL('src/main.tsx', import.meta.url))),
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(apiPaths.map(path => [path, { target: apiOrigin, changeOrigin: false }])),
  },
});
