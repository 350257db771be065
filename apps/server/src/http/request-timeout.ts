/**
 * How long a request may take to arrive, by its route. Headers have the framework's limit, silence the connection's; this is
 * for bodies that come slowly but steadily: fifteen minutes, or what the contract gives a call that takes gigabytes. What anybody
 * may send is short, and has half a minute.
 *
 * [Note: Work behind a body] A connection on which nothing moves is closed. When a body of such a call is in, nothing moves
 * while it is forced to the disk, so the connection gets longer until the answer; the framework sets its usual limit again
 * with the next request.
 *
 * [Note: Closing] Connections that are idle are closed when the server is. One whose request was answered before its body was in
 * is not idle yet, and would then wait for a next request as long as any: so the idle ones are looked for until all are gone, and
 * the rest of an answered body gets a moment.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** The longest that a request may take to arrive: 50 MB at 0.5 Mbit/s. */
const ARRIVAL_TIMEOUT_MS = 15 * 60_000;
/** The longest that a body of a public call may take: 32 KiB at 9 kbit/s. */
const PUBLIC_TIMEOUT_MS = 30_000;
/** How long a client may go on with a body that was answered already; its bytes are thrown away. */
const ANSWERED_TIMEOUT_MS = 60_000;
/** The same once the server is being closed. */
const CLOSING_TIMEOUT_MS = 1_000;
/** How often connections that have become idle are looked for while the server is being closed. */
const CLOSING_LOOK_MS = 100;
/** How long the work behind a long body may take until its answer. */
const WORK_TIMEOUT_MS = 15 * 60_000;

export type RequestTimeLimits = {
  readonly usualMs?: number;
  readonly publicMs?: number;
  readonly answeredMs?: number;
  readonly closingMs?: number;
};

/** Ends connections whose request does not arrive in time. */
export function limitRequestTime(
  app: FastifyInstance,
  {
    usualMs = ARRIVAL_TIMEOUT_MS,
    publicMs = PUBLIC_TIMEOUT_MS,
    answeredMs = ANSWERED_TIMEOUT_MS,
    closingMs = CLOSING_TIMEOUT_MS,
  }: RequestTimeLimits = {},
): void {
  const cut = (raw: IncomingMessage): void => {
    if (!raw.complete) raw.destroy();
  };
  /** Requests that were answered and are not in yet. */
  const answered = new Set<IncomingMessage>();
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const raw of answered) setTimeout(() => cut(raw), closingMs).unref();
    const look = setInterval(() => app.server.closeIdleConnections(), CLOSING_LOOK_MS).unref();
    app.server.once('close', () => clearInterval(look));
  });
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request;
    const { arrivesWithinMs: longMs = 0, isPublic = false } = request.routeOptions.config ?? {};
    const giveUp = () => cut(raw);
    let timer = setTimeout(giveUp, isPublic ? publicMs : Math.max(usualMs, longMs)).unref();
    raw.once('end', () => {
      clearTimeout(timer);
      if (longMs > usualMs && !reply.raw.writableEnded) raw.socket.setTimeout(WORK_TIMEOUT_MS);
    });
    // Either way the request is over, but for bytes that nobody wants any more.
    reply.raw.once('close', () => {
      clearTimeout(timer);
      if (raw.complete || raw.destroyed) return;
      timer = setTimeout(giveUp, isClosing ? closingMs : answeredMs).unref();
      answered.add(raw);
      raw.once('close', () => answered.delete(raw));
    });
  });
}
