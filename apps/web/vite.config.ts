// Build and development server of the web client.
// Chunks keep the names of spec §7 (`bundle.{chunk id}.{hash}.js` at the site root). Nothing inline is ever written into
// a page: the policy to ship (docs/crypto.md, ux) allows neither inline scripts nor inline styles.
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressOutput } from './build/compress-output.ts';
import { withoutJsonSchema } from './build/without-json-schema.ts';

const apiOrigin = 'http://localhost:8000';
const apiPaths = ['/auth', '/user', '/admin', '/csrf', '/otp', '/health', '/ready', '/docs', '/openapi.json'];
const bundleName = 'bundle.[name].[hash].js';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [react(), tailwindcss(), withoutJsonSchema(), compressOutput()],
  worker: {
    format: 'es',
    rolldownOptions: { output: { entryFileNames: bundleName, chunkFileNames: bundleName } },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: bundleName,
        chunkFileNames: bundleName,
        assetFileNames: 'assets/[name].[hash][extname]',
        codeSplitting: {
          groups: [{ name: 'frame', test: /node_modules\/(?:react|react-dom|react-router|scheduler)\// }],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(apiPaths.map(path => [path, { target: apiOrigin, changeOrigin: false }])),
  },
});
