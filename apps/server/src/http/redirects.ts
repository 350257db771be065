/**
 * The listener on port 80 where this server provides HTTPS: answers the challenges of certificate
 * authorities (RFC 8555 §8.3), on every machine, and redirects everything else to HTTPS.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkOf } from '../adapters/network.ts';
import type { HttpsConfig } from '../config/https.ts';
import { HOSTNAME } from '../config/mx.ts';
import type { Deps } from '../context/deps.ts';
import { responseToChallenge } from '../features/support/certificates/index.ts';

const CHALLENGE_PATH = '/.well-known/acme-challenge/';
const TIMEOUT_MS = 5_000;
const CONNECTIONS_MAX = 2_000;
/** Connections from one network (docs/operations.md): one client must not occupy the listener. */
const PER_NETWORK_MAX = 50;
/** Longest path that is redirected. */
const PATH_MAX_CHARACTERS = 2_000;

export type RunningRedirects = { readonly port: number; readonly close: () => Promise<void> };

/**
 * Returns the same address with https, at the port of the service's own URL; that URL where the
 * request names no valid host.
 */
function locationOf({ headers, url = '/' }: IncomingMessage, publicUrl: string): string {
  const host = (headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
  const { origin, port } = new URL(publicUrl);
  const to = HOSTNAME.test(host) ? `https://${host}${port === '' ? '' : `:${port}`}` : origin;
  return to + (url.startsWith('/') && url.length <= PATH_MAX_CHARACTERS ? url : '/');
}

async function respond(
  deps: Pick<Deps, 'config' | 'db'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '/', method } = request;
  response.setHeader('connection', 'close');
  if (url.startsWith(CHALLENGE_PATH)) {
    const text = await responseToChallenge(deps, url.slice(CHALLENGE_PATH.length));
    response.writeHead(text === null ? 404 : 200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(text ?? '');
    return;
  }
  // A form that was sent in cleartext is not repeated: only reading is redirected.
  const isReading = method === 'GET' || method === 'HEAD';
  response
    .writeHead(
      isReading ? 308 : 403,
      isReading ? { location: locationOf(request, deps.config.publicUrl) } : {},
    )
    .end();
}

/** Closes connections beyond the limit of their network. */
function limitNetworks(server: Server): void {
  const counts = new Map<string, number>();
  server.on('connection', socket => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (counts.get(network) ?? 0) + 1;
    counts.set(network, count);
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
    if (count > PER_NETWORK_MAX) socket.destroy();
  });
}

/** Starts the listener. Rejects when the port is unavailable. */
export async function startRedirects(
  deps: Pick<Deps, 'config' | 'db' | 'logger'>,
  https: HttpsConfig,
): Promise<RunningRedirects> {
  const server = createServer(
    { headersTimeout: TIMEOUT_MS, requestTimeout: TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_MS / 2 },
    (request, response) => {
      request.resume();
      respond(deps, request, response).catch(error => {
        deps.logger.warn({ err: error }, 'could not answer a challenge');
        response.writeHead(503).end();
      });
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  limitNetworks(server);
  server.timeout = 2 * TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(https.redirectPort, https.host, resolve);
  });
  server.on('error', error => deps.logger.warn({ err: error }, 'HTTP listener failed'));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
