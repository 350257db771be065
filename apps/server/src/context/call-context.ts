/**
 * What a handler learns about the request beside its input: who calls, from where, and the few things that are not JSON.
 * Handlers see this and never the HTTP framework.
 */
import type { Readable } from 'node:stream';
import { AppError } from '@keyfold/contract/errors';
import type { AdminLevel, Plan } from '@keyfold/contract/limits';
import type { ByteRange } from '../adapters/blobs.ts';

export type Caller = { readonly userId: string };

/** Who a living session belongs to, as the access check needs it. */
export type Session = {
  readonly tokenHash: Buffer;
  readonly id: string;
  readonly userId: string;
  readonly isSuspended: boolean;
  /** The admin level, null for who is no admin. */
  readonly level: AdminLevel | null;
  readonly plan: Plan;
  readonly familyId: string | null;
  readonly endsAt: Date;
  /** The key that seals what the client stores, 32 bytes. */
  readonly openClientKey: () => Buffer;
};

export type CookieName = 'session' | 'device' | 'pending' | 'browser';

/** A cookie to set; null takes it away. `lifetimeMs` undefined: as long as the browser runs. */
export type CookieChange = {
  readonly name: CookieName;
  readonly value: string | null;
  readonly lifetimeMs?: number;
};

/** A stored file to answer with; the HTTP room handles Range. */
export type SentFile = {
  readonly sizeBytes: number;
  readonly open: (range?: ByteRange) => Promise<Readable>;
};

/** One server-sent event; `data` is sent as JSON. */
export type ServerEvent = { readonly event: string; readonly data: unknown };

export type RequestContext = {
  /** The logged-in user; null only where a call's access is public. */
  readonly caller: Caller | null;
  /** The caller's session; null as caller is. */
  readonly session: Session | null;
  readonly ip: string;
  readonly userAgent: string;
  /** Value of the Idempotency-Key header. */
  readonly idempotencyKey: string | undefined;
  readonly cookie: (name: CookieName) => string | undefined;
  /** The session token, from the cookie or the Authorization header. */
  readonly sessionToken: string | undefined;
  readonly setCookie: (change: CookieChange) => void;
  /** The part `file` of an upload, already cut off at the size limit: the handler fails when `isTooLarge()` after reading. */
  readonly file:
    | {
        readonly content: AsyncIterable<Uint8Array>;
        readonly isTooLarge: () => boolean;
        /** Once `content` was read to its end: the input that came behind it, checked. Throws malformed. */
        readonly readLater: () => Promise<Readonly<Record<string, unknown>>>;
      }
    | undefined;
  /** The body as it came, and its signature (transport: signed); empty otherwise. */
  readonly signedBody: { readonly bytes: Uint8Array; readonly signature: string };
  /** Answers with a file instead of JSON (transport: download). */
  readonly sendFile: (file: SentFile) => void;
  /**
   * Answers with a stream of server-sent events until the client leaves, which aborts the signal (transport: events). What
   * `open` throws is answered like any failure.
   */
  readonly sendEvents: (open: (signal: AbortSignal) => AsyncIterable<ServerEvent>) => void;
};

/** The caller of a call that needs one. Throws not_logged_in. */
export function callerOf(context: RequestContext): Caller {
  if (context.caller === null) throw new AppError('not_logged_in');
  return context.caller;
}

/** The session of a call that needs one. Throws not_logged_in. */
export function sessionOf(context: RequestContext): Session {
  if (context.session === null) throw new AppError('not_logged_in');
  return context.session;
}
