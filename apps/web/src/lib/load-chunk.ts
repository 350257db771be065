// Loads one lazy chunk of the app with a time limit and reports why it failed. docs/spec-map.md
// 7.77, 8.30. The usual causes are a new version installed while this tab was open, or a broken
// connection, which is retried. The route error screen names the cause and offers a reload.
import { CHUNK_TIMEOUT_MS } from '../timing.ts';
import { loadAgain } from './load-again.ts';

export type ChunkFailure = 'missing' | 'timeout' | 'error';

/**
 * A chunk could not be loaded. `message` is the text of the specification: "Loading chunk N failed"
 * and the reason.
 */
export class ChunkLoadError extends Error {
  override name = 'ChunkLoadError';
  readonly chunk: string;
  readonly reason: ChunkFailure;
  constructor(chunk: string, reason: ChunkFailure, cause?: unknown) {
    super(`Loading chunk ${chunk} failed.\n(${reason})`, { cause });
    this.chunk = chunk;
    this.reason = reason;
  }
}

/** Whether the server no longer has the file (or responds with its start page instead). */
async function isMissing(cause: unknown): Promise<boolean> {
  const url = cause instanceof Error ? /https?:\/\/\S+?\.js\b/.exec(cause.message)?.[0] : undefined;
  if (url === undefined) return false;
  try {
    const answer = await fetch(url, { method: 'HEAD', cache: 'no-store' });
    // A proxy's error for an unavailable server says nothing about the file.
    if (answer.status >= 500) return false;
    return !answer.ok || !(answer.headers.get('content-type') ?? '').includes('javascript');
  } catch {
    return false;
  }
}

/**
 * Returns the module of a chunk. Throws ChunkLoadError after failures or `timeoutMs` milliseconds.
 */
export async function loadChunk<T>(
  chunk: string,
  load: () => Promise<T>,
  timeoutMs: number = CHUNK_TIMEOUT_MS,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new ChunkLoadError(chunk, 'timeout'));
    }, timeoutMs);
  });
  const mayTryAgain = async (cause: unknown): Promise<boolean> => {
    if (await isMissing(cause)) throw new ChunkLoadError(chunk, 'missing', cause);
    return !isLate;
  };
  try {
    return await Promise.race([loadAgain(load, mayTryAgain), timeout]);
  } catch (cause) {
    if (cause instanceof ChunkLoadError) throw cause;
    throw new ChunkLoadError(chunk, 'error', cause);
  } finally {
    clearTimeout(timer);
  }
}
