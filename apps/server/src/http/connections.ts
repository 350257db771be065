/**
 * Limits how many connections the HTTP server has: in all, from one network and from one site. At a
 * limit, a new connection replaces the one without progress for longest; if there is none, the new
 * one is refused. A proxy's connections belong to many people, so the limits of a network and a
 * site do not apply to proxies.
 *
 * [Note: Slow readers] A response that waits for its reader does not count as work of the server:
 * without progress it may be replaced like other connections. One that stays below a minimum rate
 * for a minute is ended, even below the limit.
 */
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf, siteOf } from '../adapters/network.ts';
import {
  type Connection,
  type ConnectionGroup,
  checkReader,
  createGroup,
  joinGroups,
  leaveGroups,
  makeRoom,
  noteProgress,
  refusals,
} from './connection-groups.ts';
import type { ConnectionLimits } from './connection-limits.ts';

const SLOW_MS = 60_000;

const SENT_AWAY =
  'HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

type Guard = {
  readonly limits: ConnectionLimits;
  readonly isProxy: (ip: string) => boolean;
  readonly all: ConnectionGroup;
  readonly networks: Map<string, ConnectionGroup>;
  readonly sites: Map<string, ConnectionGroup>;
  readonly connections: WeakMap<Socket, Connection>;
  /** Sockets of HTTP/2 sessions, which hide them. */
  readonly sessions: WeakMap<Http2Session, Socket>;
};

/** The stream of a request of HTTP/2; undefined for HTTP/1. */
const streamOf = ({ raw }: FastifyRequest) => (raw as { stream?: ServerHttp2Stream }).stream;

function socketOf({ sessions }: Guard, request: FastifyRequest): Socket | undefined {
  const session = streamOf(request)?.session;
  return session === undefined ? request.raw.socket : sessions.get(session);
}

function hasBody(request: FastifyRequest): boolean {
  const stream = streamOf(request);
  if (stream !== undefined) return !stream.endAfterHeaders;
  const { headers } = request;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function endConnection(
  { connections }: Guard,
  connection: Connection,
  outcome: 'gave_way' | 'read_too_slowly',
): void {
  connection.socket.destroy();
  refusals.inc({ outcome });
  // Its 'close' event comes later and must not leave the groups a second time.
  connections.delete(connection.socket);
  leaveGroups(connection);
}

/** The groups of an address besides the group of all connections. */
function groupsOf({ isProxy, limits, networks, sites }: Guard, ip: string) {
  if (isProxy(ip)) return [];
  const places = [
    { groups: networks, key: networkOf(ip), max: limits.perNetworkMax },
    { groups: sites, key: siteOf(ip), max: limits.perSiteMax },
  ];
  return places.map(place => ({ ...place, group: place.groups.get(place.key) ?? createGroup() }));
}

function refuse(socket: Socket): void {
  refusals.inc({ outcome: 'sent_away' });
  socket.on('error', () => undefined);
  const { alpnProtocol } = socket as { alpnProtocol?: string | false };
  if (alpnProtocol !== 'h2') socket.write(SENT_AWAY);
  socket.destroySoon();
}

/** Returns whether the connection may stay. */
function handleConnection(guard: Guard, socket: Socket): boolean {
  const { all, connections, limits } = guard;
  const places = groupsOf(guard, socket.remoteAddress ?? '');
  const evict = (connection: Connection): void => endConnection(guard, connection, 'gave_way');
  const hasRoom = (group: ConnectionGroup, max: number): boolean =>
    makeRoom(group, max, limits.staleMs, evict);
  if (places.some(({ group, max }) => !hasRoom(group, max)) || !hasRoom(all, limits.totalMax)) {
    refuse(socket);
    return false;
  }
  for (const { groups, key, group } of places) groups.set(key, group);
  const connection = joinGroups(socket, [all, ...places.map(({ group }) => group)]);
  connections.set(socket, connection);
  socket.once('close', () => {
    if (connections.delete(socket)) leaveGroups(connection);
    for (const { groups, key, group } of places)
      if (group.size === 0 && groups.get(key) === group) groups.delete(key);
  });
  return true;
}

/** Tracks a request from the end of its body to the end of its response. */
function trackRequest(guard: Guard, request: FastifyRequest, reply: FastifyReply): void {
  const { connections } = guard;
  const socket = socketOf(guard, request);
  const connection = socket && connections.get(socket);
  if (connection === undefined) return;
  let isAnswering = false;
  const lasting = request.routeOptions.config?.isLasting === true ? 1 : 0;
  const begin = () => {
    if (isAnswering || !connections.has(connection.socket)) return;
    isAnswering = true;
    connection.answering++;
    connection.lasting += lasting;
    noteProgress(connection);
  };
  if (hasBody(request)) {
    noteProgress(connection);
    request.raw.once('end', begin);
  } else begin();
  reply.raw.once('close', () => {
    request.raw.off('end', begin);
    if (!isAnswering) return;
    connection.answering--;
    connection.lasting -= lasting;
    connection.slowSince = null;
    if (connections.has(connection.socket)) noteProgress(connection);
  });
}

export type ConnectionGuard = {
  /** Counts a connection of HTTP/2. Returns false, and closes it, when there are too many. */
  readonly admit: (socket: Socket) => boolean;
  /** Tells which connection a session of HTTP/2 uses. */
  readonly link: (session: Http2Session, socket: Socket) => void;
};

/**
 * Guards the connections of an app. Call before it listens. `isProxy` identifies addresses that
 * many people share.
 */
export function guardConnections(
  app: FastifyInstance,
  limits: ConnectionLimits,
  isProxy: (ip: string) => boolean,
): ConnectionGuard {
  const { staleMs, slowMs = SLOW_MS } = limits;
  const guard: Guard = {
    limits,
    isProxy,
    all: createGroup(),
    networks: new Map(),
    sites: new Map(),
    connections: new WeakMap(),
    sessions: new WeakMap(),
  };
  const timer = setInterval(() => {
    for (const connection of [...guard.all.answered])
      if (checkReader(connection, slowMs)) endConnection(guard, connection, 'read_too_slowly');
  }, Math.min(staleMs, slowMs) / 2).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  app.server.on('connection', (socket: Socket) => handleConnection(guard, socket));
  app.addHook('onRequest', async (request, reply) => trackRequest(guard, request, reply));
  return {
    admit: socket => handleConnection(guard, socket),
    link: (session, socket) => guard.sessions.set(session, socket),
  };
}
