/**
 * Limits how long a request may take to arrive, per route. The framework limits headers, and the
 * connection limits silence; this limit is for bodies that arrive slowly but steadily: fifteen
 * minutes, or the time that the contract gives an endpoint that accepts gigabytes. Bodies of public
 * calls are short and have half a minute.
 *
 * [Note: Work behind a body] A connection without traffic is closed. After the body of such a call
 * has arrived, there is no traffic while it is flushed to disk, so the connection gets a longer
 * limit until the response; the framework restores its usual limit with the next request.
 *
 * [Note: Closing] Closing the server closes idle connections. A connection whose request was
 * answered before its body had arrived is not idle yet, and would then wait for a next request like
 * any other. The server therefore checks for idle connections until all are closed, and gives the
 * rest of an answered body a moment to arrive.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Longest time a request may take to arrive: 50 MB at 0.5 Mbit/s. */
const ARRIVAL_TIMEOUT_MS = 15 * 60_000;
/** Longest time the body of a public call may take: 32 KiB at 9 kbit/s. */
const PUBLIC_TIMEOUT_MS = 30_000;
/**
 * How long a client may keep sending a body that has already been answered; its bytes are
 * discarded.
 */
const ANSWERED_TIMEOUT_MS = 60_000;
/** The same while the server is closing. */
const CLOSING_TIMEOUT_MS = 1_000;
/** Interval of the check for idle connections while the server is closing. */
const CLOSING_LOOK_MS = 100;
/** Longest time for the work after a long body until its response. */
const WORK_TIMEOUT_MS = 15 * 60_000;

export type RequestTimeLimits = {
  readonly usualMs?: number;
  readonly publicMs?: number;
  readonly answeredMs?: number;
  readonly closingMs?: number;
};

/** Closes connections whose request does not arrive in time. */
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
  /** Requests that were answered before they had fully arrived. */
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
    // Either way the request is over, except for bytes to discard.
    reply.raw.once('close', () => {
      clearTimeout(timer);
      if (raw.complete || raw.destroyed) return;
      timer = setTimeout(giveUp, isClosing ? closingMs : answeredMs).unref();
      answered.add(raw);
      raw.once('close', () => answered.delete(raw));
    });
  });
}
