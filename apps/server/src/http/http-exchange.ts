/**
 * One request as a handler sees it (context.ts), on top of the HTTP framework: collects what the
 * handler adds to its response besides the JSON.
 */
import type { Call } from '@keyfold/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext, SentFile, ServerEvent } from '../context/call-context.ts';
import type { Admission } from './access.ts';
import { readCookie, writeCookie } from './cookies.ts';
import { createTokenBag, readNativeToken } from './native-clients.ts';

/** A handler's response that is not JSON. */
export type Special =
  | { readonly kind: 'file'; readonly file: SentFile }
  | { readonly kind: 'events'; readonly open: (signal: AbortSignal) => AsyncIterable<ServerEvent> };

export type Exchange = {
  readonly context: RequestContext;
  /** Returns the special response that the handler requested, once it is done. */
  readonly special: () => Special | null;
  /** Returns additional fields of the response: tokens, for the mobile app's shell. */
  readonly extra: () => object;
};

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && header !== '' ? header : undefined;

export function createExchange(
  call: Call,
  request: FastifyRequest,
  reply: FastifyReply,
  admission: Admission,
  file: RequestContext['file'],
): Exchange {
  const { session, sessionToken, isSecure, isNative } = admission;
  const tokens = createTokenBag();
  let special: Special | null = null;
  const answerWith = (needed: Call['transport'], next: Special): void => {
    if (call.transport !== needed) throw new Error(`${call.path} does not return ${next.kind}`);
    special = next;
  };
  return {
    special: () => special,
    extra: tokens.fields,
    context: {
      caller: session === null ? null : { userId: session.userId },
      session,
      ip: request.ip,
      userAgent: textOf(request.headers['user-agent']) ?? '',
      idempotencyKey: textOf(request.headers['idempotency-key']),
      cookie: name => (isNative ? readNativeToken(request, name) : readCookie(request, name, isSecure)),
      sessionToken,
      setCookie: change => (isNative ? tokens.set(change) : writeCookie(reply, change, isSecure)),
      file,
      signedBody: {
        bytes: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(),
        signature: textOf(request.headers['stripe-signature']) ?? '',
      },
      sendFile: sent => answerWith('download', { kind: 'file', file: sent }),
      sendEvents: open => answerWith('events', { kind: 'events', open }),
    },
  };
}
