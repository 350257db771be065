// Build and development server of the web client.
// Chunks keep the names of docs/spec-map.md 7 (`bundle.{chunk id}.{hash}.js` at the site root). Nothing inline is ever written
// into a page but the import map, which browsers take from nowhere else: the policy to ship names its hash and allows neither
// inline scripts nor inline styles.
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressOutput } from './build/compress-output.ts';
import { firstChunks } from './build/first-chunks.ts';
import { bindStartPage } from './build/integrity.ts';
import { serviceWorkerFile, serviceWorkerFiles } from './build/service-worker.ts';
import { withoutDescriptions } from './build/without-descriptions.ts';
import { withoutUnusedHalves } from './build/without-unused-halves.ts';

const apiOrigin = 'http://localhost:8000';
const apiPaths = ['/auth', '/user', '/admin', '/csrf', '/otp', '/health', '/ready', '/docs', '/openapi.json'];
const page = fileURLToPath(new URL('index.html', import.meta.url));
/** Icons of the frame and the list: each alone in a file of its own is half overhead. */
const firstIcons =
  /lucide-react\/dist\/esm\/icons\/(?:arrow-up|bell|calendar-clock|chevron-down|circle-question-mark|clock|cloud-off|ellipsis|file-text|funnel|inbox|life-buoy|list-filter|lock|minus|paperclip|pen-line|plus|search|shield-ban|shield-check|star|tag|trash-2)\.m?js$/;
/** Icons of screens that are fetched later: one file for all, since the first one names every file there is. */
const laterIcons =
  /lucide-react\/dist\/esm\/icons\/(?:arrow-down|at-sign|chart-column|chevron-left|chevron-right|credit-card|globe|key-round|link-2|monitor-smartphone|pencil|printer|shield-x|user-plus|users)\.m?js$/;
/** Seven characters of a hash tell two builds apart, and every file names dozens of others. */
const bundleName = 'bundle.[name].[hash:7].js';

/** How long each step of the build took is nothing that somebody who starts Keyfold must know. */
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
      // Every browser would carry the list of what the shell of a phone fetches from itself.
      resolveDependencies: (file, dependencies) => (file.includes('.native-start.') ? [] : dependencies),
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
