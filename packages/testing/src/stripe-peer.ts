// A server on the loopback address that speaks as much of Stripe's API as Keyfold uses (docs.stripe.com/api: prices,
// customers, checkout sessions, subscriptions, portal sessions, events), with the pages a payer sees. It refuses what Stripe
// refuses: a wrong key, a parameter that a call does not have, things that are not there. Nothing of it is Stripe's code.
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { paymentPage, portalPage } from './stripe-pages.ts';
import {
  type FormFields,
  firstPrices,
  listOf,
  missing,
  need,
  type PeerPrice,
  type PeerSubscription,
  Refusal,
  requireParameters,
  showCustomer,
  showDeletedCustomer,
  showEvent,
  showPortal,
  showPrice,
  showSession,
  showSubscription,
} from './stripe-shapes.ts';

type Session = {
  readonly id: string;
  readonly customer: string;
  readonly price: PeerPrice;
  readonly success_url: string;
  readonly cancel_url: string;
  status: 'open' | 'complete' | 'expired';
};

export type PeerEvent = { readonly id: string; readonly type: string; readonly body: string };
type Request = { readonly method: string; readonly path: string; readonly fields: FormFields };

/** Calls, such as `POST /v1/customers`, and the status that they get in the place of an answer; null: nothing ever. */
type PeerFailure = { readonly path: RegExp; readonly answer: number | null };

export type StripePeer = {
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** The configuration of a Keyfold that takes this for Stripe. */
  readonly env: Readonly<Record<string, string>>;
  readonly prices: PeerPrice[];
  /** Those that are there. What is in neither set was never made here: the key is another account's, or the id is wrong. */
  readonly customers: Set<string>;
  /** Those that were deleted; asked for one by one, Stripe says so. */
  readonly deletedCustomers: Set<string>;
  readonly subscriptions: PeerSubscription[];
  /** Every event so far, sent or not. */
  readonly events: PeerEvent[];
  /** Every request so far. */
  readonly requests: Request[];
  /** Where events go as they happen; null, as at first: nowhere. */
  webhookUrl: string | null;
  failure: PeerFailure | null;
  /** Whether cards are refused. */
  declines: boolean;
  /** Does what a payer does at the address that Checkout gave; answers where the browser goes next. */
  readonly pay: (url: string) => Promise<string>;
  /** Changes a subscription as Stripe itself would, and makes the event. */
  readonly change: (id: string, change: Partial<PeerSubscription>, type?: string) => PeerEvent;
  /** The header of a body, signed at a time with a secret. */
  readonly sign: (body: string, at?: Date, secret?: string) => string;
  /** Sends an event as Stripe does; answers the status. */
  readonly send: (url: string, event: Pick<PeerEvent, 'body'>, signature?: string) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** How often an event is sent that nobody takes, and the pause between. */
const EVENT_TRIES = 5;
const EVENT_PAUSE_MS = 500;
const MONTH_SECONDS = 30 * 86_400;
const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);
const newId = (kind: string): string => `${kind}_${randomBytes(9).toString('hex')}`;

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** Posts an event over a connection of its own, which nobody has to wait for afterwards; answers the status. */
const postEvent = (to: string, body: string, signature: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
    const posted = startRequest(to, { method: 'POST', headers, agent: false }, reply => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0));
    });
    posted.once('error', reject);
    posted.end(body);
  });

/** Starts it on a free port. */
export async function startStripePeer(): Promise<StripePeer> {
  const secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const sessions = new Map<string, Session>();
  const returns = new Map<string, string>();
  /** Answers by idempotency key. */
  const answered = new Map<string, unknown>();

  /** Sends an event until it is taken, or refused, as Stripe does, only sooner. */
  const bring = async (url: string, event: PeerEvent): Promise<void> => {
    for (let tries = 0; tries < EVENT_TRIES; tries++) {
      const status = await peer.send(url, event).catch(() => 502);
      if (status < 500) return;
      await setTimeout(EVENT_PAUSE_MS, undefined, { ref: false });
    }
  };
  const emit = (type: string, object: unknown): PeerEvent => {
    const id = newId('evt');
    const created = secondsOf(new Date());
    const body = JSON.stringify(showEvent(id, created, type, object));
    const event = { id, type, body };
    peer.events.push(event);
    if (peer.webhookUrl !== null) void bring(peer.webhookUrl, event);
    return event;
  };
  const requireCustomer = (id: string): string => {
    if (!peer.customers.has(id)) throw missing();
    return id;
  };
  const findSubscription = (id: string): PeerSubscription => {
    const found = peer.subscriptions.find(one => one.id === id);
    if (found === undefined) throw missing();
    return found;
  };
  const findPrice = (id: string): PeerPrice => {
    const found = peer.prices.find(price => price.id === id && price.active);
    if (found === undefined) throw missing();
    return found;
  };
  const end = (one: PeerSubscription): void => {
    if (one.status === 'canceled') throw missing();
    one.status = 'canceled';
    emit('customer.subscription.deleted', showSubscription(one));
  };
  const openSession = (fields: FormFields): Session => {
    if (need(fields, 'mode') !== 'subscription') throw new Refusal(400, 'parameter_invalid');
    const session: Session = {
      id: newId('cs_test'),
      customer: requireCustomer(need(fields, 'customer')),
      price: findPrice(need(fields, 'line_items[0][price]')),
      success_url: need(fields, 'success_url'),
      cancel_url: need(fields, 'cancel_url'),
      status: 'open',
    };
    sessions.set(session.id, session);
    return session;
  };
  const show = (session: Session) => showSession(session, `${peer.url}/pay/${session.id}`);
  const complete = (session: Session): string => {
    if (session.status !== 'open' || !peer.customers.has(session.customer)) throw missing();
    if (peer.declines) throw new Refusal(402, 'card_declined', 'card_error');
    session.status = 'complete';
    const created = secondsOf(new Date());
    const subscription: PeerSubscription = {
      id: newId('sub'),
      customer: session.customer,
      created,
      status: 'active',
      price: session.price,
      period_end: created + (session.price.recurring.interval === 'year' ? 12 : 1) * MONTH_SECONDS,
      cancel_at: null,
      cancel_at_period_end: false,
      prorated: 0,
    };
    peer.subscriptions.push(subscription);
    emit('customer.subscription.created', showSubscription(subscription));
    emit('checkout.session.completed', show(session));
    return session.success_url;
  };
  const update = (one: PeerSubscription, fields: FormFields): void => {
    if (one.status === 'canceled') throw missing();
    const price = fields.get('items[0][price]');
    if (price !== undefined && need(fields, 'items[0][id]') !== one.id.replace('sub_', 'si_'))
      throw missing();
    if (price !== undefined && peer.declines) throw new Refusal(402, 'card_declined', 'card_error');
    if (price !== undefined) {
      one.price = findPrice(price);
      if (fields.get('proration_behavior') === 'always_invoice') one.prorated++;
    }
    const isEnding = fields.get('cancel_at_period_end');
    if (isEnding !== undefined) {
      one.cancel_at_period_end = isEnding === 'true';
      one.cancel_at = one.cancel_at_period_end ? one.period_end : null;
    }
    emit('customer.subscription.updated', showSubscription(one));
  };

  /** The answer of the API to a call; `id` is the last part of its path, where there is one. */
  const call = (name: string, id: string, fields: FormFields): unknown => {
    requireParameters(name, fields);
    const customer = fields.get('customer') ?? '';
    switch (name) {
      case 'GET prices': {
        const wanted = [...fields].filter(([key]) => key.startsWith('lookup_keys')).map(([, value]) => value);
        return listOf(
          peer.prices.filter(price => price.active && wanted.includes(price.lookup_key ?? '')).map(showPrice),
        );
      }
      case 'POST customers': {
        const made = newId('cus');
        peer.customers.add(made);
        return showCustomer(made);
      }
      case 'GET customers':
        if (peer.deletedCustomers.has(id)) return showDeletedCustomer(id);
        return showCustomer(requireCustomer(id));
      case 'DELETE customers': {
        peer.customers.delete(requireCustomer(id));
        peer.deletedCustomers.add(id);
        for (const one of peer.subscriptions) if (one.customer === id && one.status !== 'canceled') end(one);
        emit('customer.deleted', showCustomer(id));
        return showDeletedCustomer(id);
      }
      case 'GET checkout/sessions': {
        requireCustomer(customer);
        const all = [...sessions.values()].filter(one => one.customer === customer);
        const found = all.filter(one => one.status === fields.get('status'));
        const limit = Number(fields.get('limit') ?? 10);
        return { ...listOf(found.slice(0, limit).map(show)), has_more: found.length > limit };
      }
      case 'POST checkout/sessions':
        return show(openSession(fields));
      case 'POST checkout/sessions/expire': {
        const session = sessions.get(id);
        if (session === undefined) throw missing();
        if (session.status !== 'open') throw new Refusal(400, 'checkout_session_not_open');
        session.status = 'expired';
        return show(session);
      }
      case 'GET subscriptions':
        requireCustomer(customer);
        return listOf(peer.subscriptions.filter(one => one.customer === customer).map(showSubscription));
      case 'POST subscriptions':
        update(findSubscription(id), fields);
        return showSubscription(findSubscription(id));
      case 'DELETE subscriptions':
        end(findSubscription(id));
        return showSubscription(findSubscription(id));
      case 'POST billing_portal/sessions': {
        const made = newId('bps');
        requireCustomer(customer);
        returns.set(made, need(fields, 'return_url'));
        return showPortal(made, `${peer.url}/portal/${made}`);
      }
      default:
        throw new Refusal(404, 'url_invalid');
    }
  };

  const nameOf = (method: string, path: string): { name: string; id: string } => {
    const found =
      /^\/v1\/(prices|customers|checkout\/sessions|subscriptions|billing_portal\/sessions)(?:\/(\w+)(\/expire)?)?$/.exec(
        path,
      );
    const [, thing = '', id = '', act = ''] = found ?? [];
    return { name: `${method} ${thing}${act}`, id };
  };

  const api = (request: IncomingMessage, url: URL, body: string): unknown => {
    const { authorization, 'stripe-version': version, 'idempotency-key': key } = request.headers;
    if (authorization !== `Bearer ${secretKey}`) throw new Refusal(401, 'api_key_invalid');
    if (version === undefined) throw new Refusal(400, 'version_missing');
    const method = request.method ?? 'GET';
    const fields = new Map(method === 'GET' ? url.searchParams : new URLSearchParams(body));
    peer.requests.push({ method, path: url.pathname, fields });
    if (typeof key === 'string' && answered.has(key)) return answered.get(key);
    const { name, id } = nameOf(method, url.pathname);
    const answer = call(name, id, fields);
    if (typeof key === 'string') answered.set(key, answer);
    return answer;
  };

  const showPage = (request: IncomingMessage, url: URL, response: ServerResponse): void => {
    const [, kind, id = ''] = url.pathname.split('/');
    const session = kind === 'pay' ? sessions.get(id) : undefined;
    const back = returns.get(id);
    if (session !== undefined && request.method === 'POST') {
      response.writeHead(303, { location: complete(session) }).end();
      return;
    }
    const page =
      session !== undefined
        ? paymentPage(session.price, session.cancel_url)
        : back === undefined
          ? null
          : portalPage(back);
    response
      .writeHead(page === null ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
      .end(page ?? 'Not found');
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', peer.url);
    const body = await readBody(request);
    const { failure } = peer;
    const fails = failure?.path.test(`${request.method} ${url.pathname}`) ?? false;
    if (fails && failure?.answer === null) {
      peer.requests.push({ method: request.method ?? 'GET', path: url.pathname, fields: new Map() });
      return;
    }
    try {
      if (fails) throw new Refusal(failure?.answer ?? 500, 'told_to_fail', 'api_error');
      if (!url.pathname.startsWith('/v1/')) return showPage(request, url, response);
      const json = JSON.stringify(api(request, url, body));
      response.writeHead(200, { 'content-type': 'application/json' }).end(json);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, type, code } = error;
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { type, code, message: `Refused: ${code}` } }));
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const peer: StripePeer = {
    url,
    secretKey,
    webhookSecret,
    env: { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_BASE: url },
    prices: firstPrices(),
    customers: new Set(),
    deletedCustomers: new Set(),
    subscriptions: [],
    events: [],
    requests: [],
    webhookUrl: null,
    failure: null,
    declines: false,
    pay: async pageUrl => {
      const reply = await fetch(pageUrl, { method: 'POST', redirect: 'manual' });
      if (reply.status !== 303) throw new Error(`The payment page answered ${reply.status}`);
      return reply.headers.get('location') ?? '';
    },
    change: (id, change, type = 'customer.subscription.updated') =>
      emit(type, showSubscription(Object.assign(findSubscription(id), change))),
    sign: (body, at = new Date(), secret = webhookSecret) => {
      const time = secondsOf(at);
      return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
    },
    send: (to, { body }, signature = peer.sign(body)) => postEvent(to, body, signature),
    close: async () => {
      const closed = new Promise(resolve => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return peer;
}
