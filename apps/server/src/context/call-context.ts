/**
 * The request context: what a handler receives besides its input, such as the caller, the client's
 * address and the parts of the request that are not JSON. Handlers use this and never the HTTP
 * framework.
 */
import type { Readable } from 'node:stream';
import { AppError } from '@keyfold/contract/errors';
import type { AdminLevel } from '@keyfold/contract/limits';
import type { Plan } from '@keyfold/contract/plans';
import type { ByteRange } from '../adapters/blobs.ts';

export type Caller = { readonly userId: string };

/** The user of a living session, as the access check needs it. */
export type Session = {
  readonly tokenHash: Buffer;
  readonly id: string;
  readonly userId: string;
  readonly isSuspended: boolean;
  /** The admin level; null for a user who is not an admin. */
  readonly level: AdminLevel | null;
  readonly plan: Plan;
  readonly familyId: string | null;
  readonly endsAt: Date;
  /** The key that seals what the client stores, 32 bytes. */
  readonly openClientKey: () => Buffer;
};

export type CookieName = 'session' | 'device' | 'pending' | 'browser';

/**
 * A cookie to set, or to delete if the value is null. An undefined `lifetimeMs` makes it a session
 * cookie.
 */
export type CookieChange = {
  readonly name: CookieName;
  readonly value: string | null;
  readonly lifetimeMs?: number;
};

/** A stored file to send as the response; the HTTP layer handles Range. */
export type SentFile = {
  readonly sizeBytes: number;
  readonly open: (range?: ByteRange) => Promise<Readable>;
};

/** One server-sent event; `data` is sent as JSON. */
export type ServerEvent = { readonly event: string; readonly data: unknown };

export type RequestContext = {
  /** The signed-in user; null only for endpoints with public access. */
  readonly caller: Caller | null;
  /** The caller's session; null if `caller` is null. */
  readonly session: Session | null;
  readonly ip: string;
  readonly userAgent: string;
  /** Value of the Idempotency-Key header. */
  readonly idempotencyKey: string | undefined;
  readonly cookie: (name: CookieName) => string | undefined;
  /** The session token, from the cookie or the Authorization header. */
  readonly sessionToken: string | undefined;
  readonly setCookie: (change: CookieChange) => void;
  /**
   * The `file` part of an upload, already truncated at the size limit: after reading it, the
   * handler must fail if `isTooLarge()`.
   */
  readonly file:
    | {
        readonly content: AsyncIterable<Uint8Array>;
        readonly isTooLarge: () => boolean;
        /**
         * Returns the validated input that followed `content`; call it after reading `content` to
         * its end. Throws malformed.
         */
        readonly readLater: () => Promise<Readonly<Record<string, unknown>>>;
      }
    | undefined;
  /** The raw body and its signature (transport: signed); empty otherwise. */
  readonly signedBody: { readonly bytes: Uint8Array; readonly signature: string };
  /** Responds with a file instead of JSON (transport: download). */
  readonly sendFile: (file: SentFile) => void;
  /**
   * Responds with a stream of server-sent events until the client disconnects, which aborts the
   * signal (transport: events). An error that `open` throws is handled like any other failure.
   */
  readonly sendEvents: (open: (signal: AbortSignal) => AsyncIterable<ServerEvent>) => void;
};

/** Returns the caller for an endpoint that requires one. Throws not_logged_in. */
export function callerOf(context: RequestContext): Caller {
  if (context.caller === null) throw new AppError('not_logged_in');
  return context.caller;
}

/** Returns the session for an endpoint that requires one. Throws not_logged_in. */
export function sessionOf(context: RequestContext): Session {
  if (context.session === null) throw new AppError('not_logged_in');
  return context.session;
}
