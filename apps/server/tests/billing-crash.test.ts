// A payment and kill -9: everything acknowledged to Stripe is present after the restart. The
// restart alone recovers everything that was not acknowledged, without a repeated event.
import { createProduct, type Product } from '@keyfold/testing/product';
import { type StripePeer, startStripePeer } from '@keyfold/testing/stripe/peer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestClient } from './harness/client.ts';
import { registerTestUser, type TestUser } from './harness/users.ts';

let peer: StripePeer;
let product: Product;
let hook: string;
beforeAll(async () => {
  peer = await startStripePeer();
  product = await createProduct({ ...peer.env, KEYFOLD_CAPTCHA_COST: '0', KEYFOLD_LOG: 'warn' });
  await product.start();
  hook = `${product.baseUrl}/stripe/webhook`;
});
afterAll(async () => {
  await product?.remove();
  await peer?.close();
});

const register = (): Promise<TestUser> =>
  registerTestUser({
    config: { domains: ['keyfold.test'] },
    client: () => createTestClient(product.baseUrl),
  });
const planOf = async ({ client }: TestUser) => (await client.auth.check({})).data.plan;
async function pay({ client }: TestUser) {
  await peer.pay((await client.billing.upgrade({ plan: 'plus' })).data.url ?? '');
  const event = peer.events.at(-1);
  if (event === undefined) throw new Error('There was no event');
  return event;
}

test('acknowledged events survive a crash, and unacknowledged ones are found at the next start', async () => {
  const [ann, bob] = [await register(), await register()];
  expect(await peer.send(hook, await pay(ann))).toBe(200);
  const event = await pay(bob);
  peer.failure = { path: /GET \/v1\/subscriptions/, answer: null };
  const asked = peer.requests.length;
  const told = peer.send(hook, event).catch(() => 'no answer');
  await expect.poll(() => peer.requests.length).toBeGreaterThan(asked);
  await product.killAll();
  expect(await told).toBe('no answer');
  peer.failure = null;
  await product.start();
  expect(await planOf(ann)).toBe('plus');
  await expect.poll(() => planOf(bob)).toBe('plus');
  // Stripe repeats unacknowledged events.
  expect(await peer.send(hook, event)).toBe(200);
  expect(await planOf(bob)).toBe('plus');
});
