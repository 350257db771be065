// Repeats every known-answer test where the product opens mail: in a Chromium worker, with native
// primitives, with each fallback forced, and in a page that is not a secure context and so has no
// WebCrypto. Skipped with a message when there is no Chromium (CHROMIUM_PATH).

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PrimitiveChoice } from '../src/primitives/select.ts';
import type { WorkerAnswer } from './page.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const hasChromium = existsSync(executablePath);
const title = hasChromium ? 'in a Chromium worker' : 'in a Chromium worker (skipped: no Chromium was found)';
const here = fileURLToPath(new URL('./', import.meta.url));
const vectors = fileURLToPath(new URL('../src/vectors/', import.meta.url));
const INSECURE_HOST = 'keyfold.test';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`,
];
// Policy that the product uses; Argon2id needs WebAssembly.
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

describe.runIf(hasChromium)(title, () => {
  let outDir: string;
  let server: Server;
  let browser: Browser;
  let requested: string[] = [];

  beforeAll(async () => {
    outDir = await mkdtemp(join(tmpdir(), 'keyfold-crypto-'));
    await build({
      configFile: false,
      root: here,
      logLevel: 'error',
      build: {
        outDir,
        emptyOutDir: true,
        rollupOptions: { input: join(here, 'page.ts'), output: { entryFileNames: 'page.js' } },
      },
      worker: { format: 'es' },
    });
    server = createServer((request, response) => {
      const path = request.url ?? '/';
      requested.push(path);
      response.setHeader('content-security-policy', POLICY);
      if (path === '/') {
        response.setHeader('content-type', 'text/html');
        response.end('<!doctype html><title>worker</title><script type="module" src="/page.js"></script>');
        return;
      }
      const file = path.startsWith('/vectors/') ? join(vectors, basename(path)) : join(outDir, path.slice(1));
      if (path.endsWith('.js')) response.setHeader('content-type', 'text/javascript');
      readFile(file).then(
        bytes => response.end(bytes),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({ executablePath, args: FLAGS });
  });

  afterAll(async () => {
    await browser?.close();
    await new Promise(resolve => server?.close(resolve));
    if (outDir !== undefined) await rm(outDir, { recursive: true, force: true });
  });

  async function run(host: string, choice: PrimitiveChoice): Promise<WorkerAnswer> {
    requested = [];
    const page: Page = await browser.newPage();
    try {
      await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`);
      await page.waitForFunction(() => 'runVectorsInWorker' in window);
      return await page.evaluate(wanted => window.runVectorsInWorker(wanted), choice);
    } finally {
      await page.close();
    }
  }

  const fallbacksLoaded = () => requested.flatMap(path => /javascript-(\w+)/.exec(path)?.[1] ?? []).sort();

  it('known answers pass natively, and only the Argon2id fallback is loaded', async () => {
    const answer = await run('127.0.0.1', { classic: 'native', x25519: 'native', mlkem1024: 'native' });
    expect(answer.failures).toEqual([]);
    expect(answer.checked).toBeGreaterThan(120);
    expect(fallbacksLoaded()).toEqual(['argon2']);
  });

  const forced: Record<string, PrimitiveChoice> = {
    'ML-KEM alone': { mlkem1024: 'javascript' },
    'X25519 alone': { x25519: 'javascript' },
    everything: { classic: 'javascript', x25519: 'javascript', mlkem1024: 'javascript' },
  };
  for (const [name, choice] of Object.entries(forced))
    it(`known answers pass with the fallback forced for ${name}`, async () => {
      const answer = await run('127.0.0.1', choice);
      expect(answer.failures).toEqual([]);
      expect(answer.checked).toBeGreaterThan(120);
    });

  it('known answers pass in a page without WebCrypto, with automatic fallbacks', async () => {
    const answer = await run(INSECURE_HOST, {});
    expect(answer.failures).toEqual([]);
    expect(answer.hasSubtle).toBe(false);
    expect(fallbacksLoaded()).toEqual(['argon2', 'classic', 'mlkem', 'x25519']);
  });
});
