/**
 * Names and attributes of our cookies. Over HTTPS they have the prefixes that prevent other hosts
 * of the same domain from setting them. features/accounts/auth defines their values.
 */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieChange, CookieName } from '../context/call-context.ts';

/**
 * The session cookie is sent with every request; device and pending only to the paths that need
 * them.
 */
const COOKIES: Readonly<Record<CookieName, { path: string; sameSite: 'lax' | 'strict'; prefix: string }>> = {
  session: { path: '/', sameSite: 'lax', prefix: '__Host-' },
  device: { path: '/auth', sameSite: 'strict', prefix: '__Secure-' },
  pending: { path: '/auth', sameSite: 'strict', prefix: '__Secure-' },
  // Recognizes a browser that signed in before; grants no access, and survives signing out.
  browser: { path: '/auth', sameSite: 'strict', prefix: '__Secure-' },
};

const nameOf = (name: CookieName, isSecure: boolean): string =>
  `${isSecure ? COOKIES[name].prefix : ''}keyfold_${name}`;

/** Returns the value of one of our cookies, or undefined when it is absent or empty. */
export const readCookie = (
  request: FastifyRequest,
  name: CookieName,
  isSecure: boolean,
): string | undefined => request.cookies[nameOf(name, isSecure)] || undefined;

/** Returns whether the browser sent any of our cookies, under either name. */
export const hasOwnCookie = (request: FastifyRequest): boolean =>
  Object.keys(request.cookies).some(name => /^(__Host-|__Secure-)?keyfold_/.test(name));

/** Writes a cookie change into the reply. */
export function writeCookie(reply: FastifyReply, change: CookieChange, isSecure: boolean): void {
  const { path, sameSite } = COOKIES[change.name];
  const attributes: CookieSerializeOptions = { path, sameSite, httpOnly: true, secure: isSecure };
  const name = nameOf(change.name, isSecure);
  if (change.value === null) {
    void reply.clearCookie(name, attributes);
    return;
  }
  void reply.setCookie(name, change.value, {
    ...attributes,
    ...(change.lifetimeMs === undefined ? {} : { maxAge: Math.floor(change.lifetimeMs / 1000) }),
  });
}
