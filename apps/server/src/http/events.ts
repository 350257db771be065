/**
 * Server-sent events (WHATWG HTML §9.2) over one open reply. A comment every 25 seconds keeps
 * proxies from closing it; the source ends when the client disconnects or the server closes.
 */
import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServerEvent } from '../context/call-context.ts';

const HEARTBEAT_MS = 25_000;
/** Minimum time a client waits after a broken stream, and the random time added to it. */
const RETRY_MIN_MS = 1_000;
const RETRY_SPREAD_MS = 5_000;

/** Open streams of one server, so that closing it can end them. */
export type OpenStreams = Set<AbortController>;

/**
 * Takes over the reply and writes events until either side ends. Rejects with the reply untouched
 * when `open` throws.
 */
export async function streamEvents(
  open: (signal: AbortSignal) => AsyncIterable<ServerEvent>,
  request: FastifyRequest,
  reply: FastifyReply,
  streams: OpenStreams,
): Promise<void> {
  const ending = new AbortController();
  const { raw } = reply;
  if (raw.destroyed) {
    // The client has disconnected, and no later event would report it.
    reply.hijack();
    return;
  }
  const events = open(ending.signal);
  streams.add(ending);
  reply.hijack();
  raw.on('close', () => ending.abort());
  raw.on('error', () => ending.abort());
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  // Spreads out the reconnects of all clients when the server restarts.
  raw.write(`: open\nretry: ${Math.round(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS)}\n\n`);
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS);
  request.raw.socket.setTimeout(0);
  try {
    for await (const { event, data } of events) {
      if (ending.signal.aborted) break;
      const isTaken = raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      // A client that does not read gets no more events until it does: the source buffers the
      // pending ones and keeps few.
      if (!isTaken) await once(raw, 'drain', { signal: ending.signal }).catch(() => undefined);
    }
  } finally {
    clearInterval(heartbeat);
    streams.delete(ending);
    ending.abort();
    raw.end();
  }
}
