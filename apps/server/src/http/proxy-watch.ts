/**
 * Logs proxies that do not forward the client's address: all their visitors then share one address,
 * and with it rate limits and rejections. Logs each address once; clients that make requests of
 * their own (probes, programs on this machine) are excluded.
 */
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { plainAddress } from '../adapters/network.ts';
import type { Logger } from '../base/logger.ts';
import { createNetworkTest } from '../config/networks.ts';

/** Maximum number of addresses logged: a trusted network may be large. */
const NAMED_MAX = 100;
const LOOPBACK = ['127.0.0.0/8', '::1'];
const PROBES = new Set(['/health', '/ready']);
/** Headers that proxies add besides the visitor's address. */
const SIGNS = ['x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];
const LOCAL_HOST = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/i;

/** Returns whether a proxy made a request from this machine for another client. */
function isPassedOn({ headers }: FastifyRequest): boolean {
  const isLocalHost = LOCAL_HOST.test(headers.host ?? 'localhost');
  const isLocalOrigin =
    headers.origin === undefined || LOCAL_HOST.test(headers.origin.replace(/^\w+:\/\//, ''));
  return !isLocalHost || !isLocalOrigin || SIGNS.some(name => headers[name] !== undefined);
}

/** Checks each request from a trusted address that names no visitor. */
export function watchProxies(
  app: FastifyInstance,
  { logger, trustedProxies }: { readonly logger: Logger; readonly trustedProxies: readonly string[] },
): void {
  const isOnThisMachine = createNetworkTest(LOOPBACK);
  const isTrusted = createNetworkTest([...LOOPBACK, ...trustedProxies]);
  const named = new Set<string>();
  app.addHook('onRequest', async request => {
    if (named.size >= NAMED_MAX || request.headers['x-forwarded-for'] !== undefined) return;
    const { remoteAddress, encrypted } = request.socket as Partial<TLSSocket>;
    // Over TLS of this server itself, the client is the visitor.
    if (remoteAddress === undefined || encrypted === true || PROBES.has(request.url.split('?', 1)[0] ?? ''))
      return;
    const proxy = plainAddress(remoteAddress);
    if (named.has(proxy) || !isTrusted(proxy)) return;
    if (isOnThisMachine(proxy) && !isPassedOn(request)) return;
    named.add(proxy);
    logger.warn(
      { proxy },
      'trusted proxy sends no X-Forwarded-For, so all its visitors count as one address: set the header there',
    );
  });
}
