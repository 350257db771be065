/**
 * Groups of HTTP connections by progress: all, those of a network, those of a site. When a group is
 * full, the connection that has made no progress for longest is evicted, if there is one that is
 * idle, sends its request too slowly, or reads its response too slowly. Connections that the server
 * is working on, and event streams, are never evicted.
 */
import type { Socket } from 'node:net';
import { counter } from '../base/metrics.ts';

/**
 * Progress re-inserts a connection, and sets keep insertion order, so the first connection is the
 * stalest.
 */
export type ConnectionGroup = {
  /** Connections without a request in progress. */
  readonly waiting: Set<Connection>;
  /** Connections whose request is being answered, except event streams. */
  readonly answered: Set<Connection>;
  size: number;
};

export type Connection = {
  /** The socket of TLS, once there is one. */
  socket: Socket;
  readonly groups: readonly ConnectionGroup[];
  /** Time of its last progress, and bytes received and sent by then. */
  activeAt: number;
  readBytes: number;
  sentBytes: number;
  /** Requests that are being answered, and those of them that are event streams. */
  answering: number;
  lasting: number;
  /**
   * Since when a response waits for its reader, and bytes sent by then; null while nothing waits.
   */
  slowSince: { readonly at: number; readonly sentBytes: number } | null;
};

/** Bytes of a response that a reader must receive within the limit. */
const SLOW_MIN_BYTES = 32 * 1024;
/** Bytes of a request body or a response that count as progress. */
const PROGRESS_BYTES = 16 * 1024;
/** Connections that are checked to find one to evict. */
const CHECKED_MAX = 64;

export const refusals = counter(
  'keyfold_http_connections_refused_total',
  'HTTP connections refused, or closed in favor of others',
  ['outcome'],
);

export const createGroup = (): ConnectionGroup => ({ waiting: new Set(), answered: new Set(), size: 0 });

/**
 * Bytes that the system has sent. Node counts bytes as sent once the system has them; the handle's
 * queue tells how many of one long write still wait. Node itself uses it to tell slow readers from
 * dead ones.
 */
function readSentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0);
}

/** Whether bytes wait for their reader. */
const isBlocked = ({ socket }: Connection): boolean => socket.writableLength > 0;

export function joinGroups(socket: Socket, groups: readonly ConnectionGroup[]): Connection {
  const connection: Connection = {
    socket,
    groups,
    activeAt: 0,
    readBytes: 0,
    sentBytes: 0,
    answering: 0,
    lasting: 0,
    slowSince: null,
  };
  for (const group of groups) group.size++;
  noteProgress(connection);
  return connection;
}

export function leaveGroups(connection: Connection): void {
  for (const group of connection.groups) {
    group.waiting.delete(connection);
    group.answered.delete(connection);
    group.size--;
  }
}

export function noteProgress(connection: Connection): void {
  connection.activeAt = performance.now();
  connection.readBytes = connection.socket.bytesRead;
  connection.sentBytes = readSentBytes(connection.socket);
  for (const { waiting, answered } of connection.groups) {
    waiting.delete(connection);
    answered.delete(connection);
    if (connection.answering === 0) waiting.add(connection);
    else if (connection.lasting === 0) answered.add(connection);
  }
}

function hasProgress(connection: Connection): boolean {
  const { socket, readBytes, sentBytes } = connection;
  if (connection.answering === 0) return socket.bytesRead - readBytes >= PROGRESS_BYTES;
  return !isBlocked(connection) || readSentBytes(socket) - sentBytes >= PROGRESS_BYTES;
}

/** Finds the stalest of some connections; null when none is stale. */
function findStalest(inOrder: Set<Connection>, staleMs: number): Connection | null {
  for (let checked = 0; checked < CHECKED_MAX; checked++) {
    const [connection] = inOrder;
    if (connection === undefined) return null;
    if (!hasProgress(connection))
      return performance.now() - connection.activeAt < staleMs ? null : connection;
    noteProgress(connection);
  }
  return null;
}

/** Whether a group has room for another connection, if necessary after evicting one. */
export function makeRoom(
  { waiting, answered, size }: ConnectionGroup,
  max: number,
  staleMs: number,
  evict: (connection: Connection) => void,
): boolean {
  if (size < max) return true;
  const stalest = findStalest(waiting, staleMs) ?? findStalest(answered, staleMs);
  if (stalest !== null) evict(stalest);
  return stalest !== null;
}

/**
 * Notes progress, and returns whether too little of a response was sent since its reader became
 * slow.
 */
export function checkReader(connection: Connection, slowMs: number): boolean {
  if (hasProgress(connection)) noteProgress(connection);
  const now = performance.now();
  const sentBytes = readSentBytes(connection.socket);
  const { slowSince } = connection;
  if (!isBlocked(connection)) connection.slowSince = null;
  else if (slowSince === null) connection.slowSince = { at: now, sentBytes };
  else if (now - slowSince.at >= slowMs) {
    if (sentBytes - slowSince.sentBytes < SLOW_MIN_BYTES) return true;
    connection.slowSince = { at: now, sentBytes };
  }
  return false;
}
