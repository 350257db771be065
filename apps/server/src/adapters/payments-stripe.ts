/**
 * Implements payments with Stripe's own library. Prices are found by their lookup keys
 * (docs/operations.md, Payments), so that an operator changes prices at Stripe without changing
 * anything here. Stripe receives no names and no mailbox addresses.
 */
import { BILLING_PERIODS, type BillingPeriod } from '@keyfold/contract/plans';
import Stripe from 'stripe';
import {
  PAYMENTS_TIMEOUT_MS,
  PRICES_KEPT_MS,
  PRICES_MISSED_MS,
  WEBHOOK_TOLERANCE_SECONDS,
} from '../base/limits.ts';
import type { Config } from '../config/config.ts';
import { isSafePage } from '../config/safe-address.ts';
import {
  type PaidPlan,
  type PaidSubscription,
  type PaymentEvent,
  type Payments,
  PaymentsError,
  type PlanPrice,
  type SubscriptionState,
} from './payments.ts';

const PAID_PLANS = ['plus', 'pro'] as const satisfies readonly PaidPlan[];
const INTERVALS = { monthly: 'month', yearly: 'year' } as const;
const NETWORK_RETRIES = 1;
/** Maximum number of a customer's subscriptions that are read. */
const PAGE = 100;
/**
 * Open payment pages closed per call. There is at most one, unless someone creates others at
 * Stripe.
 */
const CLOSED_PAGES = 3;

const STATES: Readonly<Record<string, SubscriptionState>> = {
  active: 'running',
  trialing: 'running',
  past_due: 'late',
  unpaid: 'stuck',
  incomplete: 'stuck',
  paused: 'stuck',
};

/** Events that may indicate a change of plan. */
const TELLING =
  /^(customer\.subscription\..+|customer\.deleted|checkout\.session\.(completed|async_.+)|invoice\.(paid|payment_failed))$/;

const lookupKeyOf = (plan: PaidPlan, period: BillingPeriod): string => `keyfold_${plan}_${period}`;

const OFFERS = PAID_PLANS.flatMap(plan =>
  BILLING_PERIODS.map(period => ({ plan, period, key: lookupKeyOf(plan, period) })),
);

/**
 * Maps products to plans: a product's prices change over time, and old subscriptions keep theirs.
 */
type Catalog = {
  readonly prices: readonly PlanPrice[];
  readonly planOf: ReadonlyMap<string, PaidPlan>;
};

const idOf = (value: string | { readonly id: string }): string =>
  typeof value === 'string' ? value : value.id;

function toCatalog(found: readonly Stripe.Price[]): Catalog {
  const planOf = new Map<string, PaidPlan>();
  const shared = new Set<string>();
  const prices = OFFERS.flatMap(({ plan, period, key }): PlanPrice[] => {
    const price = found.find(one => one.lookup_key === key);
    if (price === undefined) return [];
    const product = idOf(price.product);
    if ((planOf.get(product) ?? plan) !== plan) shared.add(product);
    planOf.set(product, plan);
    const { recurring, unit_amount: amount, currency } = price;
    const isFit = recurring?.interval === INTERVALS[period] && recurring.interval_count === 1;
    return isFit && amount !== null ? [{ plan, period, priceId: price.id, amount, currency }] : [];
  });
  for (const product of shared) planOf.delete(product);
  return { prices, planOf };
}

function toError(error: unknown): PaymentsError {
  if (error instanceof PaymentsError) return error;
  if (!(error instanceof Stripe.errors.StripeError)) return new PaymentsError('unreachable', 'no_answer');
  const code = error.code ?? error.type;
  if (code === 'resource_missing') return new PaymentsError('missing', code);
  if (error instanceof Stripe.errors.StripeCardError || error.statusCode === 402)
    return new PaymentsError('unpaid', code);
  const isPassing =
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    (error.statusCode ?? 500) >= 500 ||
    error.statusCode === 409;
  return new PaymentsError(isPassing ? 'unreachable' : 'refused', code);
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw toError(error);
  }
}

/** Like `asked`, for objects that may already be gone. */
async function unlessMissing(answer: Promise<unknown>): Promise<void> {
  try {
    await asked(answer);
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.kind !== 'missing') throw error;
  }
}

const at = (seconds: number): Date => new Date(seconds * 1000);

const planOfPrice = (price: Stripe.Price, { planOf }: Catalog): PaidPlan | null =>
  OFFERS.find(({ key }) => key === price.lookup_key)?.plan ?? planOf.get(idOf(price.product)) ?? null;

function toSubscription(from: Stripe.Subscription, known: Catalog): PaidSubscription | null {
  const { data: items } = from.items;
  const item = items.find(one => planOfPrice(one.price, known) !== null) ?? items[0];
  if (item === undefined) return null;
  const periodEndsAt = at(item.current_period_end);
  return {
    id: from.id,
    itemId: item.id,
    plan: planOfPrice(item.price, known),
    period: item.price.recurring?.interval === 'year' ? 'yearly' : 'monthly',
    state: STATES[from.status] ?? 'over',
    createdAt: at(from.created),
    periodEndsAt,
    endsAt: from.cancel_at === null ? (from.cancel_at_period_end ? periodEndsAt : null) : at(from.cancel_at),
  };
}

/** Returns the customer of an event, using only fields that all versions of Stripe's API have. */
function customerOf({ type, data }: Stripe.Event): string | null {
  if (!TELLING.test(type)) return null;
  const about = data.object as { id?: unknown; customer?: unknown };
  const customer = type === 'customer.deleted' ? about.id : about.customer;
  if (typeof customer === 'string') return customer;
  const { id } = (customer ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : null;
}

function clientOf({ secretKey, apiBase }: NonNullable<Config['stripe']>): Stripe {
  const { protocol, hostname, port } = new URL(apiBase);
  return new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    timeout: PAYMENTS_TIMEOUT_MS,
    maxNetworkRetries: NETWORK_RETRIES,
    telemetry: false,
  });
}

/**
 * Caches the catalog and reloads it after a while. A failure is cached briefly, so that no request
 * waits for the same failure twice.
 */
function keepCatalog(client: Stripe): () => Promise<Catalog> {
  let kept: { readonly until: number; readonly answer: Promise<Catalog> } | null = null;
  const ask = async (): Promise<Catalog> => {
    const lookup_keys = OFFERS.map(({ key }) => key);
    const { data } = await asked(client.prices.list({ lookup_keys, active: true, limit: PAGE }));
    return toCatalog(data);
  };
  return () => {
    if (kept !== null && performance.now() < kept.until) return kept.answer;
    const answer = ask();
    const now = { until: performance.now() + PRICES_KEPT_MS, answer };
    kept = now;
    answer.catch(() => {
      if (kept === now) kept = { until: performance.now() + PRICES_MISSED_MS, answer };
    });
    return answer;
  };
}

/** Returns the URL of a page if it is safe to send a browser there. */
function pageOf(url: string | null): string {
  if (url === null || !isSafePage(url)) throw new PaymentsError('refused', 'no_page');
  return url;
}

/** Creates payments that use the API at `apiBase`. */
export function createStripePayments(settings: NonNullable<Config['stripe']>): Payments {
  const client = clientOf(settings);
  const catalog = keepCatalog(client);

  const isCustomerDeleted = async (customerId: string): Promise<boolean> => {
    try {
      return (await asked(client.customers.retrieve(customerId))).deleted === true;
    } catch (error) {
      if (error instanceof PaymentsError && error.kind === 'missing') return false;
      throw error;
    }
  };

  const readEvent = (bytes: Uint8Array, signature: string, now: Date): PaymentEvent | null => {
    try {
      const event = client.webhooks.constructEvent(
        Buffer.from(bytes),
        signature,
        settings.webhookSecret,
        WEBHOOK_TOLERANCE_SECONDS,
        undefined,
        now.getTime(),
      );
      return { id: event.id, customerId: customerOf(event) };
    } catch {
      return null;
    }
  };

  return {
    readEvent,
    listPrices: async () => (await catalog()).prices,
    createCustomer: async key => {
      const options = { idempotencyKey: `keyfold-customer-${key}` };
      return (await asked(client.customers.create({}, options))).id;
    },
    isCustomerDeleted,
    deleteCustomer: async customerId => {
      try {
        await asked(client.customers.del(customerId));
      } catch (error) {
        if (!(error instanceof PaymentsError) || error.kind !== 'missing') throw error;
        if (!(await isCustomerDeleted(customerId))) throw new PaymentsError('refused', 'customer_unknown');
      }
    },
    openCheckout: async ({ customerId, priceId, successUrl, cancelUrl }) => {
      const session = await asked(
        client.checkout.sessions.create({
          mode: 'subscription',
          customer: customerId,
          line_items: [{ price: priceId, quantity: 1 }],
          success_url: successUrl,
          cancel_url: cancelUrl,
        }),
      );
      return pageOf(session.url);
    },
    closeCheckouts: async customer => {
      const { data, has_more } = await asked(
        client.checkout.sessions.list({ customer, status: 'open', limit: CLOSED_PAGES }),
      );
      for (const { id } of data) {
        try {
          await asked(client.checkout.sessions.expire(id));
        } catch (error) {
          // A page that was paid meanwhile cannot be closed; the subscriptions, which are read
          // afterwards, reflect the payment.
          if (error instanceof PaymentsError && error.kind === 'unreachable') throw error;
        }
      }
      if (has_more) throw new PaymentsError('refused', 'pages_left');
    },
    openPortal: async (customer, returnUrl) =>
      pageOf((await asked(client.billingPortal.sessions.create({ customer, return_url: returnUrl }))).url),
    listSubscriptions: async customer => {
      const known = await catalog();
      const { data } = await asked(client.subscriptions.list({ customer, status: 'all', limit: PAGE }));
      return data.map(one => toSubscription(one, known)).filter(one => one !== null);
    },
    changePrice: async ({ id, itemId }, price) => {
      await asked(
        client.subscriptions.update(id, {
          items: [{ id: itemId, price }],
          proration_behavior: 'always_invoice',
          payment_behavior: 'error_if_incomplete',
          cancel_at_period_end: false,
        }),
      );
    },
    setEnding: async (id, cancel_at_period_end) => {
      await asked(client.subscriptions.update(id, { cancel_at_period_end }));
    },
    endNow: id => unlessMissing(client.subscriptions.cancel(id)),
  };
}
