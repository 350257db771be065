/**
 * Serves HTTP/2 with the app's HTTP/1.1 server: each stream becomes a connection in memory with one
 * request. Every limit of the server therefore applies to a stream exactly as to a connection, and
 * code of the app never meets Node's HTTP/2 objects, whose sockets and bodies behave differently.
 */

import { type ClientRequest, type IncomingMessage, request as startRequest } from 'node:http';
import {
  constants,
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import type { ConnectionGuard } from './connections.ts';
import { dropForwarded } from './forwarded.ts';
import { type Peer, VirtualSocket } from './virtual-socket.ts';

const IDLE_TIMEOUT_MS = 60_000;
/** Time that open sessions have for their last responses when the server closes. */
const CLOSE_TIMEOUT_MS = 5_000;
const { HTTP2_HEADER_AUTHORITY, HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH, HTTP2_HEADER_STATUS } = constants;

/** Limits of one session. */
const OPTIONS = {
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

/** Headers that are about a connection of HTTP/1 (RFC 9113 §8.2.2), or that we do not support. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the headers for HTTP/1.1; null when they contradict each other. */
function requestHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> | null {
  const { host } = headers;
  const authority = headers[HTTP2_HEADER_AUTHORITY] ?? host;
  if (authority === undefined || (host !== undefined && host !== authority)) return null;
  const plain: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !name.startsWith(':') && !CONNECTION_HEADERS.has(name)) plain[name] = value;
  dropForwarded(plain);
  return { ...plain, host: authority, connection: 'close' };
}

function responseHeaders({ statusCode = 500, headers }: IncomingMessage) {
  const kept = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.has(name));
  return { ...Object.fromEntries(kept), [HTTP2_HEADER_STATUS]: statusCode };
}

function refuse(stream: ServerHttp2Stream): void {
  if (stream.destroyed || stream.headersSent) return;
  stream.respond({ [HTTP2_HEADER_STATUS]: 400 });
  // The body, if there is one, is not wanted.
  stream.end(() => stream.close(constants.NGHTTP2_NO_ERROR));
}

/** Passes a response on as it arrives. */
function passOn(response: IncomingMessage, stream: ServerHttp2Stream): void {
  if (stream.destroyed || stream.headersSent) {
    response.destroy();
    return;
  }
  stream.respond(responseHeaders(response));
  response.pipe(stream);
  response.on('error', () => undefined);
  stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
}

/** Answers one stream. */
function bridge(
  app: FastifyInstance,
  peer: Peer,
  stream: ServerHttp2Stream,
  given: IncomingHttpHeaders,
): void {
  const headers = requestHeaders(given);
  const [path, method] = [given[HTTP2_HEADER_PATH], given[HTTP2_HEADER_METHOD]].map(String) as [
    string,
    string,
  ];
  if (headers === null || stream.destroyed) {
    refuse(stream);
    return;
  }
  const [own, theirs] = VirtualSocket.pair(peer);
  // A response that waits for its reader still counts as a connection.
  own.keepOpen();
  const end = (): void => {
    own.destroy();
    theirs.destroy();
  };
  let request: ClientRequest;
  try {
    request = startRequest({
      createConnection: () => theirs as never,
      method,
      path,
      headers,
      setHost: false,
    });
  } catch {
    // Bytes that HTTP/1 cannot carry.
    end();
    refuse(stream);
    return;
  }
  // A body longer than announced must not become a second request.
  Object.assign(request, { strictContentLength: true });
  app.server.emit('connection', own);
  let isAnswered = false;
  request.once('response', response => {
    isAnswered = true;
    passOn(response, stream);
  });
  // After the response, the rest of a body is not wanted.
  request.on('error', () => {
    if (!isAnswered) end();
  });
  // The server has ended the connection: a response that was cut off must not look complete.
  own.once('close', () => {
    if (!stream.closed) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  });
  stream.once('error', end);
  stream.once('close', end);
  stream.once('aborted', end);
  if (stream.endAfterHeaders) request.end();
  else stream.pipe(request);
}

export type Http2Bridge = {
  /** Serves a connection that chose HTTP/2. */
  readonly accept: (socket: TLSSocket) => void;
  readonly close: () => Promise<void>;
};

/** Returns a bridge to an app. A session with streams counts as a connection in use. */
export function createHttp2Bridge(app: FastifyInstance, guard: ConnectionGuard): Http2Bridge {
  const server = createServer(OPTIONS);
  const sessions = new Set<Http2Session>();
  let connecting: TLSSocket | null = null;
  server.on('session', session => {
    const socket = connecting;
    if (socket === null) return;
    const peer = {
      address: socket.remoteAddress ?? '',
      family: socket.remoteFamily ?? 'IPv4',
      port: socket.remotePort ?? 0,
    };
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    // Errors of one client; the session ends by itself.
    session.on('error', () => undefined);
    session.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      stream.once('close', guard.hold(socket));
      bridge(app, peer, stream, headers);
    });
    session.setTimeout(IDLE_TIMEOUT_MS, () => {
      session.close();
      setTimeout(() => session.destroy(), IDLE_TIMEOUT_MS).unref();
    });
  });
  return {
    accept: socket => {
      connecting = socket;
      // The session is created before this returns.
      server.emit('connection', socket);
      connecting = null;
    },
    close: async () => {
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
