// Parameters, errors and objects of the peer in the form of Stripe's API.

export type PeerPrice = {
  readonly id: string;
  lookup_key: string | null;
  active: boolean;
  readonly product: string;
  readonly unit_amount: number;
  readonly currency: string;
  readonly recurring: { readonly interval: 'month' | 'year'; readonly interval_count: number };
};

export type PeerSubscription = {
  readonly id: string;
  readonly customer: string;
  /** Seconds since 1970, as all times here. */
  readonly created: number;
  status: 'active' | 'canceled' | 'incomplete' | 'past_due' | 'paused' | 'trialing' | 'unpaid';
  price: PeerPrice;
  period_end: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  /** Number of price changes whose difference was invoiced immediately. */
  prorated: number;
};

/** Parameters by name, including brackets. */
export type FormFields = ReadonlyMap<string, string>;

/** An error response of Stripe. */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  constructor(status: number, code: string, type = 'invalid_request_error') {
    super(code);
    [this.status, this.code, this.type] = [status, code, type];
  }
}

export const missing = (): Refusal => new Refusal(404, 'resource_missing');

/** The parameters of each call; others are refused, as Stripe does. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  'GET prices': /^(lookup_keys\[\d*\]|active|limit)$/,
  'POST customers': /^(email|metadata\[\w+\])$/,
  'GET checkout/sessions': /^(customer|status|limit)$/,
  'POST checkout/sessions':
    /^(mode|customer|line_items\[\d+\]\[(price|quantity)\]|success_url|cancel_url|client_reference_id)$/,
  'GET subscriptions': /^(customer|status|limit)$/,
  'POST subscriptions':
    /^(items\[\d+\]\[(id|price)\]|proration_behavior|payment_behavior|cancel_at_period_end)$/,
  'POST billing_portal/sessions': /^(customer|return_url)$/,
};

export function requireParameters(call: string, fields: FormFields): void {
  const allowed = PARAMETERS[call] ?? /^$/;
  for (const name of fields.keys()) if (!allowed.test(name)) throw new Refusal(400, 'parameter_unknown');
}

export function need(fields: FormFields, name: string): string {
  const value = fields.get(name);
  if (value === undefined || value === '') throw new Refusal(400, 'parameter_missing');
  return value;
}

export const listOf = <T>(data: T[]) => ({ object: 'list' as const, data, has_more: false, url: '/v1' });

export const showPrice = (price: PeerPrice) => ({
  object: 'price' as const,
  type: 'recurring' as const,
  ...price,
});

export const showCustomer = (id: string) => ({ id, object: 'customer' as const });

export const showDeletedCustomer = (id: string) => ({ ...showCustomer(id), deleted: true as const });

/** A checkout session; it has a URL while it is open. */
export const showSession = (
  one: {
    readonly id: string;
    readonly customer: string;
    readonly status: 'open' | 'complete' | 'expired';
  },
  url: string,
) => ({
  id: one.id,
  object: 'checkout.session' as const,
  customer: one.customer,
  status: one.status,
  url: one.status === 'open' ? url : null,
});

export const showPortal = (id: string, url: string) => ({
  id,
  object: 'billing_portal.session' as const,
  url,
});

/**
 * An event of an older API version than the library's, because the version of a webhook endpoint
 * can differ.
 */
export const showEvent = (id: string, created: number, type: string, object: unknown) => ({
  id,
  object: 'event' as const,
  api_version: '2019-02-11',
  created,
  type,
  data: { object },
});

export const showSubscription = (one: PeerSubscription) => ({
  id: one.id,
  object: 'subscription' as const,
  customer: one.customer,
  created: one.created,
  status: one.status,
  cancel_at: one.cancel_at,
  cancel_at_period_end: one.cancel_at_period_end,
  items: listOf([
    {
      id: one.id.replace('sub_', 'si_'),
      object: 'subscription_item' as const,
      quantity: 1,
      price: showPrice(one.price),
      current_period_end: one.period_end,
    },
  ]),
});

export const firstPrices = (): PeerPrice[] =>
  [
    { plan: 'plus', monthly: 400, yearly: 4_000 },
    { plan: 'pro', monthly: 900, yearly: 9_000 },
  ].flatMap(({ plan, monthly, yearly }) =>
    [
      { period: 'monthly', unit_amount: monthly, interval: 'month' as const },
      { period: 'yearly', unit_amount: yearly, interval: 'year' as const },
    ].map(({ period, unit_amount, interval }) => ({
      id: `price_${plan}_${period}`,
      lookup_key: `keyfold_${plan}_${period}`,
      active: true,
      product: `prod_${plan}`,
      unit_amount,
      currency: 'eur',
      recurring: { interval, interval_count: 1 },
    })),
  );
