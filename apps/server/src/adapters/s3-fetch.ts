/**
 * A fetch for unreliable object stores, with timeouts, retries after a pause for quick failures,
 * and a circuit breaker that fails fast after several failures. Failures become
 * BlobStoreUnavailable or BlobStoreFull. Requests are idempotent, except that a multipart upload
 * that was started twice leaves one open, which the bucket's lifecycle rule removes
 * (docs/storage.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BlobStoreFull, BlobStoreUnavailable } from './blobs.ts';

export type S3Times = {
  /** Timeout until the response begins, for requests that read. */
  readonly answerMs: number;
  /** Timeout until a part of a file is accepted, and until other responses are complete. */
  readonly transferMs: number;
  /** Pauses before retries; their number is the number of retries. */
  readonly pausesMs: readonly number[];
  /** How long the circuit breaker stays open after consecutive failures. */
  readonly restMs: number;
};

export const S3_TIMES: S3Times = {
  answerMs: 15_000,
  // 8 MiB at 1 Mbit/s.
  transferMs: 70_000,
  pausesMs: [200, 1_000],
  restMs: 3_000,
};

/** Number of failed requests, after all their retries, that opens the circuit breaker. */
const FAILURES_MAX = 3;

/** Error codes for a full store; MinIO, Ceph, Garage and AWS each use their own. */
const FULL = /StorageFull|QuotaExceeded|InsufficientStorage|InsufficientCapacity/;
/** A store that does not implement a request (501) will not implement it on a retry either. */
const isFailure = (status: number): boolean => (status >= 500 && status !== 501) || status === 429;

/** Returns a response whose body has been read. */
async function whole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer();
  const { status, headers } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers });
}

/** Returns the response unchanged, or throws when it says that the store is full. */
async function withoutFull(response: Response): Promise<Response> {
  if (response.status !== 507 && response.status !== 403 && response.status < 500) return response;
  const text = await response.text();
  if (response.status === 507 || FULL.test(text)) throw new BlobStoreFull('The object store is full');
  // The text of a refusal is kept for the code that reads the error; HEAD has none.
  return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
}

const isTooLate = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');

export function createS3Fetch(times: S3Times = S3_TIMES): typeof fetch {
  let failures = 0;
  let restsUntilMs = 0;

  /**
   * Makes one try. The timeout of a GET ends when the response begins, because the reader of the
   * content detects stalls. Other responses are short and are read completely.
   */
  const once = async (input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> => {
    if (init.method !== 'GET') {
      const signal = AbortSignal.timeout(times.transferMs);
      return withoutFull(await whole(await fetch(input, { ...init, signal })));
    }
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), times.answerMs);
    try {
      return await withoutFull(await fetch(input, { ...init, signal: late.signal }));
    } finally {
      clearTimeout(timer);
    }
  };

  const patiently = async (input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> => {
    for (const pauseMs of [...times.pausesMs, null]) {
      let cause: unknown;
      try {
        const response = await once(input, init);
        if (!isFailure(response.status)) return response;
        cause = new Error(`The object store responded with status ${response.status}`);
      } catch (error) {
        if (error instanceof BlobStoreFull) throw error;
        cause = error;
      }
      // A request that timed out is not retried, because that would double the wait.
      if (pauseMs === null || isTooLate(cause))
        throw new BlobStoreUnavailable('The object store sent an unexpected response', { cause });
      await sleep(pauseMs * (0.5 + Math.random()));
    }
    throw new Error('Unreachable');
  };

  return async (input, init = {}) => {
    if (performance.now() < restsUntilMs)
      throw new BlobStoreUnavailable('The object store failed recently and is not tried yet');
    try {
      const response = await patiently(input, init);
      failures = 0;
      return response;
    } catch (error) {
      if (error instanceof BlobStoreUnavailable && ++failures >= FAILURES_MAX)
        restsUntilMs = performance.now() + times.restMs;
      throw error;
    }
  };
}
