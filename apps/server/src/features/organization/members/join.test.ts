// Joining an organization by invitation with an existing account: what the account gains, what ends
// with the membership, and when joining is refused.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { acceptInvite, addMember, proveDomain } from '../../../../tests/harness/organizations.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { PLAN_LIMITS } from '../../../base/limits.ts';

let app: TestApp;
let owner: TestUser;
let made = 0;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  owner = await registerTestUser(app);
  await owner.client.organization.create({ name: 'Harbor Light' });
});
afterAll(() => app.close());

const freshName = () => `name${++made}.${randomBytes(2).toString('hex')}`;
const invite = async (change: { role?: 'admin' | 'owner' } = {}) =>
  (
    await owner.client.organization.invite({
      name: 'Ines',
      username: freshName(),
      domain: 'keyfold.test',
      ...change,
    })
  ).data;
const membersOf = async ({ client }: TestUser) => (await client.organization.members({})).data;
const setPlan = ({ email }: TestUser, plan: 'free' | 'plus') =>
  app.db.updateTable('users').set({ plan }).where('email', '=', email).execute();
const roleOf = async ({ client }: TestUser) => (await client.organization.permissions({})).data.role;
const addressesOf = async ({ client }: TestUser) =>
  (await client.addresses.list({})).data.map(({ address, kind }) => ({ address, kind }));

test('an existing account can accept an invitation, keeps its address and becomes a member', async () => {
  const { email, invite: secret, user_id } = await invite({ role: 'admin' });
  const joiner = await registerTestUser(app);
  const { organization } = joiner.client;
  expect((await app.client().joining.invitation({ invite: secret })).data.is_connected).toBe(false);
  expect((await organization.join({ invite: secret })).data).toMatchObject({
    name: 'Harbor Light',
    role: 'admin',
    members: 2,
    invited: 0,
  });
  expect((await membersOf(owner)).map(one => [one.email, one.status])).toEqual([
    [owner.email, 'active'],
    [joiner.email, 'active'],
  ]);
  expect((await membersOf(owner)).map(one => one.user_id)).not.toContain(user_id);
  // The invitation's address is available again, and its link is used up.
  expect(await addressesOf(joiner)).toEqual([{ address: joiner.email, kind: 'main' }]);
  await owner.client.addresses.create({ address: email });
  const late = await registerTestUser(app);
  expect(await codeOf(late.client.organization.join({ invite: secret }))).toBe('404 invite_refused');
  expect(await codeOf(acceptInvite(app, secret, email))).toBe('404 invite_refused');
  const { data: log } = await owner.client.organization.log({});
  expect(log.entries[0]).toMatchObject({ action: 'join_organization', actor: joiner.email });
});

test('joining adds the invited address at a connected domain, which ends with the membership', async () => {
  const domain = `d${++made}.harbor.test`;
  await proveDomain(app, owner, domain);
  await owner.client.organization.connect({ domain });
  const form = { name: 'Ines', username: 'ines', domain };
  const { data } = await owner.client.organization.invite(form);
  expect((await app.client().joining.invitation({ invite: data.invite })).data.is_connected).toBe(true);
  const joiner = await registerTestUser(app);
  await joiner.client.organization.join({ invite: data.invite });
  expect(await addressesOf(joiner)).toContainEqual({ address: data.email, kind: 'alias' });
  await joiner.client.organization.remove_member({ user_id: await userIdOf(app.db, joiner) });
  expect(await addressesOf(joiner)).toEqual([{ address: joiner.email, kind: 'main' }]);
  // At the address limit nothing happens, and the invitation stays valid for an account with a free
  // address.
  const full = await registerTestUser(app);
  for (let left = PLAN_LIMITS.free.addressLimit; left > 0; left--)
    await full.client.addresses.create({ address: `${freshName()}@keyfold.test` });
  const { data: second } = await owner.client.organization.invite({ ...form, username: 'ida' });
  expect(await codeOf(full.client.organization.join({ invite: second.invite }))).toBe(
    '422 address_limit_reached',
  );
  expect(await roleOf(full)).toBeNull();
  await acceptInvite(app, second.invite, second.email);
});

test('an invitation is refused to members, signed-out clients, beyond the limit and once void', async () => {
  const { invite: secret, user_id } = await invite();
  const member = await addMember(app, owner);
  const stranger = await registerTestUser(app);
  await stranger.client.organization.create({ name: 'Second' });
  for (const one of [owner, member, stranger])
    expect(await codeOf(one.client.organization.join({ invite: secret }))).toBe('409 organization_member');
  expect(await codeOf(app.client().organization.join({ invite: secret }))).toBe('401 not_logged_in');
  const joiner = await registerTestUser(app);
  const join = (secretOf: string) => codeOf(joiner.client.organization.join({ invite: secretOf }));
  expect(await join('A'.repeat(43))).toBe('404 invite_refused');
  await owner.client.organization.remove_member({ user_id });
  expect(await join(secret)).toBe('404 invite_refused');
  // The plan was downgraded after the invitation: members above its limit stay, but no new ones can
  // join.
  await setPlan(owner, 'plus');
  for (let left = PLAN_LIMITS.free.memberLimit - 2; left > 0; left--) await addMember(app, owner);
  const { invite: late } = await invite();
  await setPlan(owner, 'free');
  expect(await join(late)).toBe('422 member_limit_reached');
  expect(await roleOf(joiner)).toBeNull();
  await setPlan(owner, 'plus');
  const second = await invite();
  const answers = await Promise.all([late, second.invite].map(join));
  expect(answers.sort()).toEqual(['409 organization_member', 'none']);
});

test('an invitation creates no account above a lowered member limit, and works once there is a place', async () => {
  await setPlan(owner, 'plus');
  for (let left = PLAN_LIMITS.free.memberLimit - 1; left > 0; left--) await addMember(app, owner);
  const { invite: secret, email } = await invite();
  await setPlan(owner, 'free');
  expect(await codeOf(acceptInvite(app, secret, email))).toBe('422 member_limit_reached');
  expect(await membersOf(owner)).toHaveLength(PLAN_LIMITS.free.memberLimit + 1);
  await setPlan(owner, 'plus');
  const joined = await acceptInvite(app, secret, email);
  expect(await roleOf(joined)).toBe('member');
});

test('owners get a notice when a new owner joins, with an account or by signing up', async () => {
  const noticesOf = async ({ client }: TestUser) =>
    (await client.mail.query({ threading: false })).data.filter(({ headers }) =>
      headers.includes('X-Keyfold-Notice: owners_changed'),
    ).length;
  const joiner = await registerTestUser(app);
  await joiner.client.organization.join({ invite: (await invite({ role: 'owner' })).invite });
  expect([await noticesOf(owner), await noticesOf(joiner)]).toEqual([1, 0]);
  const { invite: secret, email } = await invite({ role: 'owner' });
  const third = await acceptInvite(app, secret, email);
  expect([await noticesOf(owner), await noticesOf(joiner), await noticesOf(third)]).toEqual([2, 1, 0]);
  await addMember(app, owner);
  expect(await noticesOf(owner)).toBe(2);
});

test('joining is rate-limited against guessed links', async () => {
  const joiner = await registerTestUser(app);
  const answers = new Set<string>();
  for (let tries = 0; tries <= 30; tries++)
    answers.add(
      await codeOf(joiner.client.organization.join({ invite: randomBytes(32).toString('base64url') })),
    );
  expect([...answers]).toEqual(['404 invite_refused', '429 rate_limited']);
});
