/**
 * A call is data: method, path, access, input and output. The server's routes and validation, the
 * OpenAPI document, the typed client and the permission tests all derive from it. This file defines
 * no particular call.
 */
import type { z } from 'zod';

/**
 * Callers allowed to make the call: anyone, a signed-in user, or an admin of at least this level
 * (docs/spec-map.md 6).
 */
export type Access = 'public' | 'user' | 'readonly' | 'standard' | 'super';

/**
 * How the call travels. json: input in the query (GET) or JSON body, JSON response. upload:
 * multipart with one part `file` beside the input fields. download: the response is bytes. events:
 * the response is a stream of server-sent events. signed: JSON from another service, which signed
 * the exact bytes; the handler receives those bytes and no input.
 */
export type Transport = 'json' | 'upload' | 'download' | 'events' | 'signed';

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path from the root; `:name` segments are filled from the input field of that name. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** One sentence for the OpenAPI document. */
  readonly about: string;
  readonly input: z.ZodObject;
  /** Every field of a success body except `success` itself. */
  readonly output: z.ZodObject;
  readonly transport?: Transport;
  /**
   * Fields of a DELETE that may also be in the query, because some proxies drop its body
   * (docs/interpretations.md#76). Only ids, never secrets, because URLs are logged.
   */
  readonly inQuery?: readonly string[];
  /**
   * Milliseconds that a client waits for the response, in place of its usual limit
   * (docs/interpretations.md#36).
   */
  readonly timeoutMs?: number;
  /**
   * Whether an immediate repeat changes nothing more and gets the same response, apart from times,
   * so that a client that lost the response may retry by itself: always, or only when the input has
   * the field of this name. Every GET is repeatable, and so is every call with an Idempotency-Key.
   */
  readonly isRepeatable?: true | string;
};

export type CallTable = { readonly [group: string]: { readonly [name: string]: Call } };

export const defineCall = <const C extends Call>(call: C): C => call;

/** Parsed input that a handler receives. */
export type InputOf<C extends Call> = z.output<C['input']>;
/** Value that a handler returns and a client receives: the success body without `success`. */
export type OutputOf<C extends Call> = z.output<C['output']>;

/** Handlers of a group of calls; a missing, extra or wrongly typed handler does not compile. */
export type Handlers<T extends { readonly [name: string]: Call }, Context> = {
  readonly [K in keyof T]: (input: InputOf<T[K]>, context: Context) => Promise<z.input<T[K]['output']>>;
};
