// The organization log: each action with its actor and subject, for owners and admins; the entries
// that concern the service, for its admins; and the notices to affected members and to owners.
import { randomBytes } from 'node:crypto';
import { sealRetired } from '@keyfold/crypto/retired';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { addMember, proveDomain } from '../../../../tests/harness/organizations.ts';
import {
  createTestKeys,
  registerTestUser,
  type TestUser,
  userIdOf,
} from '../../../../tests/harness/users.ts';
import { readAudit } from '../../support/audit/index.ts';

let app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  owner = await registerTestUser(app);
  await owner.client.organization.create({ name: 'Harbor Light' });
});
afterAll(() => app.close());

const logOf = async ({ client }: TestUser) => (await client.organization.log({})).data.entries;
const linesOf = async (who: TestUser) =>
  (await logOf(who)).map(({ actor, action, subject, object }) => [actor, action, subject ?? object]);
const noticesOf = async ({ client }: TestUser): Promise<string[]> =>
  (await client.mail.query({})).data
    .filter(mail => mail.alert)
    .map(({ headers }) => /X-Keyfold-Notice: (\w+)/.exec(headers)?.[1] ?? '')
    .filter(kind => kind !== 'new_login');
const signIn = ({ client, email, loginHash }: TestUser) =>
  client.sign_in.login({ email, password: loginHash });

test('the log lists every action and names former members by their address at the time', async () => {
  const { client, email } = owner;
  const domain = 'logged.test';
  await proveDomain(app, owner, domain);
  await client.organization.update({ name: 'Harbor Lights' });
  await client.organization.connect({ domain });
  await client.organization.disconnect({ domain });
  const { data: invited } = await client.organization.invite({
    name: 'X',
    username: `unfollowed.${Date.now()}`,
    domain: 'keyfold.test',
  });
  await client.organization.remove_member({ user_id: invited.user_id });
  const member = await addMember(app, owner);
  await client.organization.set_role({ user_id: member.id, role: 'admin' });
  await client.organization.set_role({ user_id: member.id, role: 'admin' });
  const { data } = await client.organization.reset_password({ user_id: member.id });
  const { mainKey: main_key } = await createTestKeys();
  const password = 'a'.repeat(64);
  await app
    .client()
    .joining.set_password({ reset: data.reset.split('#reset=')[1] ?? '', password, main_key });
  await member.client.sign_in.login({ email: member.email, password });
  expect((await logOf(member)).length).toBeGreaterThan(0);
  await member.client.organization.remove_member({ user_id: member.id });
  const { data: later } = await member.client.addresses.create({
    address: `later.${Date.now()}@keyfold.test`,
  });
  await app.db.updateTable('users').set({ email: later.address }).where('id', '=', member.id).execute();
  expect(await codeOf(member.client.organization.log({}))).toBe('404 not_found');
  expect(await linesOf(owner)).toEqual([
    [member.email, 'leave_organization', member.email],
    [member.email, 'use_reset', member.email],
    [email, 'begin_reset', member.email],
    [email, 'set_member_role', member.email],
    [member.email, 'join_organization', member.email],
    [email, 'invite_member', member.email],
    [email, 'withdraw_invite', null],
    [email, 'invite_member', null],
    [email, 'disconnect_domain', domain],
    [email, 'connect_domain', domain],
    [email, 'rename_organization', null],
    [email, 'create_organization', null],
  ]);
  const { data: open } = await client.organization.invite({
    name: 'Y',
    username: `open.${Date.now()}`,
    domain: 'keyfold.test',
  });
  expect((await linesOf(owner))[0]).toEqual([email, 'invite_member', open.email]);
  expect((await logOf(owner))[4]?.details).toEqual({ role: 'admin', former_role: 'member' });
  const { data: page } = await client.organization.log({ count: 2 });
  expect(page.has_more).toBe(true);
  const before = Number(page.entries.at(-1)?.id);
  expect((await client.organization.log({ before })).data.entries).toHaveLength(11);
});

test('a founder who left is not named by a sign-in address that members never saw', async () => {
  const second = await addMember(app, owner, { role: 'owner' });
  const id = await userIdOf(app.db, owner);
  const { data: shown } = await owner.client.addresses.create({
    address: `shown.${Date.now()}@keyfold.test`,
  });
  await app.db.updateTable('users').set({ email: shown.address }).where('id', '=', id).execute();
  expect((await linesOf(second)).at(-1)).toEqual([shown.address, 'create_organization', null]);
  await second.client.organization.set_role({ user_id: id, role: 'member' });
  await owner.client.organization.remove_member({ user_id: id });
  expect(await linesOf(second)).toEqual([
    [null, 'leave_organization', null],
    [second.email, 'set_member_role', null],
    [second.email, 'join_organization', second.email],
    [null, 'invite_member', second.email],
    [null, 'create_organization', null],
  ]);
});

test('service admins see entries that create or open accounts, and no others', async () => {
  const member = await addMember(app, owner);
  await owner.client.organization.update({ name: 'Renamed' });
  await owner.client.organization.reset_password({ user_id: member.id });
  const { entries } = await readAudit(app.db, { count: 5 });
  const by = (email: string) => ({ kind: 'member', email });
  expect(
    entries
      .slice(0, 4)
      .map(({ actor, action, organization, subject }) => [actor, action, organization, subject]),
  ).toEqual([
    [by(owner.email), 'begin_reset', 'Renamed', member.email],
    [by(member.email), 'join_organization', 'Renamed', member.email],
    [by(owner.email), 'invite_member', 'Renamed', member.email],
    [by(owner.email), 'create_organization', 'Renamed', null],
  ]);
  await owner.client.organization.remove({});
  const [newest] = (await readAudit(app.db, { count: 1 })).entries;
  expect(newest).toMatchObject({ action: 'end_organization', organization: null });
});

test('a failed action is not logged, and a deleted account is not named', async () => {
  const member = await addMember(app, owner);
  const before = await logOf(owner);
  const user_id = await userIdOf(app.db, owner);
  expect(await codeOf(owner.client.organization.set_role({ user_id, role: 'member' }))).toBe(
    '422 last_owner',
  );
  expect(await logOf(owner)).toEqual(before);
  await member.client.account.delete_account({ password: member.loginHash });
  expect((await linesOf(owner)).slice(0, 3)).toEqual([
    [null, 'leave_organization', null],
    [null, 'join_organization', null],
    [owner.email, 'invite_member', null],
  ]);
});

test('an owner who is demoted and then reset gets both notices, and so do the other owners', async () => {
  const second = await addMember(app, owner, { role: 'owner' });
  const third = await addMember(app, owner, { role: 'owner' });
  const member = await addMember(app, owner);
  await owner.client.organization.set_role({ user_id: second.id, role: 'admin' });
  expect(await noticesOf(second)).toEqual(['role_admin', 'owners_changed']);
  expect(await noticesOf(third)).toEqual(['owners_changed']);
  await owner.client.organization.reset_password({ user_id: second.id });
  await signIn(second);
  expect(await noticesOf(second)).toEqual(['reset_begun', 'role_admin', 'owners_changed']);
  expect(await noticesOf(third)).toEqual(['member_reset_begun', 'owners_changed']);
  // The actor needs no notice, and uninvolved members get none.
  expect(await noticesOf(owner)).toEqual(['owners_changed', 'owners_changed']);
  expect(await noticesOf(member)).toEqual([]);
});

test('a reset that its member ends by password, recovery kit or new keys is logged', async () => {
  const member = await addMember(app, owner);
  const { client, email, loginHash, identity, vaultKey, mainKey: main_key } = member;
  const user_id = member.id;
  const begin = () => owner.client.organization.reset_password({ user_id });
  const newest = async () => (await linesOf(owner))[0];
  const ended = [email, 'end_reset', email];
  const proof = randomBytes(32).toString('hex');
  await client.account.save_recovery({ password: loginHash, recovery: { proof, main_key } });
  await begin();
  await client.sign_in.login({ email, password: loginHash });
  const password = randomBytes(32).toString('hex');
  await client.account.change_password({ old_password: loginHash, new_password: password, main_key });
  expect(await newest()).toEqual(ended);
  // Without a pending reset there is nothing to end.
  await client.account.change_password({ old_password: password, new_password: loginHash, main_key });
  expect(await linesOf(owner)).toHaveLength(5);
  await begin();
  await app.client().recovery.recover({ email, proof, password: loginHash, main_key });
  expect(await newest()).toEqual(ended);
  await begin();
  await client.sign_in.login({ email, password: loginHash });
  const fresh = await createTestKeys(vaultKey);
  await client.key_rotation.rotate({
    password: loginHash,
    from: identity.key_id,
    main_key: fresh.mainKey,
    retired: [await sealRetired(fresh.identity, identity, 1)],
  });
  expect(await newest()).toEqual(ended);
  expect(await linesOf(owner)).toHaveLength(9);
});

test('repeated resets of a member by one person send one notice until one of them is over', async () => {
  const admin = await addMember(app, owner, { role: 'admin' });
  const member = await addMember(app, owner);
  const other = await addMember(app, owner);
  const begin = (who: TestUser, user_id: string) => who.client.organization.reset_password({ user_id });
  for (const who of [admin, admin, admin]) await begin(who, member.id);
  expect(await noticesOf(owner)).toEqual(['member_reset_begun']);
  await begin(admin, other.id);
  expect(await noticesOf(owner)).toEqual(['member_reset_begun', 'member_reset_begun']);
  await signIn(member);
  expect(await noticesOf(member)).toEqual(['reset_begun']);
  // Each reset is in the log.
  const begun = (await linesOf(owner)).filter(([, action]) => action === 'begin_reset');
  expect(begun).toHaveLength(4);
  const { loginHash, mainKey: main_key } = member;
  await member.client.account.change_password({
    old_password: loginHash,
    new_password: 'b'.repeat(64),
    main_key,
  });
  await begin(admin, member.id);
  expect(await noticesOf(owner)).toHaveLength(3);
});

test('a reset started again by another person sends new notices, also to the first one', async () => {
  const second = await addMember(app, owner, { role: 'owner' });
  const admin = await addMember(app, owner, { role: 'admin' });
  const member = await addMember(app, owner);
  const begin = (who: TestUser) => who.client.organization.reset_password({ user_id: member.id });
  await begin(second);
  const ofSecond = 'owners_changed';
  expect([await noticesOf(owner), await noticesOf(second)]).toEqual([['member_reset_begun', ofSecond], []]);
  await begin(admin);
  await begin(admin);
  expect(await noticesOf(owner)).toEqual(['member_reset_begun', 'member_reset_begun', ofSecond]);
  expect(await noticesOf(second)).toEqual(['member_reset_begun']);
  // Returning to the previous person counts as another person again.
  await begin(second);
  expect(await noticesOf(owner)).toHaveLength(4);
  await signIn(member);
  expect(await noticesOf(member)).toEqual(['reset_begun', 'reset_begun', 'reset_begun']);
});

test('owners are notified when an admin starts a reset and when an owner leaves', async () => {
  const admin = await addMember(app, owner, { role: 'admin' });
  const member = await addMember(app, owner);
  await admin.client.organization.reset_password({ user_id: member.id });
  expect(await noticesOf(owner)).toEqual(['member_reset_begun']);
  expect(await noticesOf(admin)).toEqual([]);
  const second = await addMember(app, owner, { role: 'owner' });
  await second.client.organization.remove_member({ user_id: second.id });
  const third = await addMember(app, owner, { role: 'owner' });
  await third.client.account.delete_account({ password: third.loginHash });
  expect(await noticesOf(owner)).toEqual([
    ...Array.from({ length: 4 }, () => 'owners_changed'),
    'member_reset_begun',
  ]);
});
