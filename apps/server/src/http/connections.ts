/**
 * How many connections the HTTP server holds, in all and from one network. At a limit a newcomer takes the place of the
 * connection that has got nothing done for longest: one that is idle between requests, or whose header or body does not come.
 * A request that is being answered, an event stream too, is never cut for another; when all are, the newcomer is sent away.
 * What a proxy brings is many people's, so the limit of a network is not for proxies.
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../adapters/network.ts';
import { counter } from '../metrics.ts';

export type ConnectionLimits = {
  readonly totalMax: number;
  readonly perNetworkMax: number;
  /** How long a connection must have got nothing done before it gives way, milliseconds. */
  readonly staleMs: number;
};

const CONNECTIONS_MAX = 20_000;
const PER_NETWORK_MAX = 1_000;
const STALE_MS = 10_000;
/** Bytes of a body that count as getting something done. */
const PROGRESS_BYTES = 16 * 1024;
/** Connections that are looked at to make room for one. */
const LOOKED_AT_MAX = 64;
/** Descriptors for everything that is no connection of a client: database, files, mail. */
const KEPT_DESCRIPTORS = 1_500;
const CONNECTIONS_MIN = 100;
const CONNECTIONS_WANTED = 10_000;

const SENT_AWAY =
  'HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

const refusals = counter(
  'keyfold_http_connections_refused_total',
  'Connections that were sent away, or gave way to another',
  ['outcome'],
);

/** How many files this process may have open; infinite where the system does not say. */
export const openFilesMax = (limitsFile = '/proc/self/limits'): number => {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'latin1'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

/** Limits that fit the files which this process may have open. */
export const limitsFor = (filesMax: number): ConnectionLimits => {
  const totalMax = Math.max(CONNECTIONS_MIN, Math.min(CONNECTIONS_MAX, filesMax - KEPT_DESCRIPTORS));
  return { totalMax, perNetworkMax: Math.min(PER_NETWORK_MAX, totalMax), staleMs: STALE_MS };
};

/** Whether the limits are so low that an ordinary service may meet them. */
export const isCramped = ({ totalMax }: ConnectionLimits): boolean => totalMax < CONNECTIONS_WANTED;

/** Sets keep the order of insertion, and progress inserts anew: the first that waits is the stalest. */
type Crowd = { readonly waiting: Set<Guest>; size: number };
type Guest = {
  readonly socket: Socket;
  readonly crowds: readonly Crowd[];
  activeAt: number;
  /** Bytes that had come when it last got something done. */
  readBytes: number;
  /** Requests that are being answered. */
  answering: number;
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Guards the connections of an app; to be called before it listens. `isProxy` says whose connections are many people's. */
export const guardConnections = (
  app: FastifyInstance,
  { totalMax, perNetworkMax, staleMs }: ConnectionLimits,
  isProxy: (ip: string) => boolean,
): void => {
  const all: Crowd = { waiting: new Set(), size: 0 };
  const networks = new Map<string, Crowd>();
  const guests = new WeakMap<Socket, Guest>();

  const progress = (guest: Guest): void => {
    guest.activeAt = performance.now();
    guest.readBytes = guest.socket.bytesRead;
    for (const { waiting } of guest.crowds) {
      waiting.delete(guest);
      if (guest.answering === 0) waiting.add(guest);
    }
  };

  const leave = (guest: Guest): void => {
    for (const crowd of guest.crowds) {
      crowd.waiting.delete(guest);
      crowd.size--;
    }
  };

  const makeRoom = ({ waiting, size }: Crowd, max: number): boolean => {
    if (size < max) return true;
    for (let looked = 0; looked < LOOKED_AT_MAX; looked++) {
      const [guest] = waiting;
      if (guest === undefined) return false;
      if (guest.socket.bytesRead - guest.readBytes >= PROGRESS_BYTES) {
        progress(guest);
        continue;
      }
      if (performance.now() - guest.activeAt < staleMs) return false;
      guest.socket.destroy();
      refusals.inc({ outcome: 'gave_way' });
      // Its 'close' comes later, and finds that it has left.
      guests.delete(guest.socket);
      leave(guest);
      return true;
    }
    return false;
  };

  app.server.on('connection', (socket: Socket) => {
    const ip = socket.remoteAddress ?? '';
    const network = networkOf(ip);
    const own = isProxy(ip) ? null : (networks.get(network) ?? { waiting: new Set<Guest>(), size: 0 });
    if ((own !== null && !makeRoom(own, perNetworkMax)) || !makeRoom(all, totalMax)) {
      refusals.inc({ outcome: 'sent_away' });
      socket.on('error', () => undefined);
      socket.write(SENT_AWAY);
      socket.destroySoon();
      return;
    }
    if (own !== null) networks.set(network, own);
    const guest: Guest = {
      socket,
      crowds: own === null ? [all] : [all, own],
      activeAt: 0,
      readBytes: 0,
      answering: 0,
    };
    for (const crowd of guest.crowds) crowd.size++;
    guests.set(socket, guest);
    progress(guest);
    socket.once('close', () => {
      if (guests.delete(socket)) leave(guest);
      if (own?.size === 0 && networks.get(network) === own) networks.delete(network);
    });
  });

  app.addHook('onRequest', async (request, reply) => {
    const guest = guests.get(request.raw.socket);
    if (guest === undefined) return;
    let isAnswering = false;
    const begin = () => {
      if (isAnswering || !guests.has(guest.socket)) return;
      isAnswering = true;
      guest.answering++;
      progress(guest);
    };
    if (hasBody(request)) {
      progress(guest);
      request.raw.once('end', begin);
    } else begin();
    reply.raw.once('close', () => {
      request.raw.off('end', begin);
      if (!isAnswering) return;
      guest.answering--;
      if (guests.has(guest.socket)) progress(guest);
    });
  });
};
