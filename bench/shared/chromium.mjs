/** Chromium for the benchmarks, and a server for a page built by a benchmark. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { chromium } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of Chromium. */
export function executablePath() {
  const found = PLACES.find(place => place !== undefined && existsSync(place));
  if (found === undefined) throw new Error('no Chromium was found: install it or set CHROMIUM_PATH');
  return found;
}

/** Opens a headless browser that makes no background requests. */
export function openChromium() {
  return chromium.launch({ executablePath: executablePath(), args: FLAGS });
}

/**
 * Serves a built folder and individual files by URL path on a free port; `/` is a page that loads
 * the folder's page.js.
 */
export async function serveFolder(folder, files = {}) {
  const server = createServer((request, response) => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>bench</title><script type="module" src="/page.js"></script>');
      return;
    }
    const file = files[request.url] ?? path.join(folder, path.normalize(request.url ?? '/'));
    response.setHeader('content-type', file.endsWith('.html') ? 'text/html' : 'text/javascript');
    readFile(file).then(
      bytes => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise(resolve => server.close(resolve)),
  };
}
