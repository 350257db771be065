// A smaller plan keeps what the larger one allowed and refuses more (docs/interpretations.md#91):
// addresses, domains, storage, analytics, an organization. The plan ends as in production: the
// subscription is canceled and its period runs out.
import { randomBytes } from 'node:crypto';
import { type StripePeer, startStripePeer } from '@keyfold/testing/stripe/peer';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { sealTestMessage } from '../../../../tests/harness/sending.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { PLAN_LIMITS } from '../../../base/limits.ts';
import { readConfig } from '../../../config/config.ts';

let peer: StripePeer;
let app: TestApp;
let ann: TestUser;
let bob: TestUser;

const ADDRESSES = PLAN_LIMITS.free.addressLimit + 2;
const DOMAINS = PLAN_LIMITS.free.domainLimit + 2;
const names = Array.from({ length: ADDRESSES }, (_, index) => `ann.downgrade.${index}@keyfold.test`);
const MEMBERS = PLAN_LIMITS.free.memberLimit + 1;
const domains = Array.from({ length: DOMAINS }, (_, index) => `ann-${index}.example`);

const planOf = async () => (await ann.client.auth.check({})).data.plan;
async function changePlan(plan: 'free' | 'plus', act: () => unknown) {
  await act();
  await vi.waitFor(async () => expect(await planOf()).toBe(plan), { timeout: 20_000 });
}
async function fill(usedBytes: number) {
  const userId = await userIdOf(app.db, ann);
  await app.db
    .updateTable('mailboxes')
    .set({ used_bytes: usedBytes })
    .where('user_id', '=', userId)
    .execute();
}
const invite = (username: string) =>
  ann.client.organization.invite({ name: 'Member', username, domain: 'keyfold.test' });
const pay = async () => peer.pay((await ann.client.billing.upgrade({ plan: 'plus' })).data.url ?? '');

beforeAll(async () => {
  peer = await startStripePeer();
  app = await startTestApp({ config: { stripe: readConfig(peer.env).stripe } });
  peer.webhookUrl = `${app.baseUrl}/stripe/webhook`;
  [ann, bob] = [await registerTestUser(app), await registerTestUser(app)];
  await changePlan('plus', pay);
  for (const address of names) await ann.client.addresses.create({ address });
  for (const domain of domains) await ann.client.domains.register({ domain });
  await ann.client.organization.create({ name: 'Harbor Light' });
  for (let count = 1; count < MEMBERS; count++) await invite(`harbor.${count}`);
  await fill(PLAN_LIMITS.free.storageBytes + 1_000_000);
  await changePlan('free', async () => {
    await ann.client.billing.cancel({});
    const { id } = peer.subscriptions[0] ?? { id: '' };
    peer.change(id, { status: 'canceled' }, 'customer.subscription.deleted');
  });
});
afterAll(async () => {
  await app.close();
  await peer.close();
});

test('existing addresses keep working; new ones are refused until enough are removed', async () => {
  const { client } = ann;
  const { data: all } = await client.addresses.list({});
  expect(all.map(({ address }) => address)).toEqual(expect.arrayContaining(names));
  expect((await client.addresses.capabilities({})).data).toMatchObject({
    used: ADDRESSES,
    limit: PLAN_LIMITS.free.addressLimit,
    can_create: false,
  });
  const { data: keys } = await bob.client.mail.keys({ users: names });
  expect(keys.every(one => 'fingerprint' in one)).toBe(true);
  const create = () => client.addresses.create({ address: 'ann.one.more@keyfold.test' });
  expect(await codeOf(create())).toBe('422 address_limit_reached');
  // Replacing an address does not increase their number.
  await client.addresses.rotate({ address: names[0] ?? '' });
  for (const address of names.slice(1, 3)) {
    expect(await codeOf(create())).toBe('422 address_limit_reached');
    await client.addresses.remove({ address });
  }
  expect(await codeOf(create())).toBe('422 address_limit_reached');
  await client.addresses.remove({ address: names[3] ?? '' });
  await create();
});

test('existing domains stay; a new one is refused in the words of the specification', async () => {
  const { client } = ann;
  expect((await client.domains.list({})).data.map(({ domain }) => domain)).toEqual(domains);
  const register = () => client.domains.register({ domain: 'one-more.example' });
  await expect(register()).rejects.toThrow('You have reached your domain limit');
  await client.domains.remove({ domain: domains[0] ?? '' });
  expect(await codeOf(register())).toBe('422 domain_limit_reached');
  expect((await client.domains.info({ domain: domains[1] ?? '' })).data.domain).toBe(domains[1]);
});

test('existing mail can be read and deleted; new mail is refused until storage is free', async () => {
  const { client } = ann;
  const draft = {
    key_used: ann.mainKey.key_id,
    encrypted_key: randomBytes(60).toString('base64'),
    salt: randomBytes(32).toString('base64'),
  };
  expect((await client.account.storage({})).data.limit).toBe(PLAN_LIMITS.free.storageBytes);
  expect(await codeOf(client.sending.send_private(await sealTestMessage(ann, { to: [bob] })))).toBe(
    '507 quota_exceeded',
  );
  expect(await codeOf(client.sending.empty(draft))).toBe('507 quota_exceeded');
  await client.mail.query({});
  await fill(1_000);
  await client.sending.empty(draft);
  await client.sending.send_private(await sealTestMessage(ann, { to: [bob] }));
});

test('an organization keeps its members and accepts no new ones', async () => {
  expect((await ann.client.organization.get({})).data).toMatchObject({
    members: 1,
    invited: MEMBERS - 1,
    member_limit: PLAN_LIMITS.free.memberLimit,
  });
  expect(await codeOf(invite('harbor.more'))).toBe('422 member_limit_reached');
});

test('analytics are refused and return with the plan, like everything else', async () => {
  const { client } = ann;
  expect(await codeOf(client.security.stats({}))).toBe('403 plus_required');
  await changePlan('plus', pay);
  await client.security.stats({});
  expect((await client.addresses.capabilities({})).data.can_create).toBe(true);
  await client.domains.register({ domain: 'one-more.example' });
  await invite('harbor.more');
  expect((await client.account.storage({})).data.limit).toBe(PLAN_LIMITS.plus.storageBytes);
});
