/**
 * HTTPS of this server itself (docs/operations.md#certificates). One TLS listener presents the
 * certificate of the name that the client asks for. A connection of HTTP/1.1 then goes to the app's
 * own server, with all its limits; one of HTTP/2 to a second server, whose requests the same app
 * answers.
 *
 * [Note: Idle sessions] A session of HTTP/2 without traffic is asked to end; one that does not is
 * ended. Event streams have a heartbeat, so they count as traffic.
 */
import { createServer as createHttp2Server, type Http2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer, type SecureContext, type TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { HttpsConfig } from '../config/https.ts';
import type { Deps } from '../context/deps.ts';
import {
  loadCertificate,
  openCertificates,
  watchCertificate,
} from '../features/support/certificates/index.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 60_000;
/** Time that open sessions have for their last responses when the server closes. */
const CLOSE_TIMEOUT_MS = 5_000;
const CERTIFICATE_LOOK_MS = 30_000;

/** Limits of one session of HTTP/2. */
const HTTP2_OPTIONS = {
  settings: {
    maxConcurrentStreams: 100,
    // Uploads would otherwise wait for the client after every 64 KiB.
    initialWindowSize: 512 * 1024,
    // As much as Node accepts with HTTP/1.
    maxHeaderListSize: 16 * 1024,
    enablePush: false,
  },
  maxSessionInvalidFrames: 100,
} as const;

export type RunningTls = { readonly port: number; readonly close: () => Promise<void> };

/** Passes connections of HTTP/2 to the app. */
function serveHttp2(app: FastifyInstance) {
  const { connectionGuard: guard } = app;
  const route = app.routing as unknown as Parameters<typeof createHttp2Server>[1];
  const server = createHttp2Server(HTTP2_OPTIONS, route);
  const sessions = new Set<Http2Session>();
  let connecting: Socket | null = null;
  server.on('session', session => {
    if (connecting !== null) guard.link(session, connecting);
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    // Errors of one client; the session ends by itself.
    session.on('error', () => undefined);
    session.setTimeout(IDLE_TIMEOUT_MS, () => {
      session.close();
      setTimeout(() => session.destroy(), IDLE_TIMEOUT_MS).unref();
    });
  });
  return {
    accept: (socket: TLSSocket): void => {
      if (!guard.admit(socket)) return;
      connecting = socket;
      // The session is created before this returns.
      server.emit('connection', socket);
      connecting = null;
    },
    close: async (): Promise<void> => {
      const closed = [...sessions].map(
        session =>
          new Promise<void>(resolve => {
            session.once('close', resolve);
            session.close();
            setTimeout(() => session.destroy(), CLOSE_TIMEOUT_MS).unref();
          }),
      );
      await Promise.all(closed);
    },
  };
}

/** Starts HTTPS for an app. Rejects when the port is unavailable. */
export async function startTls(
  app: FastifyInstance,
  deps: Deps,
  { host, port }: HttpsConfig,
): Promise<RunningTls> {
  const hostname = new URL(deps.config.publicUrl).hostname;
  const first = await loadCertificate(deps, hostname);
  const holder = await openCertificates(deps);
  const http2 = serveHttp2(app);
  const find = (name: string, done: (error: Error | null, context?: SecureContext) => void): void => {
    holder.find(name).then(
      // Without a context of its own, a name gets the default one.
      context => done(null, context ?? undefined),
      error => {
        deps.logger.debug({ err: error }, 'could not load a certificate');
        done(null);
      },
    );
  };
  const server = createTlsServer(
    {
      ...first,
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['h2', 'http/1.1'],
      SNICallback: find,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    },
    socket => {
      socket.on('error', () => socket.destroy());
      if (socket.alpnProtocol === 'h2') http2.accept(socket);
      else app.server.emit('connection', socket);
    },
  );
  // Handshakes that fail are the client's affair.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  const watch = watchCertificate(
    deps,
    { label: 'HTTPS', hostname, lookMs: CERTIFICATE_LOOK_MS },
    first,
    pair => server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' }),
  );
  const stop = (): void => {
    watch.stop();
    holder.close();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    stop();
    throw error;
  }
  server.on('error', error => deps.logger.warn({ err: error }, 'HTTPS listener failed'));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      stop();
      server.close();
      await http2.close();
    },
  };
}
