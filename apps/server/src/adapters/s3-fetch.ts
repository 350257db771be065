/**
 * fetch to an object store that fails: each request has its time, what fails quickly is tried again after a pause, and a
 * store that failed several times is left alone for a moment, so that who needs it is told at once. What comes of a failure
 * is BlobStoreUnavailable, or BlobStoreFull. Doing a request twice is doing it once; an upload in parts that was begun twice
 * leaves one open, which the bucket's lifecycle rule removes (docs/storage.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BlobStoreFull, BlobStoreUnavailable } from './blobs.ts';

export type S3Times = {
  /** Until the answer to a question begins. */
  readonly answerMs: number;
  /** Until a part of a file is taken, and other answers are here whole. */
  readonly transferMs: number;
  /** Pauses before another try; as many tries more. */
  readonly pausesMs: readonly number[];
  /** How long a store is left alone after failures one after the other. */
  readonly restMs: number;
};

export const S3_TIMES: S3Times = {
  answerMs: 15_000,
  // Eight MiB at a megabit a second.
  transferMs: 70_000,
  pausesMs: [200, 1_000],
  restMs: 3_000,
};

/** Failures of requests, after all their tries, from which on the store is left alone. */
const FAILURES_MAX = 3;

/** How stores say that nothing more fits: MinIO, Ceph, Garage and AWS have a word each. */
const FULL = /StorageFull|QuotaExceeded|InsufficientStorage|InsufficientCapacity/;
/** What a store has not (501) it will not have at another try either. */
const isFailure = (status: number): boolean => (status >= 500 && status !== 501) || status === 429;

/** An answer with its body read. */
async function whole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer();
  const { status, headers } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers });
}

/** The answer as it came, or an error when it says that the store is full. */
async function withoutFull(response: Response): Promise<Response> {
  if (response.status !== 507 && response.status !== 403 && response.status < 500) return response;
  const text = await response.text();
  if (response.status === 507 || FULL.test(text)) throw new BlobStoreFull('The object store is full');
  // A refusal's text is for whoever reads the error; HEAD has none.
  return new Response(text === '' ? null : text, { status: response.status, headers: response.headers });
}

const isTooLate = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');

export function createS3Fetch(times: S3Times = S3_TIMES): typeof fetch {
  let failures = 0;
  let restsUntilMs = 0;

  /**
   * One try. A GET has its time until the answer begins: who reads the content sees to its flow. Other answers are short, and
   * are here whole or not at all.
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
        cause = new Error(`The object store answered ${response.status}`);
      } catch (error) {
        if (error instanceof BlobStoreFull) throw error;
        cause = error;
      }
      // Who waited for that long does not wait as long again.
      if (pauseMs === null || isTooLate(cause))
        throw new BlobStoreUnavailable('The object store does not answer as it should', { cause });
      await sleep(pauseMs * (0.5 + Math.random()));
    }
    throw new Error('Unreachable');
  };

  return async (input, init = {}) => {
    if (performance.now() < restsUntilMs)
      throw new BlobStoreUnavailable('The object store failed a moment ago');
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
