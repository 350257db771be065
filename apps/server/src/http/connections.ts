/**
 * How many connections the HTTP server holds, in all, from one network and from one site. At a limit a newcomer takes the place of the
 * connection that has got nothing done for longest: one that is idle between requests, or whose header or body does not come.
 * What we are working on, and an event stream, is never cut for another; when all are that, the newcomer is sent away.
 * What a proxy brings is many people's, so the limits of a network and a site are not for proxies.
 *
 * [Note: Readers who do not read] An answer that waits for its reader is theirs to take: one of which nothing much went for the
 * same time gives way like the others, and one that stays below a rate for a minute is ended, room or none.
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf, siteOf } from '../adapters/network.ts';
import { counter } from '../base/metrics.ts';

export type ConnectionLimits = {
  readonly totalMax: number;
  readonly perNetworkMax: number;
  /** Of a /24 of IPv4 or a /48 of IPv6, in which there may be hundreds of networks. */
  readonly perSiteMax: number;
  /** How long a connection must have got nothing done before it gives way, milliseconds. */
  readonly staleMs: number;
  /** Within how long something must go of an answer that waits for its reader, milliseconds. */
  readonly slowMs?: number;
};

const CONNECTIONS_MAX = 20_000;
const PER_NETWORK_MAX = 1_000;
const STALE_MS = 10_000;
const SLOW_MS = 60_000;
/** Bytes of an answer that a reader takes in that time at least. */
const SLOW_MIN_BYTES = 32 * 1024;
/** Bytes of a body, or of an answer, that count as getting something done. */
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
export function openFilesMax(limitsFile = '/proc/self/limits'): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsFile, 'latin1'))?.[1];
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Limits that fit the files which this process may have open. */
export function limitsFor(filesMax: number): ConnectionLimits {
  const totalMax = Math.max(CONNECTIONS_MIN, Math.min(CONNECTIONS_MAX, filesMax - KEPT_DESCRIPTORS));
  const perNetworkMax = Math.min(PER_NETWORK_MAX, totalMax);
  // Whoever has one site leaves as much to all others.
  const perSiteMax = Math.max(perNetworkMax, Math.floor(totalMax / 2));
  return { totalMax, perNetworkMax, perSiteMax, staleMs: STALE_MS };
}

/** Whether the limits are so low that an ordinary service may meet them. */
export const isCramped = ({ totalMax }: ConnectionLimits): boolean => totalMax < CONNECTIONS_WANTED;

/** Sets keep the order of insertion, and progress inserts anew: the first that waits is the stalest. */
type Crowd = { readonly waiting: Set<Guest>; readonly answered: Set<Guest>; size: number };
type Guest = {
  readonly socket: Socket;
  readonly crowds: readonly Crowd[];
  activeAt: number;
  /** Bytes that had come when it last got something done. */
  readBytes: number;
  /** Requests that are being answered. */
  answering: number;
  /** Those of them that are event streams. */
  lasting: number;
  /** Bytes of answers that had gone when it last got something done. */
  sentBytes: number;
  /** Since when an answer waits for its reader, and what had gone then; null while nothing waits. */
  slowSince: { readonly at: number; readonly sentBytes: number } | null;
};

/**
 * How many bytes the system has passed on. What Node counts is what the system was given; of one long write its queue, by which
 * Node itself tells slow readers from silent ones, says how much of it waits.
 */
function readSentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}

/** Whether bytes wait for their reader. */
const isBlocked = ({ socket }: Guest): boolean => socket.writableLength > 0;

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Guards the connections of an app; to be called before it listens. `isProxy` says whose connections are many people's. */
export function guardConnections(
  app: FastifyInstance,
  { totalMax, perNetworkMax, perSiteMax, staleMs, slowMs = SLOW_MS }: ConnectionLimits,
  isProxy: (ip: string) => boolean,
): void {
  const all: Crowd = { waiting: new Set(), answered: new Set(), size: 0 };
  const [networks, sites] = [new Map<string, Crowd>(), new Map<string, Crowd>()];
  const guests = new WeakMap<Socket, Guest>();

  const progress = (guest: Guest): void => {
    guest.activeAt = performance.now();
    guest.readBytes = guest.socket.bytesRead;
    guest.sentBytes = readSentBytes(guest.socket);
    for (const { waiting, answered } of guest.crowds) {
      waiting.delete(guest);
      answered.delete(guest);
      if (guest.answering === 0) waiting.add(guest);
      else if (guest.lasting === 0) answered.add(guest);
    }
  };

  const leave = (guest: Guest): void => {
    for (const crowd of guest.crowds) {
      crowd.waiting.delete(guest);
      crowd.answered.delete(guest);
      crowd.size--;
    }
  };

  const end = (guest: Guest, outcome: 'gave_way' | 'read_too_slowly'): void => {
    guest.socket.destroy();
    refusals.inc({ outcome });
    // Its 'close' comes later, and finds that it has left.
    guests.delete(guest.socket);
    leave(guest);
  };

  const hasProgress = (guest: Guest): boolean =>
    guest.answering === 0
      ? guest.socket.bytesRead - guest.readBytes >= PROGRESS_BYTES
      : !isBlocked(guest) || readSentBytes(guest.socket) - guest.sentBytes >= PROGRESS_BYTES;

  /** Ends the stalest of some, the first first; false when none is stale. */
  const endStalest = (guestsInOrder: Set<Guest>): boolean => {
    for (let looked = 0; looked < LOOKED_AT_MAX; looked++) {
      const [guest] = guestsInOrder;
      if (guest === undefined) return false;
      if (hasProgress(guest)) {
        progress(guest);
        continue;
      }
      if (performance.now() - guest.activeAt < staleMs) return false;
      end(guest, 'gave_way');
      return true;
    }
    return false;
  };

  const makeRoom = ({ waiting, answered, size }: Crowd, max: number): boolean =>
    size < max || endStalest(waiting) || endStalest(answered);

  /** Ends a guest whose answer has been waiting for long, and of which too little went meanwhile. */
  const endIfSlow = (guest: Guest): void => {
    const now = performance.now();
    const sentBytes = readSentBytes(guest.socket);
    const { slowSince } = guest;
    if (!isBlocked(guest)) guest.slowSince = null;
    else if (slowSince === null) guest.slowSince = { at: now, sentBytes };
    else if (now - slowSince.at >= slowMs) {
      if (sentBytes - slowSince.sentBytes < SLOW_MIN_BYTES) end(guest, 'read_too_slowly');
      else guest.slowSince = { at: now, sentBytes };
    }
  };

  const looking = setInterval(() => {
    for (const guest of [...all.answered]) {
      if (hasProgress(guest)) progress(guest);
      endIfSlow(guest);
    }
  }, Math.min(staleMs, slowMs) / 2).unref();
  app.addHook('onClose', async () => clearInterval(looking));

  /** What else a connection counts for than for all. */
  const placesOf = (ip: string) => {
    if (isProxy(ip)) return [];
    const places = [
      { crowds: networks, key: networkOf(ip), max: perNetworkMax },
      { crowds: sites, key: siteOf(ip), max: perSiteMax },
    ];
    return places.map(place => ({
      ...place,
      crowd: place.crowds.get(place.key) ?? {
        waiting: new Set<Guest>(),
        answered: new Set<Guest>(),
        size: 0,
      },
    }));
  };

  app.server.on('connection', (socket: Socket) => {
    const places = placesOf(socket.remoteAddress ?? '');
    if (places.some(({ crowd, max }) => !makeRoom(crowd, max)) || !makeRoom(all, totalMax)) {
      refusals.inc({ outcome: 'sent_away' });
      socket.on('error', () => undefined);
      socket.write(SENT_AWAY);
      socket.destroySoon();
      return;
    }
    for (const { crowds, key, crowd } of places) crowds.set(key, crowd);
    const guest: Guest = {
      socket,
      crowds: [all, ...places.map(({ crowd }) => crowd)],
      activeAt: 0,
      readBytes: 0,
      answering: 0,
      lasting: 0,
      sentBytes: 0,
      slowSince: null,
    };
    for (const crowd of guest.crowds) crowd.size++;
    guests.set(socket, guest);
    progress(guest);
    socket.once('close', () => {
      if (guests.delete(socket)) leave(guest);
      for (const { crowds, key, crowd } of places)
        if (crowd.size === 0 && crowds.get(key) === crowd) crowds.delete(key);
    });
  });

  app.addHook('onRequest', async (request, reply) => {
    const guest = guests.get(request.raw.socket);
    if (guest === undefined) return;
    let isAnswering = false;
    const lasting = request.routeOptions.config?.isLasting === true ? 1 : 0;
    const begin = () => {
      if (isAnswering || !guests.has(guest.socket)) return;
      isAnswering = true;
      guest.answering++;
      guest.lasting += lasting;
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
      guest.lasting -= lasting;
      guest.slowSince = null;
      if (guests.has(guest.socket)) progress(guest);
    });
  });
}
