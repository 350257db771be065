// Builds the harness page the way the product is built and serves it under the policy the product
// ships with, so that a component that needs an inline style or an unchecked HTML sink fails here.
// For browser tests only.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pagePolicy } from '@keyfold/contract/page-policy';
import { build } from 'vite';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

export type HarnessServer = {
  /** Address of the harness page, without a query. */
  url: string;
  close(): Promise<void>;
};

/** Builds the page and serves it on a free port of this machine. */
export async function serveHarness(): Promise<HarnessServer> {
  const web = fileURLToPath(new URL('../../', import.meta.url));
  const outDir = await mkdtemp(join(tmpdir(), 'keyfold-harness-'));
  const page = join(web, 'e2e/harness/index.html');
  await build({
    configFile: join(web, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, minify: false, rolldownOptions: { input: page } },
  });
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    const isFrame = path.startsWith('/message-frame');
    try {
      const file = path.endsWith('/') ? join(path, 'index.html') : path;
      const body = await readFile(join(outDir, file));
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
      response.setHeader('content-security-policy', isFrame ? "frame-ancestors 'self'" : pagePolicy());
      response.end(body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not here.');
    }
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The harness server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/e2e/harness/`,
    async close() {
      await new Promise(resolve => server.close(resolve));
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
