// The search worker's own calls to the server: IDs, messages to index, sealed segments. Made from
// the worker, so that megabytes of encrypted mail are not parsed on the main thread. Cookies are
// sent as usual.

import { mailCalls } from '@keyfold/contract/calls/mail';
import { searchCalls } from '@keyfold/contract/calls/search';
import { sendingCalls } from '@keyfold/contract/calls/sending';
import { type CallReply, type CallRequest, createGroupClient } from '@keyfold/contract/client';
import { z } from 'zod';
import { requestLimit } from '../worker/request-limit.ts';

// The page's content security policy forbids functions created from strings; the schema library
// must not try.
z.config({ jitless: true });

function formOf(request: CallRequest): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(request.fields)) form.append(name, value);
  form.append('file', request.options.file as Blob, 'blob');
  return form;
}

async function send(request: CallRequest): Promise<CallReply> {
  const body = request.call.transport === 'upload' ? formOf(request) : request.body;
  const answer = await fetch(request.path, {
    method: request.method,
    headers: request.headers,
    ...(body === undefined ? {} : { body }),
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    signal: requestLimit(request.call),
  });
  const isDownload = request.call.transport === 'download' && answer.ok;
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  return {
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
    json: !isDownload && isJson ? await answer.json() : undefined,
    ...(isDownload ? { bytes: new Uint8Array(await answer.arrayBuffer()) } : {}),
  };
}

export const mailClient = createGroupClient(mailCalls, send);
export const searchClient = createGroupClient(searchCalls, send);

/** A download failed; `isGone` when a retry cannot succeed. */
export class MissingBytes extends Error {
  readonly isGone: boolean;

  constructor(isGone: boolean, cause?: unknown) {
    super('The bytes are not there', { cause });
    this.isGone = isGone;
  }
}

async function fetchBytes(call: CallRequest['call'], path: string): Promise<Uint8Array<ArrayBuffer>> {
  const request = {
    call,
    method: 'GET',
    path,
    headers: {},
    body: undefined,
    fields: {},
    options: {},
    isRepeatable: true,
  } as const;
  const reply = await send(request).catch((error: unknown) => {
    throw new MissingBytes(false, error);
  });
  if (!(reply.bytes instanceof Uint8Array)) throw new MissingBytes(reply.status === 404);
  return reply.bytes as Uint8Array<ArrayBuffer>;
}

/** Returns the sealed bytes of a segment from the server. */
export const fetchSegment = (id: string): Promise<Uint8Array> =>
  fetchBytes(searchCalls.segment, `/user/search/segments/${encodeURIComponent(id)}`);

/** Returns the sealed bytes of a message's file. */
export const fetchContainer = (id: string): Promise<Uint8Array<ArrayBuffer>> =>
  fetchBytes(sendingCalls.attachment, `/user/attachment/${encodeURIComponent(id)}`);
