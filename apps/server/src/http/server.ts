/**
 * Assembles the HTTP layer: the framework's settings, the hooks that every request passes, and the
 * mounted routes. It constructs no feature; app.ts passes the handlers in.
 */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import type { CallTable } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify';
import { createDiskRoom } from '../adapters/disk-room.ts';
import { httpDuration } from '../base/metrics.ts';
import { createNetworkTest } from '../config/networks.ts';
import type { Deps } from '../context/deps.ts';
import { isSecureRequest } from './access.ts';
import { createBodyBudget } from './body-budget.ts';
import { NO_CALL_BYTES } from './body-limits.ts';
import { isCramped, limitsFor, openFilesMax } from './connection-limits.ts';
import { type ConnectionGuard, guardConnections } from './connections.ts';
import { mountDocs } from './docs.ts';
import { replyWithError } from './errors.ts';
import type { OpenStreams } from './events.ts';
import { ignoreForwarded } from './forwarded.ts';
import { mountMailPolicy, serveOnlyMailPolicy } from './mail-policy.ts';
import { type HandlerTable, mountCalls } from './mount.ts';
import { admitNativeClients } from './native-clients.ts';
import { mountProbes } from './probes.ts';
import { watchProxies } from './proxy-watch.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { limitRequestTime } from './request-timeout.ts';
import { securityHeaders } from './security-headers.ts';
import { mountAppLinks, mountSiteFiles } from './site-files.ts';
import { keepSpoolsTidy } from './spool.ts';
import { startTls } from './tls-listener.ts';
import { createUploadPlaces } from './upload-places.ts';
import { mountWebClient } from './web-client.ts';

/** Time by which headers must be complete; after them, only the idle limit applies. */
const HEADERS_TIMEOUT_MS = 20_000;
/** A connection without traffic is closed: slow uploads survive, silent ones do not. */
const IDLE_TIMEOUT_MS = 60_000;
/** Interval of the check for connections whose headers do not arrive. */
const HEADERS_LOOK_MS = 5_000;
/** Responses to invalid requests, by the codes of Node's parser; all others get 400. */
const BROKEN_REQUESTS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};
const URL_PARAMETER_MAX_CHARACTERS = 256;

export type HttpOptions = {
  readonly table: CallTable;
  readonly handlers: HandlerTable;
  /** Folder of the built web client. */
  readonly webRoot: string;
  /** Hash of the sources that the client in that folder must be built from; null accepts any. */
  readonly build: string | null;
};

export type RunningHttp = {
  readonly port: number;
  /** Port of HTTPS; null when a proxy provides it. */
  readonly httpsPort: number | null;
  /** Stops accepting connections, lets running requests finish, and ends event streams. */
  readonly close: () => Promise<void>;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Limits for connections that another listener accepts. */
    readonly connectionGuard: ConnectionGuard;
  }
  interface FastifyContextConfig {
    /** Whether the handler receives the body as bytes. */
    isSigned?: boolean;
    /** How long a request may take to arrive where that is longer than usual, in milliseconds. */
    arrivesWithinMs?: number;
    /** Whether callers need no session. */
    isPublic?: boolean;
    /** Whether its response stays open for as long as its client stays connected. */
    isLasting?: boolean;
  }
}

function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Plain text is not parsed as JSON: a form of another site can send it without a preflight.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Another service signed exactly these bytes.
    if (request.routeOptions.config.isSigned === true) return done(null, body);
    if (body.length === 0) return done(null, {});
    try {
      // A key named __proto__ stays a plain property: the schemas drop unknown fields.
      done(null, JSON.parse(body.toString('utf8')));
    } catch {
      done(new AppError('malformed', { message: 'The body is not valid JSON' }));
    }
  });
}

function observe(app: FastifyInstance, { logger, config }: Deps): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    reply.headers(securityHeaders(path, isSecureRequest(request, config.publicUrl)));
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const status = reply.statusCode;
    httpDuration.observe({ method, route, status }, reply.elapsedTime / 1000);
    // The template, not the path: paths contain ids, queries contain searches.
    const line = { requestId: request.id, method, route, status, ms: Math.round(reply.elapsedTime) };
    logger[status < 400 ? 'debug' : 'info'](line, 'request');
  });
}

/** Returns the server, ready to listen. */
export async function createHttpServer(deps: Deps, options: HttpOptions): Promise<FastifyInstance> {
  const limits = limitsFor(openFilesMax());
  if (isCramped(limits))
    deps.logger.warn(
      { connectionsMax: limits.totalMax },
      'low limit on open files: raise it (LimitNOFILE=65536, ulimit -n) for more connections',
    );
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    // A proxy on this machine, or one in the configuration, names the client's address; other
    // sources are ignored.
    trustProxy: ['loopback', ...deps.config.trustedProxies],
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: URL_PARAMETER_MAX_CHARACTERS },
    connectionTimeout: IDLE_TIMEOUT_MS,
    // API calls have their own limits (body-limits.ts).
    bodyLimit: NO_CALL_BYTES,
    // Bodies have a time limit per route (request-timeout.ts); the framework's would end all of
    // them after the same time.
    requestTimeout: 0,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: HEADERS_LOOK_MS },
    forceCloseConnections: 'idle',
    // Requests that reach no route, because their address cannot be parsed.
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders('/', false));
      replyWithError(deps.logger, error, request, reply as FastifyReply);
    },
    clientErrorHandler: ({ code }, socket) => {
      const status = BROKEN_REQUESTS[code ?? ''] ?? '400 Bad Request';
      if (socket.writable)
        socket.write(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      // Not merely ended: a client that keeps sending would keep its half of the connection, and so
      // the whole connection, open indefinitely.
      socket.destroySoon();
    },
  });
  const streams: OpenStreams = new Set();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.abort();
  });
  app.setErrorHandler((error, request, reply) => replyWithError(deps.logger, error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    replyWithError(deps.logger, new AppError('not_found'), request, reply),
  );
  acceptJson(app);
  await app.register(cookie);
  await app.register(multipart, { throwFileSizeLimit: false });
  ignoreForwarded(app);
  observe(app, deps);
  serveOnlyMailPolicy(app);
  const isProxy = createNetworkTest(['127.0.0.0/8', '::1', ...deps.config.trustedProxies]);
  const guard = guardConnections(app, limits, isProxy);
  app.decorate('connectionGuard', guard);
  watchProxies(app, { logger: deps.logger, trustedProxies: deps.config.trustedProxies });
  admitNativeClients(app, deps.config.publicUrl);
  limitRequestTime(app);
  mountCalls(app, options.table, options.handlers, {
    deps,
    limiter: createRateLimiter(deps),
    streams,
    budget: createBodyBudget(),
    places: createUploadPlaces(),
    disk: createDiskRoom(deps.config),
  });
  mountProbes(app, deps);
  mountMailPolicy(app, deps);
  mountSiteFiles(app, deps);
  mountAppLinks(app, deps.config);
  mountDocs(app, options.table, deps.config.publicUrl);
  await mountWebClient(app, options, deps);
  return app;
}

/**
 * Listens on the configured host and port, and for HTTPS where the settings ask for it. Rejects
 * with EADDRINUSE when a port is in use.
 */
export async function startHttp(deps: Deps, options: HttpOptions): Promise<RunningHttp> {
  const app = await createHttpServer(deps, options);
  const stopTidying = await keepSpoolsTidy(deps.config.dataDir);
  app.addHook('onClose', async () => stopTidying());
  await app.listen({ port: deps.config.httpPort, host: deps.config.httpHost });
  const { port } = app.server.address() as AddressInfo;
  const { https } = deps.config;
  if (https === null) return { port, httpsPort: null, close: () => app.close() };
  try {
    const tls = await startTls(app, deps, https);
    const close = async () => {
      // Both at once: connections with TLS end with the last response of the app.
      await Promise.all([tls.close(), app.close()]);
    };
    return { port, httpsPort: tls.port, close };
  } catch (error) {
    await app.close();
    throw error;
  }
}
