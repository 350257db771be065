// Stripe webhooks: forged, old, repeated, out-of-order and lost events, a crash at any point, and
// account deletion. These tests deliver the peer's events one by one.
import { randomBytes } from 'node:crypto';
import { type PeerEvent, type StripePeer, startStripePeer } from '@keyfold/testing/stripe/peer';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { createStripePayments } from '../../../adapters/payments-stripe.ts';
import { BILLING_LOOK_AGAIN_MS, BILLING_TURN_MS, CLOSING_RETRY_MS } from '../../../base/limits.ts';
import { readConfig } from '../../../config/config.ts';
import { closeCustomers, reconcileBilling } from './jobs.ts';
import { upgrade } from './service.ts';

let peer: StripePeer;
let app: TestApp;
let clock: TestClock;
let ann: TestUser;
let hook: string;
beforeAll(async () => {
  peer = await startStripePeer();
  clock = createTestClock();
  app = await startTestApp({ clock, config: { stripe: readConfig(peer.env).stripe } });
  hook = `${app.baseUrl}/stripe/webhook`;
});
beforeEach(async () => {
  peer.failure = null;
  ann = await registerTestUser(app);
});
afterAll(async () => {
  await app.close();
  await peer.close();
});

const planOf = async (user: TestUser) => (await user.client.auth.check({})).data.plan;
const auditOf = async (user: TestUser) =>
  app.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('subject_id', '=', await userIdOf(app.db, user))
    .execute();

/** Pays and returns the resulting events without delivering them. */
async function payQuietly(user: TestUser, plan: 'plus' | 'pro'): Promise<PeerEvent[]> {
  const from = peer.events.length;
  await peer.pay((await user.client.billing.upgrade({ plan })).data.url ?? '');
  return peer.events.slice(from);
}
function newest() {
  const one = peer.subscriptions.at(-1);
  if (one === undefined) throw new Error('Nothing was paid');
  return one;
}
const tell = (event: PeerEvent) => peer.send(hook, event, peer.sign(event.body, clock.now()));

test('an event with an invalid or old signature is refused and changes nothing', async () => {
  const [event] = await payQuietly(ann, 'plus');
  if (event === undefined) throw new Error('There was no event');
  const { body } = event;
  const now = clock.now();
  const forged = [
    '',
    'nonsense',
    `t=${Math.floor(now.getTime() / 1000)},v1=${'0'.repeat(64)}`,
    peer.sign(body, now, 'whsec_ofsomebodyelse'),
    peer.sign(`${body} `, now),
    peer.sign(body, new Date(now.getTime() - 301_000)),
    peer.sign(body, now).replace('v1=', 'v0='),
  ];
  for (const signature of forged) expect(await peer.send(hook, event, signature), signature).toBe(400);
  expect(await peer.send(hook, { body: body.replace('plus', 'pro') }, peer.sign(body, now))).toBe(400);
  const reply = await fetch(hook, {
    method: 'POST',
    body: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect(await reply.json()).toMatchObject({ success: false, code: 'signature_refused' });
  expect(await planOf(ann)).toBe('free');
  expect(await peer.send(hook, event, peer.sign(body, new Date(now.getTime() - 299_000)))).toBe(200);
  expect(await planOf(ann)).toBe('plus');
});

test('a repeated event is acknowledged without a Stripe request', async () => {
  const [event] = await payQuietly(ann, 'plus');
  if (event === undefined) throw new Error('There was no event');
  expect(await tell(event)).toBe(200);
  const asked = peer.requests.length;
  for (let times = 0; times < 3; times++) expect(await tell(event)).toBe(200);
  expect(peer.requests).toHaveLength(asked);
  expect(await auditOf(ann)).toHaveLength(1);
  expect((await auditOf(ann))[0]).toMatchObject({
    actor_kind: 'billing',
    action: 'set_plan',
    details: { plan: 'plus', former_plan: 'free' },
  });
});

test('events in any order and concurrently lead to the state at Stripe', async () => {
  const events = await payQuietly(ann, 'plus');
  const { id } = newest();
  events.push(peer.change(id, { status: 'past_due' }, 'invoice.payment_failed'));
  events.push(peer.change(id, { status: 'active' }, 'invoice.paid'));
  events.push(peer.change(id, { status: 'canceled' }, 'customer.subscription.deleted'));
  for (const event of [...events].reverse()) {
    expect(await tell(event)).toBe(200);
    expect(await planOf(ann)).toBe('free');
  }
  const again = await payQuietly(ann, 'pro');
  expect(await Promise.all([...again, ...events, ...again].map(tell))).toEqual(
    [...again, ...events, ...again].map(() => 200),
  );
  expect(await planOf(ann)).toBe('pro');
});

test('a check that was overtaken by a newer one is not stored', async () => {
  const [event, second] = await payQuietly(ann, 'plus');
  if (event === undefined || second === undefined) throw new Error('There were no events');
  const real = createStripePayments(app.config.stripe ?? { secretKey: '', webhookSecret: '', apiBase: '' });
  let go = (): void => undefined;
  const gate = new Promise<void>(resolve => {
    go = resolve;
  });
  const slow = {
    ...real,
    listSubscriptions: async (customer: string) => {
      const found = await real.listSubscriptions(customer);
      await gate;
      return found;
    },
  };
  const { lookAt } = await import('./look.ts');
  const late = lookAt(app.deps, slow, newest().customer, event.id);
  // The first check has its ticket and its response. The subscription then ends, and a second check
  // sees that.
  await expect.poll(() => peer.requests.at(-1)?.path).toBe('/v1/subscriptions');
  peer.change(newest().id, { status: 'canceled' });
  expect(await tell(second)).toBe(200);
  go();
  await late;
  expect(await planOf(ann)).toBe('free');
  expect(await auditOf(ann)).toEqual([]);
});

test('an event is acknowledged only once all that it means is stored', async () => {
  const [event] = await payQuietly(ann, 'plus');
  if (event === undefined) throw new Error('There was no event');
  peer.failure = { path: /subscriptions/, answer: 500 };
  expect(await tell(event)).toBe(503);
  peer.failure = null;
  // Fails the last statement of the transaction, as a crash halfway through would.
  await sql`alter table audit_entries rename to audit_entries_away`.execute(app.db);
  expect(await tell(event)).toBe(500);
  await sql`alter table audit_entries_away rename to audit_entries`.execute(app.db);
  expect(await planOf(ann)).toBe('free');
  expect(await ann.client.billing.status({})).toMatchObject({ data: { has_subscription: false } });
  expect(await tell(event)).toBe(200);
  expect(await planOf(ann)).toBe('plus');
});

test('events about unknown customers and of other types are acknowledged without effect', async () => {
  const bodies = [
    { type: 'customer.subscription.updated', data: { object: { id: 'sub_x', customer: 'cus_of_nobody' } } },
    { type: 'payout.paid', data: { object: { id: 'po_x' } } },
    { type: 'invoice.paid', data: { object: { id: 'in_x', customer: null } } },
  ];
  for (const [index, rest] of bodies.entries()) {
    const body = JSON.stringify({ id: `evt_other_${index}`, object: 'event', ...rest });
    expect(await peer.send(hook, { body }, peer.sign(body, clock.now()))).toBe(200);
  }
});

test('a missed event is made up for by the next reconciliation', async () => {
  await payQuietly(ann, 'pro');
  expect(await planOf(ann)).toBe('free');
  clock.advance(BILLING_LOOK_AGAIN_MS);
  expect(await reconcileBilling(app.deps)).toBeGreaterThan(0);
  expect(await planOf(ann)).toBe('pro');
  // A customer that was just checked is skipped.
  expect(await reconcileBilling(app.deps)).toBe(0);
  peer.change(newest().id, { status: 'canceled' });
  clock.advance(BILLING_LOOK_AGAIN_MS);
  await reconcileBilling(app.deps);
  expect(await planOf(ann)).toBe('free');
});

test('the reconciliation stops when Stripe is unavailable and loses nothing', async () => {
  await payQuietly(ann, 'plus');
  clock.advance(BILLING_LOOK_AGAIN_MS);
  peer.failure = { path: /subscriptions/, answer: 500 };
  expect(await reconcileBilling(app.deps)).toBe(0);
  peer.failure = null;
  await reconcileBilling(app.deps);
  expect(await planOf(ann)).toBe('plus');
});

test('a key of another Stripe account, which knows no customer, changes no plan', async () => {
  const [event] = await payQuietly(ann, 'plus');
  if (event === undefined || (await tell(event)) !== 200) throw new Error('The event was not taken');
  const bob = await registerTestUser(app);
  await payQuietly(bob, 'pro');
  const toBob = peer.events.at(-1);
  const { customer } = newest();
  const before = await app.db.selectFrom('billing_accounts').selectAll().orderBy('user_id').execute();
  const known = [...peer.customers];
  peer.customers.clear();
  clock.advance(BILLING_LOOK_AGAIN_MS);
  expect(await reconcileBilling(app.deps)).toBe(0);
  expect(toBob === undefined ? 0 : await tell(toBob)).toBe(503);
  const { billing } = ann.client;
  expect(await codeOf(billing.portal({}))).toBe('503 portal_failed');
  expect(await codeOf(billing.upgrade({ plan: 'pro' }))).toBe('503 checkout_failed');
  expect(await planOf(ann)).toBe('plus');
  const kept = ({ user_id, customer_id, subscription_id, plan }: (typeof before)[number]) =>
    [user_id, customer_id, subscription_id, plan] as const;
  const after = await app.db.selectFrom('billing_accounts').selectAll().orderBy('user_id').execute();
  expect(after.map(kept)).toEqual(before.map(kept));
  // An order to delete a customer is not considered done either.
  await bob.client.account.delete_account({ password: bob.loginHash });
  await expect
    .poll(async () => (await app.db.selectFrom('billing_closings').selectAll().execute())[0]?.attempts)
    .toBe(1);
  for (const one of known) peer.customers.add(one);
  clock.advance(CLOSING_RETRY_MS);
  expect(await closeCustomers(app.deps)).toBe(1);
  expect(peer.deletedCustomers.has(customer)).toBe(true);
  await reconcileBilling(app.deps);
  expect(await planOf(ann)).toBe('plus');
});

test('deleting a customer at Stripe ends the subscription by its event, as reconciliation would', async () => {
  await payQuietly(ann, 'plus');
  await reconcileBilling(app.deps);
  const { customer } = newest();
  const from = peer.events.length;
  const deleting = await fetch(`${peer.url}/v1/customers/${customer}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${peer.secretKey}`, 'stripe-version': 'any' },
  });
  expect(deleting.status).toBe(200);
  const events = peer.events.slice(from);
  expect(events.map(({ type }) => type)).toEqual(['customer.subscription.deleted', 'customer.deleted']);
  const [, gone] = events;
  if (gone === undefined) throw new Error('There was no event');
  // Delivered alone and twice: the subscription event may arrive later, or never.
  expect([await tell(gone), await tell(gone)]).toEqual([200, 200]);
  expect(await planOf(ann)).toBe('free');
  const { data } = await ann.client.billing.status({});
  expect(data).toMatchObject({ has_subscription: false, has_account: false, plan: 'free' });
  expect((await auditOf(ann)).map(({ actor_kind, details }) => [actor_kind, details])).toEqual([
    ['billing', { plan: 'plus', former_plan: 'free' }],
    ['billing', { plan: 'free', former_plan: 'plus' }],
  ]);
  for (const event of events) expect(await tell(event)).toBe(200);
  clock.advance(BILLING_LOOK_AGAIN_MS);
  await reconcileBilling(app.deps);
  expect(await planOf(ann)).toBe('free');
  // The user can upgrade again, as a new customer.
  await payQuietly(ann, 'pro');
  expect(newest().customer).not.toBe(customer);
});

test('a request that outlasts its lock leaves it to the next one and opens no payment page', async () => {
  const real = createStripePayments(app.config.stripe ?? { secretKey: '', webhookSecret: '', apiBase: '' });
  const userId = await userIdOf(app.db, ann);
  const wish = { plan: 'plus', period: 'monthly' } as const;
  /** An upgrade whose first Stripe request is held until released. */
  const begin = () => {
    let isAsked = false;
    let go = (): void => undefined;
    const gate = new Promise<void>(resolve => {
      go = resolve;
    });
    const payments = {
      ...real,
      listPrices: async () => {
        isAsked = true;
        await gate;
        return real.listPrices();
      },
    };
    const url = upgrade({ ...app.deps, payments }, userId, wish);
    url.catch(() => undefined);
    return { url, go, asked: () => expect.poll(() => isAsked).toBe(true) };
  };
  const pages = () =>
    peer.requests.filter(({ path, fields }) => path.endsWith('/sessions') && fields.has('mode'));
  const before = pages().length;
  const first = begin();
  await first.asked();
  clock.advance(BILLING_TURN_MS);
  const second = begin();
  await second.asked();
  first.go();
  await expect(first.url).rejects.toMatchObject({ code: 'already_in_progress' });
  // The end of the first request does not release the second one's lock.
  expect(await codeOf(ann.client.billing.upgrade(wish))).toBe('409 already_in_progress');
  second.go();
  expect(await second.url).toMatch(peer.url);
  expect(pages()).toHaveLength(before + 1);
  expect((await ann.client.billing.upgrade(wish)).data.url).toMatch(peer.url);
});

test('payment pages opened elsewhere are closed in batches, and no other one is opened meanwhile', async () => {
  const payments = createStripePayments(
    app.config.stripe ?? { secretKey: '', webhookSecret: '', apiBase: '' },
  );
  const order = () => ann.client.billing.upgrade({ plan: 'plus' });
  await order();
  const { customer_id: customerId } = await app.db
    .selectFrom('billing_accounts')
    .select('customer_id')
    .where('user_id', '=', await userIdOf(app.db, ann))
    .executeTakeFirstOrThrow();
  const priceId = (await payments.listPrices())[0]?.priceId ?? '';
  const page = { customerId: customerId ?? '', priceId, successUrl: peer.url, cancelUrl: peer.url };
  for (let opened = 0; opened < 5; opened++) await payments.openCheckout(page);
  expect(await codeOf(order())).toBe('503 checkout_failed');
  const { url } = (await order()).data;
  await peer.pay(url ?? '');
  expect(peer.subscriptions.filter(one => one.customer === customerId)).toHaveLength(1);
});

test('deleting an account deletes its Stripe customer, however long Stripe is unavailable', async () => {
  await payQuietly(ann, 'plus');
  const { customer } = newest();
  peer.failure = { path: /customers/, answer: 500 };
  await ann.client.account.delete_account({ password: ann.loginHash });
  await expect
    .poll(async () => (await app.db.selectFrom('billing_closings').selectAll().execute())[0]?.attempts)
    .toBe(1);
  expect(
    await app.db
      .selectFrom('billing_accounts')
      .select('user_id')
      .where('customer_id', '=', customer)
      .execute(),
  ).toEqual([]);
  expect(newest().status).toBe('active');
  peer.failure = null;
  expect(await closeCustomers(app.deps)).toBe(0);
  clock.advance(CLOSING_RETRY_MS);
  expect(await closeCustomers(app.deps)).toBe(1);
  expect(newest().status).toBe('canceled');
  expect(peer.customers.has(customer)).toBe(false);
  expect(await app.db.selectFrom('billing_closings').selectAll().execute()).toEqual([]);
  // The resulting events refer to a customer that no account has any more.
  const last = peer.events.at(-1);
  expect(last === undefined ? 0 : await tell(last)).toBe(200);
});

test('while Stripe is available, the subscription ends right after the account', async () => {
  await payQuietly(ann, 'pro');
  await ann.client.account.delete_account({ password: ann.loginHash });
  await expect.poll(() => newest().status).toBe('canceled');
});

test('without keys the status says so, calls are refused, and Stripe is not contacted', async () => {
  const off = await startTestApp();
  try {
    const bob = await registerTestUser(off);
    expect((await bob.client.billing.status({})).data).toMatchObject({
      enabled: false,
      can_upgrade: false,
      has_subscription: false,
      plan: 'free',
    });
    const { billing } = bob.client;
    const asked = [
      () => billing.upgrade({ plan: 'plus' }),
      () => billing.portal({}),
      () => billing.cancel({}),
      () => billing.resume({}),
    ];
    for (const ask of asked) expect(await codeOf(ask())).toBe('422 billing_off');
    expect(await peer.send(`${off.baseUrl}/stripe/webhook`, { body: '{}' })).toBe(422);
    await bob.client.account.delete_account({ password: bob.loginHash });
    expect(await reconcileBilling(off.deps)).toBe(0);
    expect(await closeCustomers(off.deps)).toBe(0);
  } finally {
    await off.close();
  }
});

test('an event larger than any from Stripe is refused with 413', async () => {
  const body = JSON.stringify({ id: 'evt_big', filler: randomBytes(600_000).toString('hex') });
  expect(await peer.send(hook, { body }, peer.sign(body, clock.now()))).toBe(413);
});
