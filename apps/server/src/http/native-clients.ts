/**
 * The mobile app's shell as a client (ADR 38): its page has its own origin, so it is allowed to
 * read responses, and its tokens travel in headers and responses instead of cookies. No other
 * origin is allowed, and cookies never are: a third-party page gets nothing that it could not
 * request by itself.
 */
import { AUTH_TOKEN_HEADERS, type AuthTokenName, NATIVE_ORIGINS } from '@keyfold/contract/native';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CookieChange } from '../context/call-context.ts';

const ALLOWED_METHODS = 'GET, POST, PUT, DELETE';
const ALLOWED_HEADERS = [
  ...Object.values(AUTH_TOKEN_HEADERS),
  'accept',
  'content-type',
  'idempotency-key',
  'range',
  'x-csrf-token',
].join(', ');
const READABLE_HEADERS = 'accept-ranges, content-length, content-range, etag, retry-after, x-request-id';
/** Browsers repeat the preflight after two hours at the latest. */
const PREFLIGHT_SECONDS = 7200;

const TOKEN = /^[A-Za-z0-9_-]{1,512}$/;

const NATIVE: ReadonlySet<string> = new Set(NATIVE_ORIGINS);

/**
 * Returns whether the shell's page made a request. A server whose own origin is such an origin
 * treats the page as its own.
 */
export function isNativeRequest(request: FastifyRequest, publicUrl: string): boolean {
  const { origin } = request.headers;
  if (origin === undefined || !NATIVE.has(origin)) return false;
  const isOwn = origin === new URL(publicUrl).origin || origin === `${request.protocol}://${request.host}`;
  return !isOwn;
}

/** Returns a token from the shell's headers, or undefined when it is absent or invalid. */
export function readNativeToken(request: FastifyRequest, name: CookieChange['name']): string | undefined {
  const given = request.headers[AUTH_TOKEN_HEADERS[name]];
  if (typeof given !== 'string') return undefined;
  const text = name === 'session' ? given.replace(/^Bearer /i, '') : given;
  return TOKEN.test(text) ? text : undefined;
}

/** Collects the values for the response that would otherwise be cookies. */
export function createTokenBag() {
  const changes: Partial<Record<AuthTokenName, string | null>> = {};
  return {
    set: ({ name, value }: CookieChange): void => {
      changes[name] = value;
    },
    /** The fields of the response; empty when nothing has changed. */
    fields: () => (Object.keys(changes).length === 0 ? {} : { auth_tokens: changes }),
  };
}

function allow(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin);
  reply.header('access-control-expose-headers', READABLE_HEADERS);
}

/** Lets the shell read responses, and answers its web view's preflight requests. */
export function admitNativeClients(app: FastifyInstance, publicUrl: string): void {
  app.addHook('onRequest', async (request, reply) => {
    // A response cached for one origin must not be used for another.
    reply.header('vary', 'origin');
    if (!isNativeRequest(request, publicUrl)) return;
    allow(reply, String(request.headers.origin));
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return;
    return reply
      .code(204)
      .header('access-control-allow-methods', ALLOWED_METHODS)
      .header('access-control-allow-headers', ALLOWED_HEADERS)
      .header('access-control-max-age', String(PREFLIGHT_SECONDS))
      .send();
  });
}
