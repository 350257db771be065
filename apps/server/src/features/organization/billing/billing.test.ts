// Plans and payments, through the typed client and Stripe's own library, against a server that
// implements Stripe's API.
import { type StripePeer, startStripePeer } from '@keyfold/testing/stripe/peer';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { readConfig } from '../../../config/config.ts';
import { setPlanOf } from '../../accounts/users/admins.ts';
import { getStatus } from './service.ts';

let peer: StripePeer;
let app: TestApp;
let ann: TestUser;
beforeAll(async () => {
  peer = await startStripePeer();
  app = await startTestApp({ config: { stripe: readConfig(peer.env).stripe } });
});
beforeEach(async () => {
  [peer.failure, peer.declines] = [null, false];
  peer.webhookUrl = `${app.baseUrl}/stripe/webhook`;
  ann = await registerTestUser(app);
});
afterAll(async () => {
  await app.close();
  await peer.close();
});

const statusOf = async ({ client }: TestUser) => (await client.billing.status({})).data;
const planOf = async ({ client }: TestUser) => (await client.auth.check({})).data.plan;
const order = async (user: TestUser, plan: 'plus' | 'pro', period?: 'monthly' | 'yearly') =>
  (await user.client.billing.upgrade({ plan, ...(period === undefined ? {} : { period }) })).data.url;

/** Pays for a plan and waits for the event. */
async function subscribe(user: TestUser, plan: 'plus' | 'pro', period?: 'monthly' | 'yearly') {
  await peer.pay((await order(user, plan, period)) ?? '');
  await expect.poll(() => planOf(user)).toBe(plan);
  const subscription = peer.subscriptions.at(-1);
  if (subscription === undefined) throw new Error('Nothing was paid');
  return subscription;
}

test('the status lists the plans with their limits and prices', async () => {
  const status = await statusOf(ann);
  expect(status).toMatchObject({
    enabled: true,
    has_subscription: false,
    can_upgrade: true,
    plan: 'free',
    paid_plan: null,
    period: null,
    renews_at: null,
    ends_at: null,
    payment_failed: false,
    has_account: false,
  });
  expect(status.plans.map(({ plan, monthly, yearly }) => [plan, monthly?.amount, yearly?.amount])).toEqual([
    ['free', undefined, undefined],
    ['plus', 400, 4_000],
    ['pro', 900, 9_000],
  ]);
  expect(status.plans[1]).toMatchObject({
    storage_limit: 50 * 1024 ** 3,
    address_limit: 15,
    domain_limit: 5,
    member_limit: 25,
    security_analytics: true,
    monthly: { currency: 'eur' },
  });
});

test('when sign-up requires an operator invitation, the free plan offers no organization', async () => {
  const closed = { ...app.deps, config: { ...app.config, isInvitationNeeded: true } };
  const { plans } = await getStatus(closed, await userIdOf(app.db, ann));
  expect(plans.map(({ member_limit }) => member_limit)).toEqual([1, 25, 250]);
});

test('a plan is paid for at Stripe, monthly by default, and starts with Stripe’s event', async () => {
  const url = await order(ann, 'plus');
  expect(url).toMatch(`${peer.url}/pay/`);
  expect(await planOf(ann)).toBe('free');
  const back = await peer.pay(url ?? '');
  expect(back).toBe(`${app.config.publicUrl}/app/config/subscription?paid=plus&from=free`);
  await expect.poll(() => planOf(ann)).toBe('plus');
  const status = await statusOf(ann);
  expect(status).toMatchObject({
    has_subscription: true,
    can_upgrade: true,
    paid_plan: 'plus',
    period: 'monthly',
    ends_at: null,
    has_account: true,
  });
  expect(new Date(status.renews_at ?? 0).getTime()).toBe((peer.subscriptions.at(-1)?.period_end ?? 0) * 1000);
  const { data } = await ann.client.auth.check({});
  expect(data.plan_config).toMatchObject({ domain_limit: 5, address_limit: 15 });
});

test('Stripe receives no data about the user', async () => {
  const from = peer.requests.length;
  await subscribe(ann, 'plus');
  const said = JSON.stringify(peer.requests.slice(from).map(({ path, fields }) => [path, ...fields]));
  for (const word of [ann.email, ann.email.split('@')[0] ?? '', await userIdOf(app.db, ann)])
    expect(said).not.toContain(word);
});

test('an existing subscription is changed with proration, and no second one is created', async () => {
  const subscription = await subscribe(ann, 'plus');
  expect(await order(ann, 'pro', 'yearly')).toBeNull();
  expect(await planOf(ann)).toBe('pro');
  expect(subscription).toMatchObject({ prorated: 1, price: { id: 'price_pro_yearly' } });
  expect(peer.subscriptions.filter(one => one.customer === subscription.customer)).toHaveLength(1);
  expect(await statusOf(ann)).toMatchObject({ paid_plan: 'pro', period: 'yearly', can_upgrade: false });
  // Another billing period of the same plan counts as an upgrade; the same period or a lower plan
  // does not.
  expect(await order(ann, 'pro', 'monthly')).toBeNull();
  expect(await codeOf(ann.client.billing.upgrade({ plan: 'pro' }))).toBe('422 upgrade_refused');
  expect(await codeOf(ann.client.billing.upgrade({ plan: 'plus' }))).toBe('422 upgrade_refused');
  await expect(ann.client.billing.upgrade({ plan: 'pro' })).rejects.toThrow(
    'Unable to determine upgrade path',
  );
  expect(await codeOf(ann.client.billing.upgrade({ plan: 'free' }))).toBe('422 upgrade_refused');
});

test('an unknown plan is refused in the words of the specification', async () => {
  const reply = await ann.client.fetch('/user/stripe/upgrade', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ plan: 'enterprise' }),
  });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({
    errors: [{ path: 'plan', message: 'Invalid plan. Must be free, plus, or pro.' }],
  });
});

test('a card that is refused changes nothing', async () => {
  await subscribe(ann, 'plus');
  peer.declines = true;
  expect(await codeOf(ann.client.billing.upgrade({ plan: 'pro' }))).toBe('422 payment_refused');
  expect(await statusOf(ann)).toMatchObject({ plan: 'plus', paid_plan: 'plus' });
});

test('concurrent orders do not both succeed, and the next order closes an open payment page', async () => {
  const orders = await Promise.allSettled([order(ann, 'plus'), order(ann, 'pro'), order(ann, 'plus')]);
  const served = orders.filter(one => one.status === 'fulfilled');
  expect(served.length).toBeGreaterThan(0);
  for (const one of orders)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'already_in_progress' });
  const first = served.at(-1)?.value ?? '';
  const second = (await order(ann, 'pro')) ?? '';
  await expect(peer.pay(first)).rejects.toThrow('404');
  await peer.pay(second);
  await expect.poll(() => planOf(ann)).toBe('pro');
});

test('a payment during the next order leaves one subscription, which that order changes', async () => {
  peer.webhookUrl = null;
  await peer.pay((await order(ann, 'plus')) ?? '');
  expect(await planOf(ann)).toBe('free');
  expect(await order(ann, 'pro')).toBeNull();
  const { customer } = peer.subscriptions.at(-1) ?? {};
  expect(peer.subscriptions.filter(one => one.customer === customer)).toHaveLength(1);
  expect(await planOf(ann)).toBe('pro');
});

test('an unpaid subscription is canceled when another payment page is opened', async () => {
  const subscription = await subscribe(ann, 'plus');
  peer.change(subscription.id, { status: 'unpaid' });
  await expect.poll(() => planOf(ann)).toBe('free');
  await subscribe(ann, 'plus');
  expect(subscription.status).toBe('canceled');
});

test('a canceled subscription runs until its end date and can be resumed', async () => {
  expect(await codeOf(ann.client.billing.cancel({}))).toBe('422 subscription_missing');
  const subscription = await subscribe(ann, 'pro', 'yearly');
  const { data } = await ann.client.billing.cancel({});
  expect(new Date(data.ends_at ?? 0).getTime()).toBe(subscription.period_end * 1000);
  expect(await statusOf(ann)).toMatchObject({
    plan: 'pro',
    has_subscription: true,
    ends_at: data.ends_at,
    renews_at: null,
  });
  await ann.client.billing.resume({});
  expect(await statusOf(ann)).toMatchObject({ ends_at: null, plan: 'pro' });
  await ann.client.billing.cancel({});
  peer.change(subscription.id, { status: 'canceled' }, 'customer.subscription.deleted');
  await expect.poll(() => planOf(ann)).toBe('free');
  expect(await statusOf(ann)).toMatchObject({ has_subscription: false, can_upgrade: true, ends_at: null });
  expect(await codeOf(ann.client.billing.resume({}))).toBe('422 subscription_missing');
});

test('a new order resumes a canceled subscription', async () => {
  await subscribe(ann, 'plus');
  await ann.client.billing.cancel({});
  await order(ann, 'pro');
  expect(await statusOf(ann)).toMatchObject({ paid_plan: 'pro', ends_at: null });
});

test('the portal requires a billing account', async () => {
  expect(await codeOf(ann.client.billing.portal({}))).toBe('422 billing_account_missing');
  await expect(ann.client.billing.portal({})).rejects.toThrow(/select a plan/i);
  await subscribe(ann, 'plus');
  const { data } = await ann.client.billing.portal({});
  expect(await (await fetch(data.url)).text()).toContain('/app/config/subscription');
});

test('a Stripe failure is reported in the words of the specification, and nothing is half done', async () => {
  const texts = {
    upgrade: 'Failed to create checkout session',
    portal: 'Failed to open billing portal',
    cancel: 'Failed to cancel subscription',
  };
  await subscribe(ann, 'plus');
  peer.failure = { path: /subscriptions|portal/, answer: 400 };
  await expect(ann.client.billing.upgrade({ plan: 'pro' })).rejects.toThrow(texts.upgrade);
  await expect(ann.client.billing.portal({})).rejects.toThrow(texts.portal);
  await expect(ann.client.billing.cancel({})).rejects.toThrow(texts.cancel);
  expect(await codeOf(ann.client.billing.cancel({}))).toBe('503 cancel_failed');
  expect(await statusOf(ann)).toMatchObject({ plan: 'plus', paid_plan: 'plus', ends_at: null });
});

test('a customer that was deleted at Stripe is created again', async () => {
  const subscription = await subscribe(ann, 'plus');
  peer.webhookUrl = null;
  peer.customers.delete(subscription.customer);
  peer.deletedCustomers.add(subscription.customer);
  subscription.status = 'canceled';
  expect(await codeOf(ann.client.billing.portal({}))).toBe('422 billing_account_missing');
  expect(await planOf(ann)).toBe('free');
  peer.webhookUrl = `${app.baseUrl}/stripe/webhook`;
  expect((await subscribe(ann, 'pro')).customer).not.toBe(subscription.customer);
});

test('the plan that an admin gives stays until the subscription changes', async () => {
  const subscription = await subscribe(ann, 'plus');
  await setPlanOf(app.deps, ann.email, 'pro');
  const event = peer.change(subscription.id, { period_end: subscription.period_end + 86_400 });
  await peer.send(peer.webhookUrl ?? '', event);
  expect(await statusOf(ann)).toMatchObject({ plan: 'pro', paid_plan: 'plus' });
  expect(await codeOf(ann.client.billing.upgrade({ plan: 'pro' }))).toBe('422 upgrade_refused');
  peer.change(subscription.id, { status: 'canceled' }, 'customer.subscription.deleted');
  await expect.poll(() => planOf(ann)).toBe('free');
});

test('a replaced price still maps to its plan by product; an unknown product changes no plan', async () => {
  const subscription = await subscribe(ann, 'plus');
  const old = { ...subscription.price, id: 'price_of_old', lookup_key: null };
  await peer.send(peer.webhookUrl ?? '', peer.change(subscription.id, { price: old }));
  expect(await statusOf(ann)).toMatchObject({ paid_plan: 'plus' });
  // A product that no longer maps to a plan is an operator's mistake, and takes nothing away from
  // paying users.
  const other = { ...old, product: 'prod_socks' };
  await peer.send(peer.webhookUrl ?? '', peer.change(subscription.id, { price: other }));
  expect(await statusOf(ann)).toMatchObject({ paid_plan: 'plus', plan: 'plus' });
  const bob = await registerTestUser(app);
  const url = (await order(bob, 'pro')) ?? '';
  peer.webhookUrl = null;
  await peer.pay(url);
  const socks = peer.subscriptions.at(-1);
  if (socks !== undefined) peer.change(socks.id, { price: other });
  for (const event of peer.events.slice(-2)) await peer.send(`${app.baseUrl}/stripe/webhook`, event);
  expect(await statusOf(bob)).toMatchObject({ paid_plan: null, plan: 'free' });
});
