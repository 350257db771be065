// A server on the loopback address that implements the part of Stripe's API that Keyfold uses
// (docs.stripe.com/api: prices, customers, checkout sessions, subscriptions, portal sessions,
// events), with the pages that payers see. It refuses what Stripe refuses: a wrong key, an unknown
// parameter, a missing object. It contains no code of Stripe.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callApi } from './api.ts';
import { showPage } from './pages.ts';
import { type PeerSubscription, Refusal, showSubscription } from './shapes.ts';
import {
  createState,
  emit,
  findSubscription,
  type PeerEvent,
  type PeerState,
  type PrivateState,
  postEvent,
  signBody,
} from './state.ts';

export type { PeerEvent } from './state.ts';

export type StripePeer = PeerState & {
  /** The configuration of a Keyfold server that uses this as Stripe. */
  readonly env: Readonly<Record<string, string>>;
  /** Pays at the address that Checkout returned; resolves with where the browser goes next. */
  readonly pay: (url: string) => Promise<string>;
  /** Changes a subscription as Stripe itself would, and emits the event. */
  readonly change: (id: string, change: Partial<PeerSubscription>, type?: string) => PeerEvent;
  /** The header of a body, signed at a time with a secret. */
  readonly sign: (body: string, at?: Date, secret?: string) => string;
  /** Sends an event as Stripe does; resolves with the status. */
  readonly send: (url: string, event: Pick<PeerEvent, 'body'>, signature?: string) => Promise<number>;
  readonly close: () => Promise<void>;
};

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function respondToCall(state: PrivateState, request: IncomingMessage, url: URL, body: string): unknown {
  const { authorization, 'stripe-version': version, 'idempotency-key': key } = request.headers;
  if (authorization !== `Bearer ${state.secretKey}`) throw new Refusal(401, 'api_key_invalid');
  if (version === undefined) throw new Refusal(400, 'version_missing');
  const method = request.method ?? 'GET';
  const fields = new Map(method === 'GET' ? url.searchParams : new URLSearchParams(body));
  state.requests.push({ method, path: url.pathname, fields });
  if (typeof key === 'string' && state.responses.has(key)) return state.responses.get(key);
  const response = callApi(state, method, url.pathname, fields);
  if (typeof key === 'string') state.responses.set(key, response);
  return response;
}

async function respond(
  state: PrivateState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', state.url);
  const body = await readBody(request);
  const { failure } = state;
  const fails = failure?.path.test(`${request.method} ${url.pathname}`) ?? false;
  if (fails && failure?.answer === null) {
    state.requests.push({ method: request.method ?? 'GET', path: url.pathname, fields: new Map() });
    return;
  }
  try {
    if (fails) throw new Refusal(failure?.answer ?? 500, 'told_to_fail', 'api_error');
    if (!url.pathname.startsWith('/v1/')) return showPage(state, request, url, response);
    const json = JSON.stringify(respondToCall(state, request, url, body));
    response.writeHead(200, { 'content-type': 'application/json' }).end(json);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, type, code } = error;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { type, code, message: `Refused: ${code}` } }));
  }
}

async function pay(pageUrl: string): Promise<string> {
  const reply = await fetch(pageUrl, { method: 'POST', redirect: 'manual' });
  if (reply.status !== 303) throw new Error(`The payment page answered ${reply.status}`);
  return reply.headers.get('location') ?? '';
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Starts it on a free port. */
export async function startStripePeer(): Promise<StripePeer> {
  const server = createServer((request, response) => {
    respond(state, request, response).catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const state = createState(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { secretKey, url, webhookSecret } = state;
  const sign: StripePeer['sign'] = (body, at = new Date(), secret = webhookSecret) =>
    signBody(body, at, secret);
  // The same object, so that tests can set its fields.
  return Object.assign(state, {
    env: { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: url },
    pay,
    change: (id, change, type = 'customer.subscription.updated') =>
      emit(state, type, showSubscription(Object.assign(findSubscription(state, id), change))),
    sign,
    send: (to, { body }, signature = sign(body)) => postEvent(to, body, signature),
    close: () => closeServer(server),
  } satisfies Omit<StripePeer, keyof PeerState>);
}
