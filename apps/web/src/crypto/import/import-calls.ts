// The import worker's own calls to the server, so that megabytes of sealed mail do not pass through the page. What gets no
// answer, or is asked to wait, is tried again until the run is ended.
import { importsCalls } from '@keyfold/contract/calls/imports';
import { CallError, type CallReply, type CallRequest, createGroupClient } from '@keyfold/contract/client';
import { z } from 'zod';
import { rest } from '../../lib/rest.ts';
import { IMPORT_RETRY_MAX_MS, importRetryMs } from '../../timing.ts';
import { requestLimit } from '../worker/request-limit.ts';

// The page's policy forbids functions made of text; the schema library is told so before it tries.
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

/** No answer, a request to wait, and what stands before a server says of one that is being started anew. */
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);

const isPassing = (error: unknown): error is CallError =>
  error instanceof CallError && passing.has(error.status);

export type Patience = {
  readonly signal: AbortSignal;
  readonly onWaiting: (isWaiting: boolean) => void;
};

/** Makes a call until it is answered. Rejects with what the answer says, or with the signal's reason. */
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
      // Somebody else's turn of a second is nothing to tell of.
      if (error.status !== 429) onWaiting(true);
      await rest(waitMs(error, tries), signal);
    }
  }
}
