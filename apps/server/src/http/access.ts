/**
 * The access check before every API call (docs/spec-map.md 6.01, 6.02,
 * docs/api-conventions.md#csrf): identifies the caller and the originating page, and decides
 * whether the endpoint's access level admits the request. Runs before the body is read. Services
 * check finer rights, such as who owns a message.
 */

import type { IncomingHttpHeaders } from 'node:http';
import type { Access, Call } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { ADMIN_LEVELS, type AdminLevel } from '@keyfold/contract/limits';
import type { FastifyRequest } from 'fastify';
import type { Session } from '../context/call-context.ts';
import type { Deps } from '../context/deps.ts';
import {
  findLivingSession,
  isCsrfToken,
  noSessionError,
  suspendedError,
} from '../features/accounts/auth/index.ts';
import { hasOwnCookie, readCookie } from './cookies.ts';
import { isNativeRequest } from './native-clients.ts';

/** The result of the access check. */
export type Admission = {
  readonly session: Session | null;
  readonly sessionToken: string | undefined;
  readonly isSecure: boolean;
  /** Whether the request comes from the mobile app's shell, which has no cookies. */
  readonly isNative: boolean;
};

/** GET endpoints that change state despite their method. */
const CHANGING_GETS: ReadonlySet<string> = new Set(['/auth/logout', '/otp/generate', '/user/generate']);

const changesState = (call: Call): boolean => call.method !== 'GET' || CHANGING_GETS.has(call.path);

/**
 * Returns whether cookies of this request are marked Secure: always, except for plain HTTP on the
 * local machine.
 */
export const isSecureRequest = (request: FastifyRequest, publicUrl: string): boolean =>
  request.protocol === 'https' || publicUrl.startsWith('https://');

const bearerOf = (request: FastifyRequest): string | undefined =>
  /^Bearer ([A-Za-z0-9_-]+)$/i.exec(request.headers.authorization ?? '')?.[1];

/**
 * Returns the session token from the cookie or the Authorization header. Throws malformed when both
 * are sent (docs/interpretations.md#32).
 */
function tokenOf(request: FastifyRequest, isSecure: boolean): string | undefined {
  const cookie = readCookie(request, 'session', isSecure);
  const bearer = bearerOf(request);
  if (cookie !== undefined && bearer !== undefined) {
    throw new AppError('malformed', { message: 'Send a session cookie or a bearer token, not both' });
  }
  return cookie ?? bearer;
}

const isLevelEnough = (level: AdminLevel | null, needed: AdminLevel): boolean =>
  level !== null && ADMIN_LEVELS.indexOf(level) >= ADMIN_LEVELS.indexOf(needed);

function requireLevel(session: Session, access: Exclude<Access, 'public'>): void {
  if (access !== 'user' && !isLevelEnough(session.level, access)) throw new AppError('forbidden');
}

/**
 * Admits a request or throws origin_refused, malformed, not_logged_in, account_suspended, forbidden
 * or csrf_refused.
 */
export async function admit(deps: Deps, call: Call, request: FastifyRequest): Promise<Admission> {
  const { publicUrl } = deps.config;
  const isSecure = isSecureRequest(request, publicUrl);
  if (changesState(call) && hasOwnCookie(request)) {
    const isOurs = isSameOrigin(request.headers, request.host, publicUrl);
    const isMeant = call.method !== 'GET' || isDeliberateFetch(request.headers);
    if (!isOurs || !isMeant) throw new AppError('origin_refused');
  }
  const isNative = isNativeRequest(request, publicUrl);
  const sessionToken = isNative ? bearerOf(request) : tokenOf(request, isSecure);
  if (call.access === 'public') return { session: null, sessionToken, isSecure, isNative };
  const now = deps.clock.now();
  const session =
    sessionToken === undefined ? null : await findLivingSession(deps.db, sessionToken, now, request.ip);
  if (session === null)
    throw sessionToken === undefined
      ? new AppError('not_logged_in')
      : await noSessionError(deps.db, sessionToken);
  if (session.isSuspended) throw await suspendedError(deps.db, session.userId);
  requireLevel(session, call.access);
  if (call.path.startsWith('/admin/')) {
    const token = request.headers['x-csrf-token'];
    const text = typeof token === 'string' ? token : undefined;
    if (!isCsrfToken(deps.masterKey, session.tokenHash, text, now)) throw new AppError('csrf_refused');
  }
  return { session, sessionToken, isSecure, isNative };
}

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);

/**
 * Returns whether our own page made a request, and not another site with our user's cookies
 * (docs/interpretations.md#34, #35). Programs other than browsers send neither Sec-Fetch-Site nor
 * Origin, and do not carry a user's cookies by accident. `host` is the name under which the service
 * was addressed.
 */
function isSameOrigin(headers: IncomingHttpHeaders, host: string, publicUrl: string): boolean {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return true;
  if (origin === undefined) return site === undefined;
  const from = hostOf(origin);
  if (from === null) return false;
  // A page on another port of this host is `same-site`, so only the exact origin is accepted.
  return from === host || origin === new URL(publicUrl).origin;
}

/**
 * Returns whether a script of our page requested a state-changing GET, as opposed to a link, an
 * image or a prefetch.
 */
function isDeliberateFetch(headers: IncomingHttpHeaders): boolean {
  if (headers['sec-purpose'] !== undefined || headers.purpose === 'prefetch') return false;
  const destination = headers['sec-fetch-dest'];
  return destination === undefined || destination === 'empty';
}
