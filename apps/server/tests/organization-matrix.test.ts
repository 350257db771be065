// The permission matrix of organizations: every call by a user without an organization, a member,
// an admin, an owner, and the owner of another organization, each naming objects of the first.
// Refused calls change nothing, and no caller sees another organization.
import { type api, ORGANIZATION_RIGHTS } from '@keyfold/contract';
import { CallError } from '@keyfold/contract/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './harness/app.ts';
import { addMember, proveDomain } from './harness/organizations.ts';
import { registerTestUser, type TestUser, userIdOf } from './harness/users.ts';

type CallName = keyof typeof api.organization;
const CALLERS = ['outsider', 'member', 'admin', 'owner', 'stranger'] as const;
type Caller = (typeof CALLERS)[number];

/** Objects of the first organization that a call names. */
type Targets = { readonly memberId: string; readonly invitedId: string; readonly connected: string };

/** `own`: changes or shows the caller's own organization, whichever that is. */
type Row = {
  readonly input: (targets: Targets, made: number) => Record<string, unknown>;
  readonly expected: Readonly<Record<Caller, number>>;
};

const row = (
  input: Row['input'],
  [outsider, member, admin, owner, stranger]: readonly [number, number, number, number, number],
): Row => ({ input, expected: { outsider, member, admin, owner, stranger } });

const MATRIX: Readonly<Record<Exclude<CallName, 'join' | 'remove'>, Row>> = {
  create: row(() => ({ name: 'Mine' }), [200, 409, 409, 409, 409]),
  get: row(() => ({}), [404, 200, 200, 200, 200]),
  permissions: row(() => ({}), [200, 200, 200, 200, 200]),
  members: row(() => ({}), [404, 200, 200, 200, 200]),
  connected: row(() => ({}), [404, 200, 200, 200, 200]),
  log: row(() => ({}), [404, 403, 200, 200, 200]),
  available: row(() => ({}), [404, 403, 200, 200, 200]),
  update: row(() => ({ name: 'First' }), [404, 403, 200, 200, 200]),
  invite: row(
    (_targets, made) => ({ name: 'X', username: `invited.${made}`, domain: 'keyfold.test' }),
    [404, 403, 200, 200, 200],
  ),
  set_role: row(({ memberId }) => ({ user_id: memberId, role: 'member' }), [404, 403, 403, 200, 404]),
  reset_password: row(({ memberId }) => ({ user_id: memberId }), [404, 403, 200, 200, 404]),
  connect: row(({ connected }) => ({ domain: connected }), [404, 403, 404, 409, 404]),
  disconnect: row(({ connected }) => ({ domain: connected }), [404, 403, 200, 200, 404]),
  remove_member: row(({ invitedId }) => ({ user_id: invitedId }), [404, 403, 200, 200, 404]),
};

let app: TestApp;
let callers: Readonly<Record<Caller, TestUser>>;
let target: TestUser & { readonly id: string };
let made = 0;
const domain = 'first-organization.test';

beforeAll(async () => {
  app = await startTestApp();
  const [outsider, owner, stranger] = [
    await registerTestUser(app),
    await registerTestUser(app),
    await registerTestUser(app),
  ];
  for (const { email } of [owner, stranger])
    await app.db.updateTable('users').set({ plan: 'pro' }).where('email', '=', email).execute();
  await owner.client.organization.create({ name: 'First' });
  await stranger.client.organization.create({ name: 'Second' });
  const admin = await addMember(app, owner, { role: 'admin' });
  const member = await addMember(app, owner);
  callers = { outsider, member, admin, owner, stranger };
  target = await addMember(app, owner);
  await proveDomain(app, owner, domain);
});
afterAll(() => app.close());

async function statusOf(user: TestUser, name: CallName, input: Record<string, unknown>): Promise<number> {
  const calls = user.client.organization as unknown as Record<string, (input: unknown) => Promise<unknown>>;
  try {
    await calls[name]?.(input);
    return 200;
  } catch (error) {
    if (error instanceof CallError) return error.status;
    throw error;
  }
}

/** Returns everything that the owner of the first organization can see, without times of use. */
const stateOf = async (user: TestUser) => ({
  organization: (await user.client.organization.get({})).data,
  members: (await user.client.organization.members({})).data.map(({ last_active_at, ...rest }) => rest),
  connected: (await user.client.organization.connected({})).data,
});

describe.each(Object.keys(MATRIX) as (keyof typeof MATRIX)[])('%s', name => {
  test.each(CALLERS)('by the %s', async who => {
    const { owner } = callers;
    const { data: invited } = await owner.client.organization.invite({
      name: 'Y',
      username: `target.${++made}`,
      domain: 'keyfold.test',
    });
    await owner.client.organization.connect({ domain }).catch(() => undefined);
    const caller = who === 'outsider' && name === 'create' ? await registerTestUser(app) : callers[who];
    const before = await stateOf(owner);
    const input = MATRIX[name].input(
      { memberId: target.id, invitedId: invited.user_id, connected: domain },
      ++made,
    );
    const expected = MATRIX[name].expected[who];
    expect(await statusOf(caller, name, input)).toBe(expected);
    const isOfTheFirst = who === 'member' || who === 'admin' || who === 'owner';
    if (expected !== 200 || !isOfTheFirst) expect(await stateOf(owner)).toEqual(before);
  });
});

test('a password reset needs a higher role, and a removal needs an equal or higher role', async () => {
  const { owner, admin } = callers;
  const [peer, second] = [
    await addMember(app, owner, { role: 'admin' }),
    await addMember(app, owner, { role: 'owner' }),
  ];
  const resets = (who: TestUser, id: string) => statusOf(who, 'reset_password', { user_id: id });
  expect([await resets(admin, peer.id), await resets(admin, second.id)]).toEqual([403, 403]);
  expect([await resets(owner, peer.id), await resets(owner, second.id)]).toEqual([200, 403]);
  expect(await statusOf(admin, 'remove_member', { user_id: second.id })).toBe(403);
  for (const { id } of [peer, second])
    expect(await statusOf(owner, 'remove_member', { user_id: id })).toBe(200);
});

test('only an owner can delete an organization, and only their own', async () => {
  const { outsider, member, admin, owner, stranger } = callers;
  const third = await registerTestUser(app);
  await third.client.organization.create({ name: 'Third' });
  const before = await stateOf(owner);
  expect(await statusOf(outsider, 'remove', {})).toBe(404);
  for (const one of [member, admin]) expect(await statusOf(one, 'remove', {})).toBe(403);
  expect(await statusOf(third, 'remove', {})).toBe(200);
  expect(await stateOf(owner)).toEqual(before);
  expect((await stateOf(stranger)).organization.name).toBe('First');
  expect((await stateOf(stranger)).members).toHaveLength(2);
});

test('two organizations never see each other', async () => {
  const { owner, stranger } = callers;
  const own = await stateOf(stranger);
  const ids = new Set((await stateOf(owner)).members.map(({ user_id }) => user_id));
  expect(own.members.every(({ user_id }) => !ids.has(user_id))).toBe(true);
  expect(own.connected).toEqual([]);
  const strangerId = await userIdOf(app.db, stranger);
  expect(await statusOf(owner, 'remove_member', { user_id: strangerId })).toBe(404);
  expect(await statusOf(owner, 'reset_password', { user_id: strangerId })).toBe(404);
  expect(await statusOf(owner, 'set_role', { user_id: strangerId, role: 'member' })).toBe(404);
  for (const user_id of ['x', 'not-an-id', '0'.repeat(64)])
    expect(await statusOf(owner, 'remove_member', { user_id })).toBe(404);
});

test('the reported permissions match what the server allows', async () => {
  const rights = new Map<Caller, readonly string[]>();
  for (const who of CALLERS)
    rights.set(who, (await callers[who].client.organization.permissions({})).data.can);
  expect(rights.get('owner')).toEqual(ORGANIZATION_RIGHTS.filter(right => right !== 'create'));
  expect(rights.get('outsider')).toEqual(['create']);
  expect(rights.get('member')).toEqual(['view', 'leave']);
  expect(rights.get('admin')).not.toContain('set_roles');
  expect(rights.get('admin')).not.toContain('delete');
});
