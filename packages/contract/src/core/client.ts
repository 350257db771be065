/**
 * The typed client over the table of calls. It builds requests and parses responses; the caller's
 * `send` transports the bytes (fetch or XMLHttpRequest in the web client, fetch in tests).
 */
import type { z } from 'zod';
import type { Call, CallTable, OutputOf } from './call.ts';
import { failureBody } from './envelope.ts';
import { parseAnswer } from './rows.ts';

/** A request, ready to send. */
export type CallRequest = {
  readonly call: Call;
  readonly method: string;
  /** Path and query, relative to the server's root. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or undefined. For an upload, `send` builds the body from `fields` and `file`. */
  readonly body: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly options: CallOptions;
  /**
   * Whether it may be sent twice: a read, a change the server deduplicates by its key, or a change
   * whose repetition has no further effect.
   */
  readonly isRepeatable: boolean;
};

export type CallOptions = {
  /** The part `file` of an upload: a Blob in the web client. */
  readonly file?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** An AbortSignal. */
  readonly signal?: unknown;
  /** Called during an upload with the bytes sent and the total. */
  readonly onProgress?: (sentBytes: number, totalBytes: number) => void;
};

/** Reply received. `json` is undefined when there was no usable JSON body. */
export type CallReply = {
  readonly status: number;
  readonly json: unknown;
  readonly retryAfter: string | null;
  readonly bytes?: unknown;
};

export type Send = (request: CallRequest) => Promise<CallReply>;

/** Error of a failed call: no usable response (status 0), or a failure response. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** Method and path template, never values. */
  readonly call: string;
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;
  readonly problems: readonly { path: string; message: string }[];

  constructor(
    call: Call,
    reply: {
      status: number;
      code: string;
      message: string;
      retryAfterSeconds?: number;
      problems?: readonly { path: string; message: string }[];
    },
    cause?: unknown,
  ) {
    super(reply.message, cause === undefined ? undefined : { cause });
    this.call = `${call.method} ${call.path}`;
    this.status = reply.status;
    this.code = reply.code;
    this.retryAfterSeconds = reply.retryAfterSeconds;
    this.problems = reply.problems ?? [];
  }
}

/**
 * Message of the CallError when there is no usable response (docs/spec-map.md 8.09, 8.17,
 * docs/interpretations.md#33).
 */
export const NO_ANSWER = 'Failed to connect to the server';
/** Seconds to wait after a 429 without a retry-after header (docs/spec-map.md 8.09, 8.17). */
const RETRY_AFTER_DEFAULT_SECONDS = 60;

type CallGroup = CallTable[string];

export type GroupClient<G extends CallGroup> = {
  readonly [N in keyof G]: (input: z.input<G[N]['input']>, options?: CallOptions) => Promise<OutputOf<G[N]>>;
};

export type Client<T extends CallTable> = { readonly [G in keyof T]: GroupClient<T[G]> };

function toQuery(fields: Record<string, unknown>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`);
    }
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/**
 * Builds the request for a call: path parameters filled in, the other fields in the query (GET),
 * the form fields (upload) or the body.
 */
export function buildRequest(call: Call, input: Record<string, unknown>, options: CallOptions): CallRequest {
  const rest = { ...input };
  const path = call.path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const inQuery = call.method === 'GET';
  const isUpload = call.transport === 'upload';
  return {
    call,
    method: call.method,
    path: inQuery ? path + toQuery(rest) : path,
    headers: {
      accept: 'application/json',
      ...(inQuery || isUpload ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    body: inQuery || isUpload ? undefined : JSON.stringify(rest),
    fields: isUpload
      ? Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]))
      : {},
    options,
    isRepeatable:
      inQuery ||
      call.isRepeatable === true ||
      input[call.isRepeatable ?? ''] !== undefined ||
      'idempotency-key' in (options.headers ?? {}),
  };
}

function readRetryAfter(text: string | null): number {
  const seconds = Number(text ?? '');
  return text !== null && Number.isFinite(seconds) && seconds >= 0 ? seconds : RETRY_AFTER_DEFAULT_SECONDS;
}

/**
 * Receives the number of rows in a response that did not parse, and how many of these were dropped
 * (rows.ts).
 */
type TellBadRows = (call: Call, badRows: number, leftOutRows: number) => void;

/** Turns a reply into the call's output, or throws CallError. */
function readReply<C extends Call>(call: C, reply: CallReply, tellBadRows: TellBadRows): OutputOf<C> {
  if (reply.status >= 200 && reply.status < 300) {
    if (call.transport === 'download') return { bytes: reply.bytes } as OutputOf<C>;
    const parsed = parseAnswer(call.output, reply.json);
    if ('data' in parsed) {
      if (parsed.badRows > 0) tellBadRows(call, parsed.badRows, parsed.leftOutRows);
      return parsed.data as OutputOf<C>;
    }
    throw new CallError(call, { status: 0, code: 'no_answer', message: NO_ANSWER }, parsed.error);
  }
  const failure = failureBody.safeParse(reply.json);
  if (!failure.success)
    throw new CallError(call, { status: reply.status, code: 'no_answer', message: NO_ANSWER });
  throw new CallError(call, {
    status: reply.status,
    code: failure.data.code,
    message: failure.data.message,
    ...(reply.status === 429 ? { retryAfterSeconds: readRetryAfter(reply.retryAfter) } : {}),
    ...(failure.data.errors ? { problems: failure.data.errors } : {}),
  });
}

/** Creates one function per call of the group. Each rejects with CallError only. */
export function createGroupClient<G extends CallGroup>(
  calls: G,
  send: Send,
  tellBadRows: TellBadRows = () => undefined,
): GroupClient<G> {
  const run = async (call: Call, input: Record<string, unknown>, options: CallOptions) => {
    let reply: CallReply;
    try {
      reply = await send(buildRequest(call, input, options));
    } catch (cause) {
      throw new CallError(call, { status: 0, code: 'no_answer', message: NO_ANSWER }, cause);
    }
    return readReply(call, reply, tellBadRows);
  };
  return Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      (input: Record<string, unknown>, options: CallOptions = {}) => run(call, input, options),
    ]),
  ) as unknown as GroupClient<G>;
}

/** Creates the clients of all groups of the table, by name. */
export const createClient = <T extends CallTable>(
  table: T,
  send: Send,
  tellBadRows?: TellBadRows,
): Client<T> =>
  Object.fromEntries(
    Object.entries(table).map(([group, calls]) => [group, createGroupClient(calls, send, tellBadRows)]),
  ) as unknown as Client<T>;
