// Checks the responses of the local Stripe peer against the types of Stripe's own library at
// compile time, field by field. A field that Stripe doesn't have, or has with another type, does
// not compile.
import { randomBytes } from 'node:crypto';
import {
  firstPrices,
  listOf,
  type PeerSubscription,
  showCustomer,
  showDeletedCustomer,
  showEvent,
  showPortal,
  showPrice,
  showSession,
  showSubscription,
} from '@keyfold/testing/stripe/shapes';
import type Stripe from 'stripe';
import { expect, test } from 'vitest';

/** A deep partial of a library type: any of its fields, each with the library's type. */
type Part<T> = T extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]?: Part<T[Field]> }
    : T;
/** Rejects fields that the library type doesn't have. */
type Only<T, Known> = { readonly [Field in keyof T]: Field extends keyof Known ? T[Field] : never };

const heldAgainst =
  <Known>() =>
  <T extends Part<Known>>(shown: T & Only<T, Known>): T =>
    shown;

test('every answer of the fake Stripe server is valid for the Stripe library', () => {
  const [price] = firstPrices();
  if (price === undefined) throw new Error('The peer has no prices');
  const one: PeerSubscription = {
    id: `sub_${randomBytes(3).toString('hex')}`,
    customer: 'cus_1',
    created: 1,
    status: 'active',
    price,
    period_end: 2,
    cancel_at: null,
    cancel_at_period_end: false,
    prorated: 0,
  };
  const session = { id: 'cs_1', customer: 'cus_1', status: 'open' } as const;
  const shown = [
    heldAgainst<Stripe.Price>()(showPrice(price)),
    heldAgainst<Stripe.ApiList<Stripe.Price>>()(listOf([showPrice(price)])),
    heldAgainst<Stripe.Customer>()(showCustomer('cus_1')),
    heldAgainst<Stripe.DeletedCustomer>()(showDeletedCustomer('cus_1')),
    heldAgainst<Stripe.Subscription>()(showSubscription(one)),
    heldAgainst<Stripe.Checkout.Session>()(showSession(session, 'https://example.test/')),
    heldAgainst<Stripe.BillingPortal.Session>()(showPortal('bps_1', 'https://example.test/')),
  ];
  const { type, data, ...head } = showEvent('evt_1', 1, 'customer.deleted', showCustomer('cus_1'));
  heldAgainst<Omit<Stripe.Event, 'data' | 'type'>>()(head);
  const told: Pick<Stripe.CustomerDeletedEvent, 'type'> = { type: 'customer.deleted' };
  expect([type, data]).toEqual([told.type, { object: showCustomer('cus_1') }]);
  expect(shown.map(({ object }) => object)).toEqual([
    'price',
    'list',
    'customer',
    'customer',
    'subscription',
    'checkout.session',
    'billing_portal.session',
  ]);
});
