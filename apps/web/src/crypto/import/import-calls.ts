// The import worker's own API client, so that megabytes of sealed mail do not pass through the
// page. Requests that get no answer, or are asked to wait, are retried until the run ends.
import { importsCalls } from '@keyfold/contract/calls/imports';
import { CallError, type CallReply, type CallRequest, createGroupClient } from '@keyfold/contract/client';
import { z } from 'zod';
import { rest } from '../../lib/rest.ts';
import { IMPORT_RETRY_MAX_MS, importRetryMs } from '../../timing.ts';
import { requestLimit } from '../worker/request-limit.ts';

// The page's policy forbids functions compiled from strings; this stops the schema library from
// trying.
z.config({ jitless: true });

async function send(request: CallRequest): Promise<CallReply> {
  const form = new FormData();
  if (request.options.file !== undefined) form.append('file', request.options.file as Blob, 'blob');
  const limit = requestLimit(request.call);
  const given = request.options.signal as AbortSignal | undefined;
  const body = request.call.transport === 'upload' ? form : request.body;
  const answer = await fetch(request.path, {
    method: request.method,
    headers: request.headers,
    ...(body === undefined ? {} : { body }),
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    signal: given === undefined ? limit : AbortSignal.any([given, limit]),
  });
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    json: isJson ? await answer.json() : undefined,
  };
}

export const importCalls = createGroupClient(importsCalls, send);

const waitMs = (error: CallError, tries: number): number =>
  error.status === 429 && error.retryAfterSeconds !== undefined
    ? error.retryAfterSeconds * 1_000
    : Math.min(IMPORT_RETRY_MAX_MS, importRetryMs * 2 ** tries);

/**
 * Retryable statuses: no answer, a request to wait, and a proxy's errors while a server restarts.
 */
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

const isPassing = (error: unknown): error is CallError =>
  error instanceof CallError && passing.has(error.status);

export type Patience = {
  readonly signal: AbortSignal;
  readonly onWaiting: (isWaiting: boolean) => void;
};

/**
 * Makes a call and retries until it is answered. Rejects with the error in the answer, or with the
 * signal's reason.
 */
export async function insist<T>({ signal, onWaiting }: Patience, call: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      const answer = await call();
      if (tries > 0) onWaiting(false);
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      // A rate limit of about a second is not worth reporting.
      if (error.status !== 429) onWaiting(true);
      await rest(waitMs(error, tries), signal);
    }
  }
}
