import { afterEach, expect, test, vi } from 'vitest';
import { ChunkLoadError, loadChunk } from './load-chunk.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const failed = () =>
  Promise.reject(
    new TypeError('Failed to fetch dynamically imported module: http://localhost/bundle.inbox.a1b2.js'),
  );

test('a loaded chunk is handed on', async () => {
  expect(await loadChunk('inbox', async () => ({ Screen: 1 }))).toEqual({ Screen: 1 });
});

test('a chunk that the server no longer has is missing', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  await expect(loadChunk('inbox', failed)).rejects.toMatchObject({
    message: 'Loading chunk inbox failed.\n(missing)',
    reason: 'missing',
  });
});

test('a start page in place of the chunk is missing too', async () => {
  vi.stubGlobal(
    'fetch',
    async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
  );
  await expect(loadChunk('inbox', failed)).rejects.toMatchObject({ reason: 'missing' });
});

test('a broken connection is an error', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  await expect(loadChunk('inbox', failed)).rejects.toMatchObject({
    message: 'Loading chunk inbox failed.\n(error)',
    reason: 'error',
  });
});

test('a chunk that does not come within 120 seconds is a timeout', async () => {
  vi.useFakeTimers();
  const waiting = loadChunk('admin', () => new Promise(() => {}));
  const seen = expect(waiting).rejects.toBeInstanceOf(ChunkLoadError);
  await vi.advanceTimersByTimeAsync(120_000);
  await seen;
  await expect(waiting).rejects.toMatchObject({ message: 'Loading chunk admin failed.\n(timeout)' });
});
