/**
 * The names and attributes of our cookies. Over HTTPS they carry the prefixes that keep other hosts of the same domain
 * from setting them. Their values are features/accounts/auth's.
 */
import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieChange, CookieName } from '../context/call-context.ts';

/** Session goes with every request; device and pending only where they are asked for. */
const COOKIES: Readonly<Record<CookieName, { path: string; sameSite: 'lax' | 'strict'; prefix: string }>> = {
  session: { path: '/', sameSite: 'lax', prefix: '__Host-' },
  device: { path: '/auth', sameSite: 'strict', prefix: '__Secure-' },
  pending: { path: '/auth', sameSite: 'strict', prefix: '__Secure-' },
  // Knows a browser again that signed in before; opens nothing, and stays when one signs out.
  browser: { path: '/auth', sameSite: 'strict', prefix: '__Secure-' },
};

const nameOf = (name: CookieName, isSecure: boolean): string =>
  `${isSecure ? COOKIES[name].prefix : ''}keyfold_${name}`;

/** The value of one of our cookies, undefined when it is absent or empty. */
export const readCookie = (
  request: FastifyRequest,
  name: CookieName,
  isSecure: boolean,
): string | undefined => request.cookies[nameOf(name, isSecure)] || undefined;

/** Whether the browser sent any of our cookies, under either name. */
export const hasOwnCookie = (request: FastifyRequest): boolean =>
  Object.keys(request.cookies).some(name => /^(__Host-|__Secure-)?keyfold_/.test(name));

/** Writes a change of a cookie into the reply. */
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
