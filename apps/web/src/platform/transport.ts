// Sends requests of the typed client over the network: fetch for most, XMLHttpRequest for uploads
// because only it reports progress. Cookies are included. Time limits are those of the
// specification (docs/spec-map.md 7.03) unless a call names a longer one: the browser's by default,
// the phone's once the native shell has set it at startup.
import type { CallReply, CallRequest } from '@keyfold/contract/client';
import { WEB_REQUEST_TIMEOUT_MS } from '../timing.ts';

/**
 * An upload without progress for this long has failed, however long it has been running
 * (docs/interpretations.md#36).
 */
const UPLOAD_IDLE_MS = 30_000;

async function readJson(answer: Response): Promise<unknown> {
  const type = answer.headers.get('content-type') ?? '';
  if (!type.includes('json')) return undefined;
  // Not json(), which collects the text in many small buffers; a list scrolled fast leaves many of
  // them behind.
  const bytes = await answer.arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  bytes.transfer?.(0);
  return JSON.parse(text);
}

/**
 * Bytes of a download merged into one Blob at a time. A Blob copies its byte parts, but not its
 * Blob parts.
 */
const GATHERED_BYTES = 1_048_576;

/** Reads the bytes of a download and reports progress. */
async function readBytes(answer: Response, request: CallRequest): Promise<Blob> {
  const { onProgress } = request.options;
  const reader = onProgress === undefined ? undefined : answer.body?.getReader();
  if (reader === undefined) return answer.blob();
  const totalBytes = Number(answer.headers.get('content-length') ?? 0);
  const blobs: Blob[] = [];
  let pieces: BlobPart[] = [];
  let loadedBytes = 0;
  for (let gathered = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob([...blobs, ...pieces], { type: answer.headers.get('content-type') ?? '' });
    pieces.push(value);
    gathered += value.length;
    if (gathered >= GATHERED_BYTES) {
      blobs.push(new Blob(pieces));
      pieces = [];
      gathered = 0;
    }
    loadedBytes += value.length;
    onProgress?.(loadedBytes, totalBytes);
  }
}

/**
 * Browsers limit all requests that outlive their page to 64 KiB together; each may use a sixteenth
 * of that.
 */
const OUTLIVING_MAX_CHARS = 4096;

/**
 * Returns whether a request completes after its page is closed. Small changes do, so that none is
 * lost.
 */
const outlives = ({ method, body }: CallRequest): boolean =>
  method !== 'GET' && (body?.length ?? 0) <= OUTLIVING_MAX_CHARS;

let requestTimeoutMs: number = WEB_REQUEST_TIMEOUT_MS;

/** Sets the timeout of requests in milliseconds; calls that name a longer one keep it. */
export function setRequestTimeout(timeoutMs: number): void {
  requestTimeoutMs = timeoutMs;
}

async function sendByFetch(request: CallRequest): Promise<CallReply> {
  const limit = AbortSignal.timeout(Math.max(request.call.timeoutMs ?? 0, requestTimeoutMs));
  const given = request.options.signal as AbortSignal | undefined;
  const answer = await fetch(request.path, {
    method: request.method,
    headers: request.headers,
    ...(request.body === undefined ? {} : { body: request.body }),
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    keepalive: outlives(request),
    signal: given === undefined ? limit : AbortSignal.any([given, limit]),
  });
  const isDownload = request.call.transport === 'download' && answer.ok;
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    json: isDownload ? undefined : await readJson(answer),
    ...(isDownload ? { bytes: await readBytes(answer, request) } : {}),
  };
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendByXhr(request: CallRequest): Promise<CallReply> {
  const form = new FormData();
  for (const [name, value] of Object.entries(request.fields)) form.append(name, value);
  // The name and type of a file are inside its encrypted blob; neither may be visible here
  // (docs/interpretations.md#23).
  form.append('file', request.options.file as Blob, 'blob');
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const given = request.options.signal as AbortSignal | undefined;
    let idle: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(idle);
      idle = setTimeout(() => xhr.abort(), UPLOAD_IDLE_MS);
    };
    const abort = () => xhr.abort();
    const done = () => {
      clearTimeout(idle);
      given?.removeEventListener('abort', abort);
    };
    xhr.open(request.method, request.path);
    for (const [name, value] of Object.entries(request.headers)) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = event => {
      watch();
      request.options.onProgress?.(event.loaded, event.total);
    };
    xhr.onload = () => {
      done();
      const retryAfter = xhr.getResponseHeader('retry-after');
      resolve({ status: xhr.status, retryAfter, json: parseText(xhr.responseText) });
    };
    xhr.onerror = () => {
      done();
      reject(new TypeError('The upload failed'));
    };
    xhr.onabort = () => {
      done();
      reject(
        given?.aborted
          ? new DOMException('The upload was canceled', 'AbortError')
          : new TypeError('The upload stalled'),
      );
    };
    given?.addEventListener('abort', abort);
    if (given?.aborted) return xhr.abort();
    watch();
    xhr.send(form);
  });
}

/**
 * Sends a request of the typed client. Retries once when the connection broke and the call allows
 * it, because another server may take over immediately. Rejects when there is no response, or only
 * that of a proxy without a server behind it.
 */
export async function send(request: CallRequest): Promise<CallReply> {
  for (let isLast = !request.isRepeatable; ; isLast = true) {
    try {
      const reply = await (request.call.transport === 'upload' ? sendByXhr : sendByFetch)(request);
      if (reply.status < 502 || reply.json !== undefined) return reply;
      throw new TypeError('No server');
    } catch (error) {
      if (isLast || !(error instanceof TypeError)) throw error;
    }
  }
}
