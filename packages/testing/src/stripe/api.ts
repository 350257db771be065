// The calls of Stripe's API that Keyfold uses, as a table of routes: method and resource, such as
// `POST checkout/sessions`.
import {
  cancelSubscription,
  expireSession,
  openSession,
  showCheckout,
  updateSubscription,
} from './payments.ts';
import {
  type FormFields,
  listOf,
  need,
  Refusal,
  requireParameters,
  showCustomer,
  showDeletedCustomer,
  showPortal,
  showPrice,
  showSubscription,
} from './shapes.ts';
import { emit, findSubscription, newId, type PrivateState, requireCustomer } from './state.ts';

/** `id` is the last part of the path, or empty. */
type Route = (state: PrivateState, id: string, fields: FormFields) => unknown;

const customerOf = (fields: FormFields): string => fields.get('customer') ?? '';

function deleteCustomer(state: PrivateState, id: string): unknown {
  state.customers.delete(requireCustomer(state, id));
  state.deletedCustomers.add(id);
  for (const subscription of state.subscriptions)
    if (subscription.customer === id && subscription.status !== 'canceled')
      cancelSubscription(state, subscription);
  emit(state, 'customer.deleted', showCustomer(id));
  return showDeletedCustomer(id);
}

function listCheckouts(state: PrivateState, fields: FormFields): unknown {
  const customer = requireCustomer(state, customerOf(fields));
  const found = [...state.sessions.values()].filter(
    session => session.customer === customer && session.status === fields.get('status'),
  );
  const limit = Number(fields.get('limit') ?? 10);
  const shown = found.slice(0, limit).map(session => showCheckout(state, session));
  return { ...listOf(shown), has_more: found.length > limit };
}

const ROUTES: Readonly<Record<string, Route>> = {
  'GET prices': ({ prices }, _id, fields) => {
    const wanted = [...fields].filter(([key]) => key.startsWith('lookup_keys')).map(([, value]) => value);
    return listOf(
      prices.filter(price => price.active && wanted.includes(price.lookup_key ?? '')).map(showPrice),
    );
  },
  'POST customers': ({ customers }) => {
    const id = newId('cus');
    customers.add(id);
    return showCustomer(id);
  },
  'GET customers': (state, id) =>
    state.deletedCustomers.has(id) ? showDeletedCustomer(id) : showCustomer(requireCustomer(state, id)),
  'DELETE customers': (state, id) => deleteCustomer(state, id),
  'GET checkout/sessions': (state, _id, fields) => listCheckouts(state, fields),
  'POST checkout/sessions': (state, _id, fields) => showCheckout(state, openSession(state, fields)),
  'POST checkout/sessions/expire': (state, id) => showCheckout(state, expireSession(state, id)),
  'GET subscriptions': (state, _id, fields) => {
    const customer = requireCustomer(state, customerOf(fields));
    return listOf(state.subscriptions.filter(one => one.customer === customer).map(showSubscription));
  },
  'POST subscriptions': (state, id, fields) => {
    const subscription = findSubscription(state, id);
    updateSubscription(state, subscription, fields);
    return showSubscription(subscription);
  },
  'DELETE subscriptions': (state, id) => {
    const subscription = findSubscription(state, id);
    cancelSubscription(state, subscription);
    return showSubscription(subscription);
  },
  'POST billing_portal/sessions': (state, _id, fields) => {
    const id = newId('bps');
    requireCustomer(state, customerOf(fields));
    state.portals.set(id, need(fields, 'return_url'));
    return showPortal(id, `${state.url}/portal/${id}`);
  },
};

const PATH =
  /^\/v1\/(prices|customers|checkout\/sessions|subscriptions|billing_portal\/sessions)(?:\/(\w+)(\/expire)?)?$/;

/** The response to a call. Throws Refusal. */
export function callApi(state: PrivateState, method: string, path: string, fields: FormFields): unknown {
  const [, resource = '', id = '', action = ''] = PATH.exec(path) ?? [];
  const name = `${method} ${resource}${action}`;
  requireParameters(name, fields);
  const route = ROUTES[name];
  if (route === undefined) throw new Refusal(404, 'url_invalid');
  return route(state, id, fields);
}
