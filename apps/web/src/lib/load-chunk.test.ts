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

test('returns a loaded chunk', async () => {
  expect(await loadChunk('inbox', async () => ({ Screen: 1 }))).toEqual({ Screen: 1 });
});

test('reports a chunk that the server no longer has as missing', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  await expect(loadChunk('inbox', failed)).rejects.toMatchObject({
    message: 'Loading chunk inbox failed.\n(missing)',
    reason: 'missing',
  });
});

test('reports a start page in place of the chunk as missing', async () => {
  vi.stubGlobal(
    'fetch',
    async () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
  );
  await expect(loadChunk('inbox', failed)).rejects.toMatchObject({ reason: 'missing' });
});

test('reports an error after three attempts with a broken connection', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  const load = vi.fn(failed);
  const seen = expect(loadChunk('inbox', load)).rejects.toMatchObject({
    message: 'Loading chunk inbox failed.\n(error)',
    reason: 'error',
  });
  await vi.runAllTimersAsync();
  await seen;
  expect(load).toHaveBeenCalledTimes(3);
});

test('retries a chunk whose connection broke', async () => {
  vi.useFakeTimers();
  // A response from a proxy whose server is down says nothing about the file.
  vi.stubGlobal('fetch', async () => new Response('', { status: 502 }));
  let tries = 0;
  const loading = loadChunk('inbox', () => (++tries < 3 ? failed() : Promise.resolve({ Screen: 1 })));
  await vi.runAllTimersAsync();
  expect(await loading).toEqual({ Screen: 1 });
});

test('requests a missing chunk only once', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  const load = vi.fn(failed);
  await expect(loadChunk('inbox', load)).rejects.toMatchObject({ reason: 'missing' });
  expect(load).toHaveBeenCalledTimes(1);
});

test('does not retry after 120 seconds', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => new Response('', { status: 502 }));
  const load = vi.fn(async () => {
    await new Promise(resolve => setTimeout(resolve, 119_900));
    return failed();
  });
  const seen = expect(loadChunk('inbox', load)).rejects.toMatchObject({ reason: 'timeout' });
  await vi.runAllTimersAsync();
  await seen;
  expect(load).toHaveBeenCalledTimes(1);
});

test('reports a chunk that does not load within 120 seconds as a timeout', async () => {
  vi.useFakeTimers();
  const waiting = loadChunk('admin', () => new Promise(() => {}));
  const seen = expect(waiting).rejects.toBeInstanceOf(ChunkLoadError);
  await vi.advanceTimersByTimeAsync(120_000);
  await seen;
  await expect(waiting).rejects.toMatchObject({ message: 'Loading chunk admin failed.\n(timeout)' });
});
