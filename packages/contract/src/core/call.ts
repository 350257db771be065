/**
 * A call is data: method, path, access, input and output. From it come the server's route and validation, the OpenAPI
 * document, the typed client and the permission tests. This file knows no particular call.
 */
import type { z } from 'zod';

/** Who may call: anybody, a logged-in user, or an admin of at least this level (docs/spec-map.md 6). */
export type Access = 'public' | 'user' | 'readonly' | 'standard' | 'super';

/**
 * How the call travels. json: input in the query (GET) or JSON body, JSON answer. upload: multipart with one part
 * `file` beside the input fields. download: the answer is bytes. events: the answer is a stream of server-sent events.
 * signed: JSON of another service, which signed its very bytes; the handler gets those and no input.
 */
export type Transport = 'json' | 'upload' | 'download' | 'events' | 'signed';

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path from the root; `:name` segments are taken from the input field of that name. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** One sentence for the OpenAPI document. */
  readonly about: string;
  readonly input: z.ZodObject;
  /** Every field of a success body but `success` itself. */
  readonly output: z.ZodObject;
  readonly transport?: Transport;
  /**
   * Fields of a DELETE that may stand in the query as well, because some proxies drop its body (docs/interpretations.md#76): ids,
   * never anything that is secret, since addresses are written into logs.
   */
  readonly inQuery?: readonly string[];
  /** Milliseconds a client waits for the answer instead of its usual limit (docs/interpretations.md#36). */
  readonly timeoutMs?: number;
  /**
   * A second one right after the first changes nothing more and is answered as the first was, times aside, so that a client
   * whose answer got lost may repeat it by itself: always, or where the input has the field of this name. Every GET is so,
   * and every call under an Idempotency-Key.
   */
  readonly isRepeatable?: true | string;
};

export type CallTable = { readonly [group: string]: { readonly [name: string]: Call } };

export const defineCall = <const C extends Call>(call: C): C => call;

/** What a handler receives: the parsed input. */
export type InputOf<C extends Call> = z.output<C['input']>;
/** What a handler returns (and a client gets): the success body without `success`. */
export type OutputOf<C extends Call> = z.output<C['output']>;

/** The handlers of a group of calls; a missing, extra or wrongly typed one does not compile. */
export type Handlers<T extends { readonly [name: string]: Call }, Context> = {
  readonly [K in keyof T]: (input: InputOf<T[K]>, context: Context) => Promise<z.input<T[K]['output']>>;
};
