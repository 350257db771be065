/**
 * HTTPS of this server itself (docs/operations.md#certificates). One TLS listener presents the
 * certificate of the name that the client asks for. A connection of HTTP/1.1 then goes to the app's
 * own server, with all its limits; one of HTTP/2 through http2-bridge.ts.
 */
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type SecureContext, type Server, type TlsOptions } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { HttpsConfig } from '../config/https.ts';
import type { Deps } from '../context/deps.ts';
import {
  type CertificateHolder,
  loadCertificate,
  openCertificates,
  watchCertificate,
} from '../features/support/certificates/index.ts';
import { markDirect } from './forwarded.ts';
import { createHttp2Bridge } from './http2-bridge.ts';

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** Time that open connections have for their last responses when the server closes. */
const CLOSE_TIMEOUT_MS = 5_000;
const CERTIFICATE_LOOK_MS = 30_000;
const MIN_VERSION = 'TLSv1.2';

export type RunningTls = { readonly port: number; readonly close: () => Promise<void> };

/** Chooses a certificate by name. Without a context of its own, a name gets the default one. */
const chooseBy =
  (holder: CertificateHolder, { logger }: Pick<Deps, 'logger'>): TlsOptions['SNICallback'] =>
  (name, done) => {
    holder.find(name).then(
      (context: SecureContext | null) => done(null, context ?? undefined),
      error => {
        logger.debug({ err: error }, 'could not load a certificate');
        done(null);
      },
    );
  };

/** Creates the listener, and passes its connections to the app. */
function createListener(app: FastifyInstance, options: TlsOptions) {
  const { connectionGuard: guard } = app;
  const http2 = createHttp2Bridge(app, guard);
  /** Connections by the address of their client, which TLS keeps. */
  const counted = new Map<string, Socket>();
  const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  const server = createServer(options, socket => {
    socket.on('error', () => socket.destroy());
    const raw = counted.get(nameOf(socket));
    if (raw === undefined) {
      socket.destroy();
      return;
    }
    guard.replace(raw, socket);
    markDirect(socket);
    if (socket.alpnProtocol === 'h2') http2.accept(socket);
    else app.server.emit('connection', socket);
  });
  // Counted before the handshake, which costs the most.
  server.on('connection', (raw: Socket) => {
    if (!guard.admit(raw)) return;
    const name = nameOf(raw);
    counted.set(name, raw);
    raw.once('close', () => {
      if (counted.get(name) === raw) counted.delete(name);
    });
  });
  // Handshakes that fail are the client's affair.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return { server, counted, http2 };
}

async function closeListener({ server, counted, http2 }: ReturnType<typeof createListener>): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()));
  await http2.close();
  const cut = setTimeout(() => {
    for (const socket of counted.values()) socket.destroy();
  }, CLOSE_TIMEOUT_MS).unref();
  await closed;
  clearTimeout(cut);
}

const listen = (server: Server, { port, host }: HttpsConfig): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });

/** Starts HTTPS for an app. Rejects when the port is unavailable. */
export async function startTls(app: FastifyInstance, deps: Deps, https: HttpsConfig): Promise<RunningTls> {
  const hostname = new URL(deps.config.publicUrl).hostname;
  const first = await loadCertificate(deps, hostname);
  const holder = https.acme === null ? null : await openCertificates(deps);
  const listener = createListener(app, {
    ...first,
    minVersion: MIN_VERSION,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    ...(holder === null ? {} : { SNICallback: chooseBy(holder, deps) }),
  });
  const { server } = listener;
  const watched = { label: 'HTTPS', hostname, lookMs: CERTIFICATE_LOOK_MS } as const;
  const watch = watchCertificate(deps, watched, first, pair =>
    server.setSecureContext({ ...pair, minVersion: MIN_VERSION }),
  );
  const stop = (): void => {
    watch.stop();
    holder?.close();
  };
  try {
    await listen(server, https);
  } catch (error) {
    stop();
    throw error;
  }
  server.on('error', error => deps.logger.warn({ err: error }, 'HTTPS listener failed'));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      stop();
      await closeListener(listener);
    },
  };
}
