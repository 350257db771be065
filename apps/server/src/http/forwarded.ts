/**
 * Headers in which proxies name their clients. Connections that this server itself accepts over TLS
 * have no proxy in front that would overwrite them, so any client could name any address.
 */
import type { FastifyInstance } from 'fastify';

/** Sockets of HTTPS of this server itself. */
const direct = new WeakSet<object>();

/** Marks a connection as one without a proxy. */
export function markDirect(socket: object): void {
  direct.add(socket);
}

/** Removes the headers. */
export function dropForwarded(headers: Record<string, unknown>): void {
  for (const name of Object.keys(headers))
    if (name === 'forwarded' || name === 'x-real-ip' || name.startsWith('x-forwarded-')) delete headers[name];
}

/** Ignores the headers on connections without a proxy. Register it before all other hooks. */
export function ignoreForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (direct.has(raw.socket)) dropForwarded(raw.headers);
  });
}
