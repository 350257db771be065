import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { addMember, proveDomain } from '../../../../tests/harness/organizations.ts';
import { askRecipient } from '../../../../tests/harness/rcpt.ts';
import { sealTestMessage } from '../../../../tests/harness/sending.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { PLAN_LIMITS } from '../../../base/limits.ts';

let app: TestApp;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  app = await startTestApp({ roles: ['http', 'smtp'] });
});
beforeEach(async () => {
  [ann, bob] = await Promise.all([registerTestUser(app), registerTestUser(app)]);
});
afterAll(() => app.close());

let made = 0;
const newName = (): string => `alias${++made}-${process.pid}@keyfold.test`;
const create = async (user: TestUser, address = newName()): Promise<string> =>
  (await user.client.addresses.create({ address })).data.address;
const list = async (user: TestUser) => (await user.client.addresses.list({})).data;

const answerTo = (address: string) => askRecipient(app.app.smtpPort, address);

test('addresses can be created up to the plan’s limit, receive mail, and are listed in the user', async () => {
  const { addressLimit } = PLAN_LIMITS.free;
  expect((await ann.client.addresses.capabilities({})).data).toEqual({
    used: 0,
    limit: addressLimit,
    can_create: true,
    can_rotate: false,
    domains: ['keyfold.test'],
  });
  const wanted = Array.from({ length: addressLimit + 3 }, newName);
  const outcomes = await Promise.allSettled(wanted.map(address => create(ann, address)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(addressLimit);
  expect(await codeOf(create(ann))).toBe('422 address_limit_reached');
  expect((await ann.client.addresses.capabilities({})).data).toMatchObject({
    used: addressLimit,
    can_create: false,
    can_rotate: true,
  });
  const { data: user } = await ann.client.auth.check({});
  expect(user.addresses).toHaveLength(addressLimit);
  expect(await answerTo(user.addresses[0] ?? '')).toBe('250');
  expect((await list(ann)).map(({ kind }) => kind)).toEqual(['main', 'alias', 'alias', 'alias']);
});

test('only free, unreserved names at an allowed domain can become addresses', async () => {
  const taken = await create(bob);
  expect(await codeOf(create(ann, taken))).toBe('409 address_taken');
  expect(await codeOf(create(ann, bob.email))).toBe('409 address_taken');
  expect(await codeOf(create(ann, 'me@elsewhere.test'))).toBe('422 domain_refused');
  expect(await codeOf(create(ann, 'post.master@keyfold.test'))).toBe('422 username_refused');
  expect(await codeOf(create(ann, 'a+b@keyfold.test'))).toBe('422 username_refused');
  expect(await create(ann, `  Shop.${process.pid}@KEYFOLD.test `)).toBe(`shop.${process.pid}@keyfold.test`);
});

test('a retired address answers 550 and can be claimed only by its former owner', async () => {
  const address = await create(ann);
  await ann.client.addresses.remove({ address });
  expect(await answerTo(address)).toBe('550 5.1.1');
  expect(await codeOf(create(bob, address))).toBe('409 address_taken');
  const [username = ''] = address.split('@');
  expect(await codeOf(registerTestUser(app, { username }))).toBe('409 address_taken');
  expect(await create(ann, address)).toBe(address);
  expect(await answerTo(address)).toBe('250');
  // A deletion that is not committed yet, and a concurrent request for the name.
  let second: Promise<string> | undefined;
  await app.db.transaction().execute(async trx => {
    await trx.deleteFrom('addresses').where('address', '=', address).execute();
    second = codeOf(create(bob, address));
    await expect
      .poll(async () => {
        const { rows } = await waiting();
        return rows.length;
      })
      .toBeGreaterThan(0);
  });
  expect(await second).toBe('409 address_taken');
});

const waiting = () =>
  app.db
    .selectFrom('pg_locks' as never)
    .selectAll()
    .where('granted' as never, '=', false as never)
    .execute()
    .then(rows => ({ rows }));

test('a deleted account keeps no domains, and its address cannot be claimed', async () => {
  const gone = await registerTestUser(app);
  await gone.client.domains.register({ domain: `gone${process.pid}.test` });
  const { id } = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', gone.email)
    .executeTakeFirstOrThrow();
  await app.db.transaction().execute(async trx => {
    await trx.deleteFrom('addresses').where('user_id', '=', id).execute();
    await trx.deleteFrom('mailboxes').where('user_id', '=', id).execute();
    await trx.deleteFrom('users').where('id', '=', id).execute();
  });
  expect(await codeOf(create(bob, gone.email))).toBe('409 address_taken');
  expect(await app.db.selectFrom('domains').select('domain').where('user_id', '=', id).execute()).toEqual([]);
  const former = await app.db.selectFrom('former_addresses').selectAll().execute();
  expect(former.filter(row => row.user_id === id)).toEqual([]);
});

test('a rotated alias stops at once and passes its label and role to a fresh one', async () => {
  const address = await create(ann);
  await ann.client.addresses.change({ address, label: 'Shops in Zanzibar', is_default: true });
  const { data } = await ann.client.addresses.rotate({ address });
  expect(data.address).toMatch(/^[a-z][a-z2-9]{11}@keyfold\.test$/);
  expect((await list(ann)).find(one => one.address === data.address)).toMatchObject({
    label: 'Shops in Zanzibar',
    is_default: true,
    kind: 'alias',
  });
  expect(await answerTo(address)).toBe('550 5.1.1');
  expect(await answerTo(data.address)).toBe('250');
  expect((await ann.client.auth.check({})).data.default_address).toBe(data.address);
  const rows = await app.db.selectFrom('addresses').select('label_sealed').execute();
  for (const row of rows) expect(row.label_sealed?.toString('latin1') ?? '').not.toContain('Zanzibar');
});

test('a disabled address receives nothing from anywhere until it is enabled again', async () => {
  const address = await create(ann);
  await ann.client.addresses.change({ address, is_on: false });
  expect(await answerTo(address)).toBe('550 5.1.1');
  expect(await answerTo(address.replace('@', '+tag@'))).toBe('550 5.1.1');
  expect((await ann.client.auth.check({})).data.off_addresses).toEqual([address]);
  const message = await sealTestMessage(bob, { to: [{ ...ann, email: address }] });
  expect(await codeOf(bob.client.sending.send_private(message))).toBe('422 recipients_refused');
  await ann.client.addresses.change({ address, is_on: true });
  await bob.client.sending.send_private(message);
  expect(await answerTo(address)).toBe('250');
});

test('exactly one address is the default sender, and messages are sent only from own addresses', async () => {
  const [first, second] = [await create(ann), await create(ann)];
  await Promise.all(
    [first, second, first, second].map(address => ann.client.addresses.change({ address, is_default: true })),
  );
  const defaults = (await list(ann)).filter(one => one.is_default);
  expect(defaults).toHaveLength(1);
  const from = defaults[0]?.address ?? '';
  const message = await sealTestMessage(ann, { to: [bob] });
  await ann.client.sending.send_private({ ...message, used_address: from });
  await ann.client.addresses.change({ address: from, is_on: false });
  // An address that receives nothing is not offered as a sender either: the main address is.
  expect((await list(ann)).find(one => one.is_default)?.address).toBe(ann.email);
  const foreign = await create(bob);
  expect(await codeOf(ann.client.sending.send_private({ ...message, used_address: foreign }))).toBe(
    '403 sender_refused',
  );
});

test('the main address cannot be removed, and another user’s addresses are not found', async () => {
  const address = ann.email;
  expect(await codeOf(ann.client.addresses.remove({ address }))).toBe('422 address_kept');
  expect(await codeOf(ann.client.addresses.rotate({ address }))).toBe('422 address_kept');
  expect(await codeOf(ann.client.addresses.change({ address, is_on: false }))).toBe('422 address_kept');
  const others = await create(bob);
  expect(await codeOf(ann.client.addresses.remove({ address: others }))).toBe('404 not_found');
  expect(await codeOf(ann.client.addresses.rotate({ address: others }))).toBe('404 not_found');
  expect(await codeOf(ann.client.addresses.change({ address: others, label: 'x' }))).toBe('404 not_found');
  expect((await list(bob)).map(one => one.address)).toEqual([bob.email, others]);
});

describe('domains that take no new accounts', () => {
  let closed: TestApp;
  /** The same from the point of view of users who sign up. */
  let open: TestApp;
  beforeAll(async () => {
    closed = await startTestApp({
      config: { domains: ['staff.test', 'keyfold.test'], signupDomains: ['keyfold.test'] },
    });
    open = { ...closed, config: { ...closed.config, domains: ['keyfold.test'] } };
  });
  afterAll(() => closed.close());

  test('give no addresses by other means, except to users who already have one there', async () => {
    const { client } = await registerTestUser(open);
    expect((await client.addresses.capabilities({})).data.domains).toEqual(['keyfold.test']);
    const { data } = await client.addresses.create({ address: 'some.alias@keyfold.test' });
    const { address } = data;
    for (const call of [
      () => client.addresses.create({ address: 'boss@staff.test' }),
      () => client.domains.change({ address, domain: 'staff.test' }),
      () => client.domains.change_main({ domain: 'staff.test' }),
    ])
      expect(await codeOf(call())).toBe('422 domain_refused');
    await closed.db
      .updateTable('addresses')
      .set({ address: 'some.alias@staff.test' })
      .where('address', '=', address)
      .execute();
    expect((await client.addresses.capabilities({})).data.domains).toEqual(['staff.test', 'keyfold.test']);
    await client.addresses.create({ address: 'another@staff.test' });
  });

  test('do not prevent a user who loses the only address from getting one elsewhere', async () => {
    const owner = await registerTestUser(open);
    await owner.client.organization.create({ name: 'Harbor' });
    await proveDomain(closed, owner, 'harbor.test');
    await owner.client.organization.connect({ domain: 'harbor.test' });
    const member = await addMember(closed, owner, { username: 'info', domain: 'harbor.test' });
    await owner.client.organization.disconnect({ domain: 'harbor.test' });
    expect((await list(member)).map(({ address }) => address)).toEqual([
      expect.stringMatching(/@keyfold\.test$/),
    ]);
  });
});
