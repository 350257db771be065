// Checkout sessions and subscriptions of the peer: how payers and the API change them, and the
// events of each change.
import {
  type FormFields,
  missing,
  need,
  type PeerSubscription,
  Refusal,
  showSession,
  showSubscription,
} from './shapes.ts';
import {
  type CheckoutSession,
  emit,
  findPrice,
  newId,
  type PrivateState,
  requireCustomer,
  secondsOf,
} from './state.ts';

const MONTH_SECONDS = 30 * 86_400;

export const showCheckout = ({ url }: PrivateState, session: CheckoutSession) =>
  showSession(session, `${url}/pay/${session.id}`);

export function openSession(state: PrivateState, fields: FormFields): CheckoutSession {
  if (need(fields, 'mode') !== 'subscription') throw new Refusal(400, 'parameter_invalid');
  const session: CheckoutSession = {
    id: newId('cs_test'),
    customer: requireCustomer(state, need(fields, 'customer')),
    price: findPrice(state, need(fields, 'line_items[0][price]')),
    success_url: need(fields, 'success_url'),
    cancel_url: need(fields, 'cancel_url'),
    status: 'open',
  };
  state.sessions.set(session.id, session);
  return session;
}

export function expireSession({ sessions }: PrivateState, id: string): CheckoutSession {
  const session = sessions.get(id);
  if (session === undefined) throw missing();
  if (session.status !== 'open') throw new Refusal(400, 'checkout_session_not_open');
  session.status = 'expired';
  return session;
}

/** Pays: completes the session and starts its subscription; returns where the browser goes next. */
export function completeSession(state: PrivateState, session: CheckoutSession): string {
  if (session.status !== 'open' || !state.customers.has(session.customer)) throw missing();
  if (state.declines) throw new Refusal(402, 'card_declined', 'card_error');
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
  state.subscriptions.push(subscription);
  emit(state, 'customer.subscription.created', showSubscription(subscription));
  emit(state, 'checkout.session.completed', showCheckout(state, session));
  return session.success_url;
}

function changePrice(
  state: PrivateState,
  subscription: PeerSubscription,
  price: string,
  fields: FormFields,
): void {
  if (need(fields, 'items[0][id]') !== subscription.id.replace('sub_', 'si_')) throw missing();
  if (state.declines) throw new Refusal(402, 'card_declined', 'card_error');
  subscription.price = findPrice(state, price);
  if (fields.get('proration_behavior') === 'always_invoice') subscription.prorated++;
}

export function updateSubscription(
  state: PrivateState,
  subscription: PeerSubscription,
  fields: FormFields,
): void {
  if (subscription.status === 'canceled') throw missing();
  const price = fields.get('items[0][price]');
  if (price !== undefined) changePrice(state, subscription, price, fields);
  const isEnding = fields.get('cancel_at_period_end');
  if (isEnding !== undefined) {
    subscription.cancel_at_period_end = isEnding === 'true';
    subscription.cancel_at = subscription.cancel_at_period_end ? subscription.period_end : null;
  }
  emit(state, 'customer.subscription.updated', showSubscription(subscription));
}

export function cancelSubscription(state: PrivateState, subscription: PeerSubscription): void {
  if (subscription.status === 'canceled') throw missing();
  subscription.status = 'canceled';
  emit(state, 'customer.subscription.deleted', showSubscription(subscription));
}
