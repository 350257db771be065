import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { acceptInvite, addMember, proveDomain } from '../../../../tests/harness/organizations.ts';
import { sealTestMessage } from '../../../../tests/harness/sending.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { INVITE_LIFETIME_MS, PLAN_LIMITS } from '../../../base/limits.ts';
import { createInvitation } from '../../accounts/sign-up-codes/index.ts';

let app: TestApp;
let clock: TestClock;
let owner: TestUser;
let made = 0;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
beforeEach(async () => {
  owner = await registerTestUser(app);
  await owner.client.organization.create({ name: 'Harbor Light' });
});
afterAll(() => app.close());

const freshName = () => `name${++made}.${randomBytes(2).toString('hex')}`;
const invite = async (change: { username?: string; role?: 'admin' | 'member' | 'owner' } = {}) =>
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

describe('an organization', () => {
  test('is created once, shown, renamed and deleted, and its members keep their accounts', async () => {
    const { client } = owner;
    expect((await client.organization.get({})).data).toMatchObject({
      name: 'Harbor Light',
      role: 'owner',
      members: 1,
      invited: 0,
      member_limit: PLAN_LIMITS.free.memberLimit,
    });
    expect(await codeOf(client.organization.create({ name: 'Another' }))).toBe('409 organization_member');
    const member = await addMember(app, owner);
    await client.organization.update({ name: 'Harbor Lights' });
    expect((await member.client.organization.get({})).data).toMatchObject({
      name: 'Harbor Lights',
      role: 'member',
      members: 2,
    });
    await client.organization.remove({});
    for (const one of [owner, member]) {
      expect(await codeOf(one.client.organization.get({}))).toBe('404 not_found');
      expect((await one.client.organization.permissions({})).data).toEqual({ role: null, can: ['create'] });
      await one.client.mail.query({});
    }
    await member.client.organization.create({ name: 'My own' });
  });

  test('cannot be created twice by concurrent requests of one user', async () => {
    const { client } = await registerTestUser(app);
    const answers = await Promise.all(['A', 'B'].map(name => codeOf(client.organization.create({ name }))));
    expect(answers.sort()).toEqual(['409 organization_member', 'none']);
  });
});

describe('an invitation', () => {
  test('shows its purpose, works once, and creates a member', async () => {
    const { email, invite: secret, user_id } = await invite();
    const anybody = app.client();
    expect((await anybody.joining.invitation({ invite: secret })).data).toMatchObject({
      organization: 'Harbor Light',
      name: 'Ines',
      username: email.split('@')[0],
      domain: 'keyfold.test',
      role: 'member',
    });
    expect((await membersOf(owner)).map(({ status }) => status)).toEqual(['active', 'invited']);
    expect((await owner.client.organization.get({})).data).toMatchObject({ members: 1, invited: 1, used: 2 });
    const member = await acceptInvite(app, secret, email);
    expect(await userIdOf(app.db, member)).toBe(user_id);
    expect(await roleOf(member)).toBe('member');
    expect(await codeOf(anybody.joining.invitation({ invite: secret }))).toBe('404 invite_refused');
    expect(await codeOf(acceptInvite(app, secret, email))).toBe('404 invite_refused');
    // Plain members see who belongs to the organization, but neither invitations nor last activity.
    await invite();
    const seen = await membersOf(member);
    expect(seen.map(({ email: address, last_active_at }) => [address, last_active_at])).toEqual([
      [owner.email, null],
      [email, null],
    ]);
  });

  test('is only for the address it names, which stays reserved', async () => {
    const { email, invite: secret } = await invite();
    expect(await codeOf(acceptInvite(app, secret, `other.${email}`))).toBe('404 invite_refused');
    const [username = ''] = email.split('@');
    await expect(registerTestUser(app, { username })).rejects.toMatchObject({ code: 'address_taken' });
    expect(await codeOf(owner.client.addresses.create({ address: email }))).toBe('409 address_taken');
    await acceptInvite(app, secret, email);
  });

  test('expires', async () => {
    const { email, invite: secret } = await invite();
    clock.advance(INVITE_LIFETIME_MS);
    expect(await codeOf(acceptInvite(app, secret, email))).toBe('404 invite_refused');
    await owner.client.sign_in.login({ email: owner.email, password: owner.loginHash });
    expect((await membersOf(owner)).map(({ status }) => status)).toEqual(['active', 'expired']);
    expect((await owner.client.organization.get({})).data.invited).toBe(0);
  });

  test('can be withdrawn, and a second one for the same address replaces the first', async () => {
    const first = await invite();
    await owner.client.organization.remove_member({ user_id: first.user_id });
    expect(await codeOf(acceptInvite(app, first.invite, first.email))).toBe('404 invite_refused');
    const username = freshName();
    const second = await invite({ username });
    const third = await invite({ username });
    expect(third.user_id).toBe(second.user_id);
    expect(await codeOf(acceptInvite(app, second.invite, second.email))).toBe('404 invite_refused');
    await acceptInvite(app, third.invite, third.email);
  });

  test('can be accepted by only one of two concurrent users', async () => {
    const { email, invite: secret } = await invite();
    const answers = await Promise.all([1, 2].map(() => codeOf(acceptInvite(app, secret, email))));
    expect(answers.sort()).toEqual(['404 invite_refused', 'none']);
  });

  test('is refused for taken or reserved names, foreign domains, and beyond the limit', async () => {
    const ask = (username: string, domain = 'keyfold.test') =>
      codeOf(owner.client.organization.invite({ name: 'X', username, domain }));
    expect(await ask(owner.email.split('@')[0] ?? '')).toBe('409 address_taken');
    expect(await ask('postmaster')).toBe('422 username_refused');
    expect(await ask('somebody', 'elsewhere.test')).toBe('422 domain_refused');
    const gone = await registerTestUser(app);
    await gone.client.account.delete_account({ password: gone.loginHash });
    expect(await ask(gone.email.split('@')[0] ?? '')).toBe('409 address_taken');
    const room = PLAN_LIMITS.free.memberLimit - 1;
    const answers = await Promise.all(Array.from({ length: room + 2 }, () => ask(freshName())));
    expect(answers.filter(answer => answer === 'none')).toHaveLength(room);
    expect(new Set(answers)).toEqual(new Set(['none', '422 member_limit_reached']));
    await setPlan(owner, 'plus');
    expect(await ask(freshName())).toBe('none');
    // A smaller plan removes no members.
    await setPlan(owner, 'free');
    expect(await ask(freshName())).toBe('422 member_limit_reached');
    expect(await membersOf(owner)).toHaveLength(room + 2);
  });
});

test('without an active owner, invitations can be neither sent nor accepted', async () => {
  const admin = await addMember(app, owner, { role: 'admin' });
  const { email, invite: secret } = await invite();
  const setStatus = (status: 'active' | 'suspended') =>
    app.db.updateTable('users').set({ status }).where('email', '=', owner.email).execute();
  await setStatus('suspended');
  expect(await codeOf(acceptInvite(app, secret, email))).toBe('404 invite_refused');
  const form = { name: 'X', username: freshName(), domain: 'keyfold.test' };
  expect(await codeOf(admin.client.organization.invite(form))).toBe('422 member_limit_reached');
  await setStatus('active');
  await acceptInvite(app, secret, email);
});

test('when sign-up requires an operator invitation, an organization on a paid plan can still invite', async () => {
  const closed = await startTestApp({ config: { isInvitationNeeded: true } });
  try {
    expect(await codeOf(acceptInvite(closed, 'A'.repeat(43), 'x@keyfold.test'))).toBe('404 invite_refused');
    const { code } = await createInvitation(
      closed.deps,
      { kind: 'operator' },
      { uses: 1, days: undefined, note: '' },
    );
    const founder = await registerTestUser(closed, { affiliateCode: code });
    await founder.client.organization.create({ name: 'Paid' });
    expect(await codeOf(addMember(closed, founder))).toBe('422 member_limit_reached');
    await closed.db.updateTable('users').set({ plan: 'plus' }).execute();
    const { memberLimit } = PLAN_LIMITS.plus;
    // Removing members makes no capacity for new accounts, nor does creating another organization
    // with the same owner.
    for (let joined = 1; joined < memberLimit; joined++) {
      const { id } = await addMember(closed, founder);
      await founder.client.organization.remove_member({ user_id: id });
    }
    expect(await codeOf(addMember(closed, founder))).toBe('422 member_limit_reached');
    // The displayed number is the one that is enforced.
    expect((await founder.client.organization.get({})).data).toMatchObject({
      members: 1,
      invited: 0,
      used: memberLimit,
      member_limit: memberLimit,
    });
    await founder.client.organization.remove({});
    await founder.client.organization.create({ name: 'Again' });
    expect(await codeOf(addMember(closed, founder))).toBe('422 member_limit_reached');
  } finally {
    await closed.close();
  }
});

describe('roles', () => {
  test('let admins manage members but no higher roles', async () => {
    await setPlan(owner, 'plus');
    const admin = await addMember(app, owner, { role: 'admin' });
    const peer = await addMember(app, owner, { role: 'admin' });
    const member = await addMember(app, owner);
    const { organization } = admin.client;
    const ownerId = await userIdOf(app.db, owner);
    for (const user_id of [ownerId, peer.id]) {
      expect(await codeOf(organization.remove_member({ user_id }))).toBe('403 forbidden');
      expect(await codeOf(organization.reset_password({ user_id }))).toBe('403 forbidden');
    }
    expect(await codeOf(organization.set_role({ user_id: member.id, role: 'admin' }))).toBe('403 forbidden');
    const form = { name: 'X', username: freshName(), domain: 'keyfold.test' };
    expect(await codeOf(organization.invite({ ...form, role: 'admin' }))).toBe('403 forbidden');
    expect(await codeOf(organization.invite(form))).toBe('none');
    const above = await invite({ role: 'admin' });
    expect(await codeOf(organization.remove_member({ user_id: above.user_id }))).toBe('403 forbidden');
    expect(await codeOf(organization.remove_member({ user_id: member.id }))).toBe('none');
    expect(await roleOf(member)).toBe(null);
  });

  test('keep the last owner until there is another one', async () => {
    const member = await addMember(app, owner);
    const user_id = await userIdOf(app.db, owner);
    const { organization } = owner.client;
    expect(await codeOf(organization.remove_member({ user_id }))).toBe('422 last_owner');
    expect(await codeOf(organization.set_role({ user_id, role: 'member' }))).toBe('422 last_owner');
    expect(await codeOf(owner.client.account.delete_account({ password: owner.loginHash }))).toBe(
      '422 last_owner',
    );
    expect((await organization.set_role({ user_id: member.id, role: 'owner' })).data.role).toBe('owner');
    expect(await codeOf(organization.set_role({ user_id, role: 'admin' }))).toBe('none');
    expect(await codeOf(organization.remove_member({ user_id }))).toBe('none');
    expect(await roleOf(member)).toBe('owner');
  });

  test('keep one of two owners who leave at once', async () => {
    const other = await addMember(app, owner, { role: 'owner' });
    await addMember(app, owner);
    const answers = await Promise.all([
      codeOf(owner.client.organization.remove_member({ user_id: await userIdOf(app.db, owner) })),
      codeOf(other.client.organization.remove_member({ user_id: other.id })),
    ]);
    expect(answers.sort()).toEqual(['422 last_owner', 'none']);
  });

  test('end with a deleted account, and the last member’s organization ends with its invitations', async () => {
    const member = await addMember(app, owner);
    await member.client.account.delete_account({ password: member.loginHash });
    expect(await membersOf(owner)).toHaveLength(1);
    const { email, invite: secret } = await invite();
    await owner.client.account.delete_account({ password: owner.loginHash });
    expect(await codeOf(acceptInvite(app, secret, email))).toBe('404 invite_refused');
  });
});

describe('an organization’s domain', () => {
  let domain: string;
  beforeEach(() => {
    domain = `harbor${++made}.test`;
  });

  test('can be connected once verified, and gives members addresses', async () => {
    const { organization } = owner.client;
    await owner.client.domains.register({ domain });
    expect((await organization.available({})).data).toEqual([]);
    expect(await codeOf(organization.connect({ domain }))).toBe('422 domain_unproved');
    await owner.client.domains.remove({ domain });
    expect(await codeOf(organization.connect({ domain }))).toBe('404 not_found');
    await proveDomain(app, owner, domain);
    expect((await organization.available({})).data).toEqual([{ domain }]);
    expect((await organization.connect({ domain: ` ${domain.toUpperCase()}. ` })).data).toEqual({
      domain,
      holder: owner.email,
      is_own: true,
      addresses: [],
    });
    expect(await codeOf(organization.connect({ domain }))).toBe('409 domain_connected');
    expect((await organization.available({})).data).toEqual([]);
    const member = await addMember(app, owner, { username: 'info', domain });
    expect(await addressesOf(member)).toEqual([{ address: `info@${domain}`, kind: 'main' }]);
    expect((await member.client.organization.connected({})).data).toEqual([
      { domain, holder: owner.email, is_own: false, addresses: [`info@${domain}`] },
    ]);
    // Members have only the addresses they are given. Owners and admins can add their own.
    expect(await codeOf(member.client.addresses.create({ address: `more@${domain}` }))).toBe(
      '422 domain_refused',
    );
    const admin = await addMember(app, owner, { role: 'admin' });
    await admin.client.addresses.create({ address: `more@${domain}` });
    expect((await admin.client.organization.available({})).data).toEqual([]);
    expect(await codeOf(owner.client.domains.remove({ domain }))).toBe('422 domain_in_use');
  });

  test('cannot be connected and removed at once', async () => {
    await proveDomain(app, owner, domain);
    const waiting = async (n: number) =>
      expect
        .poll(async () => {
          const { rows } = await sql<{ n: number }>`
            select count(*)::int as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
          return rows[0]?.n;
        })
        .toBe(n);
    // Both requests start while the claim is locked elsewhere: connecting first, then removing.
    const { calls } = await app.db.transaction().execute(async trx => {
      await trx.selectFrom('domains').select('domain').where('domain', '=', domain).forUpdate().execute();
      const connecting = codeOf(owner.client.organization.connect({ domain }));
      await waiting(1);
      const removing = codeOf(owner.client.domains.remove({ domain }));
      await waiting(2);
      return { calls: Promise.all([connecting, removing]) };
    });
    expect(await calls).toEqual(['none', '422 domain_in_use']);
    expect((await owner.client.organization.connected({})).data).toHaveLength(1);
    expect((await owner.client.domains.list({})).data).toHaveLength(1);
  });

  test('takes its addresses along when disconnected, and members keep their mail and sign-in', async () => {
    await proveDomain(app, owner, domain);
    await owner.client.organization.connect({ domain });
    const member = await addMember(app, owner, { username: 'info', domain });
    await owner.client.addresses.create({ address: `hello@${domain}` });
    await owner.client.sending.send_private(await sealTestMessage(owner, { to: [member] }));
    await owner.client.organization.disconnect({ domain });
    const [main, ...rest] = await addressesOf(member);
    expect(rest).toEqual([]);
    expect(main).toMatchObject({
      kind: 'main',
      address: expect.stringMatching(/^[a-z0-9.]+@keyfold\.test$/),
    });
    expect((await member.client.mail.query({})).count).toBe(1);
    expect((await addressesOf(owner)).map(({ address }) => address)).toContain(`hello@${domain}`);
    await app.client().sign_in.login({ email: member.email, password: member.loginHash });
    await member.client.sending.send_private(
      await sealTestMessage({ ...member, email: main?.address ?? '' }, { to: [owner] }),
    );
    // The address still signs its user in, so no other user can take it.
    expect(await codeOf(owner.client.addresses.create({ address: member.email }))).toBe('409 address_taken');
    expect(await roleOf(member)).toBe('member');
  });

  test('is disconnected when its holder leaves, and removed members lose their addresses at it', async () => {
    const holder = await addMember(app, owner, { role: 'admin' });
    await proveDomain(app, holder, domain);
    await holder.client.organization.connect({ domain });
    const [first, second] = [
      await addMember(app, owner, { username: 'first', domain }),
      await addMember(app, owner, { username: 'second', domain }),
    ];
    const { invite: secret, email } = (
      await owner.client.organization.invite({ name: 'X', username: 'third', domain })
    ).data;
    await owner.client.organization.remove_member({ user_id: first.id });
    expect((await addressesOf(first)).map(({ address }) => address)).not.toContain(first.email);
    expect((await addressesOf(second))[0]?.address).toBe(second.email);
    await owner.client.organization.remove_member({ user_id: holder.id });
    expect((await owner.client.organization.connected({})).data).toEqual([]);
    expect((await addressesOf(second)).map(({ address }) => address)).not.toContain(second.email);
    expect(await codeOf(acceptInvite(app, secret, email))).toBe('404 invite_refused');
    expect((await holder.client.domains.list({})).data).toHaveLength(1);
  });

  test('lets another member take an address that was given up', async () => {
    await proveDomain(app, owner, domain);
    await owner.client.organization.connect({ domain });
    const [one, two] = [
      await addMember(app, owner, { role: 'admin' }),
      await addMember(app, owner, { role: 'admin' }),
    ];
    const address = `sales@${domain}`;
    await one.client.addresses.create({ address });
    expect(await codeOf(two.client.addresses.create({ address }))).toBe('409 address_taken');
    await one.client.addresses.remove({ address });
    await two.client.addresses.create({ address });
  });
});
