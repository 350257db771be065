// What the peer of Stripe's API stores, with look-ups that refuse missing objects as Stripe does,
// and its events.
import { createHmac, randomBytes } from 'node:crypto';
import { request as startRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import {
  type FormFields,
  firstPrices,
  missing,
  type PeerPrice,
  type PeerSubscription,
  showEvent,
} from './shapes.ts';

export type CheckoutSession = {
  readonly id: string;
  readonly customer: string;
  readonly price: PeerPrice;
  readonly success_url: string;
  readonly cancel_url: string;
  status: 'open' | 'complete' | 'expired';
};

export type PeerEvent = { readonly id: string; readonly type: string; readonly body: string };
type PeerRequest = { readonly method: string; readonly path: string; readonly fields: FormFields };

/**
 * Matches calls, such as `POST /v1/customers`, and gives the status to fail with; null: never
 * answer.
 */
type PeerFailure = { readonly path: RegExp; readonly answer: number | null };

export type PeerState = {
  readonly url: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly prices: PeerPrice[];
  /**
   * Existing customers. An id in neither set was never created: it is wrong, or of another account.
   */
  readonly customers: Set<string>;
  /** Deleted customers; Stripe still reports them when they are requested by id. */
  readonly deletedCustomers: Set<string>;
  readonly subscriptions: PeerSubscription[];
  /** Every event so far, delivered or not. */
  readonly events: PeerEvent[];
  /** Every request so far. */
  readonly requests: PeerRequest[];
  /** Where events are delivered; initially null: nowhere. */
  webhookUrl: string | null;
  failure: PeerFailure | null;
  /** Whether cards are declined. */
  declines: boolean;
};

/** State that tests do not see. */
export type PrivateState = PeerState & {
  readonly sessions: Map<string, CheckoutSession>;
  /** Return addresses of portal sessions by id. */
  readonly portals: Map<string, string>;
  /** Responses by idempotency key. */
  readonly responses: Map<string, unknown>;
};

/** Attempts to deliver an event, and the delay between them. */
const EVENT_TRIES = 5;
const EVENT_DELAY_MS = 500;

export const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);
export const newId = (kind: string): string => `${kind}_${randomBytes(9).toString('hex')}`;

export const createState = (url: string): PrivateState => ({
  url,
  secretKey: `sk_test_${randomBytes(12).toString('hex')}`,
  webhookSecret: `whsec_${randomBytes(24).toString('hex')}`,
  prices: firstPrices(),
  customers: new Set(),
  deletedCustomers: new Set(),
  subscriptions: [],
  events: [],
  requests: [],
  webhookUrl: null,
  failure: null,
  declines: false,
  sessions: new Map(),
  portals: new Map(),
  responses: new Map(),
});

export function requireCustomer({ customers }: PeerState, id: string): string {
  if (!customers.has(id)) throw missing();
  return id;
}

export function findSubscription({ subscriptions }: PeerState, id: string): PeerSubscription {
  const found = subscriptions.find(subscription => subscription.id === id);
  if (found === undefined) throw missing();
  return found;
}

export function findPrice({ prices }: PeerState, id: string): PeerPrice {
  const found = prices.find(price => price.id === id && price.active);
  if (found === undefined) throw missing();
  return found;
}

/** The signature header of a body. */
export function signBody(body: string, at: Date, secret: string): string {
  const time = secondsOf(at);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

/**
 * Posts an event over its own connection, so that none has to be closed later; resolves with the
 * status.
 */
export const postEvent = (to: string, body: string, signature: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
    const posted = startRequest(to, { method: 'POST', headers, agent: false }, reply => {
      reply.resume().once('end', () => resolve(reply.statusCode ?? 0));
    });
    posted.once('error', reject);
    posted.end(body);
  });

/** Delivers an event until it is accepted or refused, as Stripe does, but with shorter delays. */
async function deliver(url: string, { body }: PeerEvent, secret: string): Promise<void> {
  for (let tries = 0; tries < EVENT_TRIES; tries++) {
    const status = await postEvent(url, body, signBody(body, new Date(), secret)).catch(() => 502);
    if (status < 500) return;
    await setTimeout(EVENT_DELAY_MS, undefined, { ref: false });
  }
}

export function emit(state: PeerState, type: string, object: unknown): PeerEvent {
  const id = newId('evt');
  const body = JSON.stringify(showEvent(id, secondsOf(new Date()), type, object));
  const event = { id, type, body };
  state.events.push(event);
  if (state.webhookUrl !== null) void deliver(state.webhookUrl, event, state.webhookSecret);
  return event;
}
