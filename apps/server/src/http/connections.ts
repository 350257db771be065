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
  /** Connections that are in their groups. */
  readonly open: Set<Connection>;
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function leave({ open }: Guard, connection: Connection): void {
  if (open.delete(connection)) leaveGroups(connection);
}

function endConnection(guard: Guard, connection: Connection, outcome: 'gave_way' | 'read_too_slowly'): void {
  connection.socket.destroy();
  refusals.inc({ outcome });
  // Its 'close' event comes later.
  leave(guard, connection);
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

function refuse(socket: Socket, isPlain: boolean): void {
  refusals.inc({ outcome: 'sent_away' });
  socket.on('error', () => undefined);
  if (isPlain) socket.write(SENT_AWAY);
  socket.destroySoon();
}

/** Returns whether the connection may stay. `isPlain`: it is of HTTP/1.1 without TLS. */
function handleConnection(guard: Guard, socket: Socket, isPlain: boolean): boolean {
  const { all, connections, limits, open } = guard;
  const places = groupsOf(guard, socket.remoteAddress ?? '');
  const evict = (connection: Connection): void => endConnection(guard, connection, 'gave_way');
  const hasRoom = (group: ConnectionGroup, max: number): boolean =>
    makeRoom(group, max, limits.staleMs, evict);
  if (places.some(({ group, max }) => !hasRoom(group, max)) || !hasRoom(all, limits.totalMax)) {
    refuse(socket, isPlain);
    return false;
  }
  for (const { groups, key, group } of places) groups.set(key, group);
  const connection = joinGroups(socket, [all, ...places.map(({ group }) => group)]);
  connections.set(socket, connection);
  open.add(connection);
  socket.once('close', () => {
    leave(guard, connection);
    for (const { groups, key, group } of places)
      if (group.size === 0 && groups.get(key) === group) groups.delete(key);
  });
  return true;
}

/** Tracks a request from the end of its body to the end of its response. */
function trackRequest({ connections, open }: Guard, request: FastifyRequest, reply: FastifyReply): void {
  const connection = connections.get(request.raw.socket);
  if (connection === undefined) return;
  let isAnswering = false;
  const lasting = request.routeOptions.config?.isLasting === true ? 1 : 0;
  const begin = () => {
    if (isAnswering || !open.has(connection)) return;
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
    if (open.has(connection)) noteProgress(connection);
  });
}

/** Keeps a connection from being evicted while a part of it is counted by itself. */
function hold({ connections, open }: Guard, socket: Socket): () => void {
  const connection = connections.get(socket);
  if (connection === undefined) return () => undefined;
  const change = (by: 1 | -1): void => {
    connection.answering += by;
    connection.lasting += by;
    if (open.has(connection)) noteProgress(connection);
  };
  change(1);
  return () => change(-1);
}

/** Limits for connections that another listener accepts. */
export type ConnectionGuard = {
  /** Counts a connection before its TLS handshake. Closes it and returns false at a limit. */
  readonly admit: (raw: Socket) => boolean;
  /** Tells that a counted connection now has TLS. */
  readonly replace: (raw: Socket, secure: Socket) => void;
  /** Keeps a connection open until the returned function is called. */
  readonly hold: (socket: Socket) => () => void;
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
    open: new Set(),
  };
  const timer = setInterval(() => {
    for (const connection of [...guard.all.answered])
      if (checkReader(connection, slowMs)) endConnection(guard, connection, 'read_too_slowly');
  }, Math.min(staleMs, slowMs) / 2).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  app.server.on('connection', (socket: Socket) => {
    // Connections with TLS of this server itself are counted already.
    if (!guard.connections.has(socket)) handleConnection(guard, socket, true);
  });
  app.addHook('onRequest', async (request, reply) => trackRequest(guard, request, reply));
  return {
    admit: raw => handleConnection(guard, raw, false),
    replace: (raw, secure) => {
      const connection = guard.connections.get(raw);
      if (connection === undefined) return;
      connection.socket = secure;
      guard.connections.set(secure, connection);
      secure.once('close', () => leave(guard, connection));
    },
    hold: socket => hold(guard, socket),
  };
}
