// Shared setup of the browser tests: a page with the product's policy, a page without any, the
// product's message frame, a canary that records every connection to any other host, and a Chromium
// that resolves all names to that canary.

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Whether Chromium is installed. */
export const hasChromium = existsSync(executablePath);

// The policy of docs/interface.md#page-policy, as shipped with the product.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob: data:; " +
  "connect-src 'self'; frame-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types mail-body ProseMirrorClipboard";

const OWN_HOSTS = [
  '*.googleapis.com',
  '*.google.com',
  '*.gstatic.com',
  '*.gvt1.com',
  '*.googleusercontent.com',
];

const FRAME = join(import.meta.dirname, '../../../apps/web/public/message-frame.html');

/**
 * The running setup; `heard` lists the requests to the canary, `stray` the unexpected ones to the
 * product's own origin.
 */
export type Harness = {
  browser: Browser;
  origin: string;
  canary: string;
  heard: string[];
  stray: string[];
  openPage(path: '/open' | '/strict'): Promise<{ page: Page; ran: string[]; errors: string[] }>;
  close(): Promise<void>;
};

const listen = (server: Server): Promise<number> =>
  new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** Builds the page and starts all servers and the browser. */
export async function startHarness(): Promise<Harness> {
  const outDir = await mkdtemp(join(tmpdir(), 'keyfold-mail-'));
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      rollupOptions: { input: join(import.meta.dirname, 'page.ts'), output: { entryFileNames: 'page.js' } },
    },
  });
  const heard: string[] = [];
  const stray: string[] = [];
  const canaryServer = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'text/plain', 'access-control-allow-origin': '*' }).end();
  });
  // Also records connections without a request (preconnect, TLS).
  canaryServer.on('connection', () => heard.push('(connection)'));
  const canaryPort = await listen(canaryServer);

  const appServer = createServer((request, response) => {
    const path = request.url ?? '';
    const html = '<!doctype html><title>mail</title><body><script type="module" src="/page.js"></script>';
    if (path === '/open') response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    else if (path === '/strict') {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY }).end(html);
    } else if (path === '/page.js' || path === '/message-frame.html') {
      const type = path === '/page.js' ? 'text/javascript' : 'text/html';
      const policy = path === '/page.js' ? {} : { 'content-security-policy': "frame-ancestors 'self'" };
      void readFile(path === '/page.js' ? join(outDir, 'page.js') : FRAME).then(bytes =>
        response.writeHead(200, { 'content-type': type, ...policy }).end(bytes),
      );
    } else {
      if (path !== '/favicon.ico') stray.push(path);
      response.writeHead(404).end();
    }
  });
  const appPort = await listen(appServer);

  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // The browser's own traffic goes nowhere; a message's traffic to the same hosts appears in
      // the page's requests.
      `--host-resolver-rules=${OWN_HOSTS.map(host => `MAP ${host} 127.0.0.1:1`).join(', ')}, MAP * 127.0.0.1:${canaryPort}, EXCLUDE 127.0.0.1`,
    ],
  });
  const origin = `http://127.0.0.1:${appPort}`;
  return {
    browser,
    origin,
    canary: `http://canary.test`,
    heard,
    stray,
    async openPage(path) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const ran: string[] = [];
      const errors: string[] = [];
      await context.exposeFunction('reportRun', (what: string) => void ran.push(what));
      await page.addInitScript(() => {
        const report = (what: string) =>
          (window.top as unknown as { reportRun(what: string): void }).reportRun(what);
        Object.assign(window, { caseRan: report });
        for (const name of ['alert', 'confirm', 'prompt', 'print']) {
          Object.assign(window, { [name]: (value: unknown) => report(`${name} ${String(value)}`) });
        }
      });
      page.on('console', message => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('request', request => {
        const url = request.url();
        if (
          /^(?:https?|wss?|ftp):/.test(url) &&
          !url.startsWith(origin) &&
          !url.startsWith(`http://canary.test`)
        ) {
          heard.push(url);
        }
      });
      page.on('pageerror', error => errors.push(error.message));
      await page.goto(origin + path);
      return { page, ran, errors };
    },
    async close() {
      await browser.close();
      appServer.closeAllConnections();
      canaryServer.closeAllConnections();
      await Promise.all(
        [appServer, canaryServer].map(server => new Promise(resolve => server.close(resolve))),
      );
      await rm(outDir, { recursive: true, force: true });
    },
  };
}

/**
 * Returns a channel's markup for one run, with its own path on the canary and a script that names
 * itself.
 */
export function fillChannel(html: string, name: string, canary: string): string {
  return html
    .replaceAll('{{HOST}}', new URL(canary).host)
    .replaceAll('{{H}}', canary)
    .replaceAll('{{N}}', name)
    .replaceAll('{{TO}}', 'reader@example.org')
    .replaceAll('{{C}}', `(window.caseRan||parent.caseRan)('${name}')`);
}
