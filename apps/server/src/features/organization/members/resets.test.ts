// Password resets by an organization: what they end, who may start one for whom, and what
// invalidates a link.
import { randomBytes } from 'node:crypto';
import { sealRetired } from '@keyfold/crypto/retired';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { addMember } from '../../../../tests/harness/organizations.ts';
import { sealTestMessage } from '../../../../tests/harness/sending.ts';
import {
  createTestKeys,
  registerTestUser,
  type TestUser,
  userIdOf,
} from '../../../../tests/harness/users.ts';
import { RESET_LIFETIME_MS } from '../../../base/limits.ts';

let app: TestApp;
let clock: TestClock;
let owner: TestUser;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
beforeEach(async () => {
  owner = await registerTestUser(app);
  await owner.client.organization.create({ name: 'Harbor Light' });
});
afterAll(() => app.close());

describe('a password reset', () => {
  const begin = async (user_id: string) => {
    const { data } = await owner.client.organization.reset_password({ user_id });
    return data.reset.split('#reset=')[1] ?? '';
  };
  const membersOf = async () => (await owner.client.organization.members({})).data;
  const newSecrets = async () => ({
    password: randomBytes(32).toString('hex'),
    main_key: (await createTestKeys()).mainKey,
  });

  test('ends sessions at once, keeps the old password until it is used, and then replaces the keys', async () => {
    const member = await addMember(app, owner);
    const { email, loginHash } = member;
    await member.client.account.save_recovery({
      password: loginHash,
      recovery: { proof: randomBytes(32).toString('hex'), main_key: member.mainKey },
    });
    const key_used = member.mainKey.key_id;
    await member.client.records.save({ kind: 'template', id: 'a', version: 0, sealed: 'AAAA', key_used });
    await owner.client.sending.send_private(await sealTestMessage(owner, { to: [member] }));
    const reset = await begin(member.id);
    expect(await codeOf(member.client.auth.check({}))).toBe('401 not_logged_in');
    const again = app.client();
    await again.sign_in.login({ email, password: loginHash });
    const anybody = app.client();
    expect((await anybody.joining.reset({ reset })).data).toMatchObject({
      organization: 'Harbor Light',
      email,
      kdf_email: email,
    });
    const secrets = await newSecrets();
    await anybody.joining.set_password({ reset, ...secrets });
    expect(await codeOf(again.auth.check({}))).toBe('401 not_logged_in');
    expect(await codeOf(app.client().sign_in.login({ email, password: loginHash }))).toBe(
      '401 login_refused',
    );
    const { data: entered } = await again.sign_in.login({ email, password: secrets.password });
    expect(entered).toMatchObject({ main_key: secrets.main_key, retired_keys: [], recovery_at: null });
    expect((await again.records.list({ kind: 'template' })).data).toEqual([]);
    // The message, and the notices about the reset and new browsers.
    const { data: mails } = await again.mail.query({});
    const wrapped = mails.filter(mail => !mail.alert);
    expect(wrapped.map(mail => mail.key_used)).toEqual([key_used]);
    const notices = mails
      .filter(mail => mail.alert)
      .map(({ headers }) => /X-Keyfold-Notice: (\w+)/.exec(headers)?.[1]);
    expect(notices).toEqual(expect.arrayContaining(['reset_begun', 'reset_used']));
    expect(await codeOf(anybody.joining.set_password({ reset, ...secrets }))).toBe('404 reset_refused');
    // From now on, messages are encrypted to the new keys.
    const { data: keys } = await owner.client.mail.keys({ users: [email] });
    expect(keys).toEqual([expect.objectContaining({ fingerprint: secrets.main_key.key_id })]);
  });

  test('rejects invalid keys, expires, and ends with a later reset or the membership', async () => {
    const member = await addMember(app, owner);
    const anybody = app.client();
    const first = await begin(member.id);
    const second = await begin(member.id);
    expect(await codeOf(anybody.joining.reset({ reset: first }))).toBe('404 reset_refused');
    const secrets = await newSecrets();
    const main_key = { ...secrets.main_key, key_id: member.mainKey.key_id };
    expect(await codeOf(anybody.joining.set_password({ ...secrets, reset: second, main_key }))).toBe(
      '422 keys_refused',
    );
    await anybody.joining.reset({ reset: second });
    await owner.client.organization.remove_member({ user_id: member.id });
    expect(await codeOf(anybody.joining.set_password({ ...secrets, reset: second }))).toBe(
      '404 reset_refused',
    );
    const other = await addMember(app, owner);
    const third = await begin(other.id);
    clock.advance(RESET_LIFETIME_MS);
    expect(await codeOf(anybody.joining.set_password({ ...secrets, reset: third }))).toBe(
      '404 reset_refused',
    );
  });

  test('that is repeated sends another notice once the first link would have expired', async () => {
    const admin = await addMember(app, owner, { role: 'admin' });
    const member = await addMember(app, owner);
    const told = async () =>
      (await owner.client.mail.query({})).data.filter(({ headers }) =>
        headers.includes('X-Keyfold-Notice: member_reset_begun'),
      ).length;
    const counts: number[] = [];
    for (let day = 0; day < 5; day++) {
      await admin.client.organization.reset_password({ user_id: member.id });
      counts.push(await told());
      clock.advance(RESET_LIFETIME_MS / 2);
      await admin.client.sign_in.login({ email: admin.email, password: admin.loginHash });
      await owner.client.sign_in.login({ email: owner.email, password: owner.loginHash });
    }
    expect(counts).toEqual([1, 1, 2, 2, 3]);
  });

  test('is over once the password is changed, or the recovery kit used', async () => {
    const member = await addMember(app, owner);
    const { client, email, loginHash, mainKey: main_key } = member;
    const proof = randomBytes(32).toString('hex');
    await client.account.save_recovery({ password: loginHash, recovery: { proof, main_key } });
    const anybody = app.client();
    const first = await begin(member.id);
    await client.sign_in.login({ email, password: loginHash });
    const new_password = randomBytes(32).toString('hex');
    await client.account.change_password({ old_password: loginHash, new_password, main_key });
    expect(await codeOf(anybody.joining.reset({ reset: first }))).toBe('404 reset_refused');
    const second = await begin(member.id);
    await app.client().recovery.recover({ email, proof, password: loginHash, main_key });
    expect(await codeOf(anybody.joining.set_password({ reset: second, ...(await newSecrets()) }))).toBe(
      '404 reset_refused',
    );
    expect((await membersOf()).every(({ link_ends_at }) => link_ends_at === null)).toBe(true);
  });

  test('is over once the keys are replaced', async () => {
    const member = await addMember(app, owner);
    const { client, email, loginHash, identity, vaultKey } = member;
    const reset = await begin(member.id);
    await client.sign_in.login({ email, password: loginHash });
    const fresh = await createTestKeys(vaultKey);
    await client.key_rotation.rotate({
      password: loginHash,
      from: identity.key_id,
      main_key: fresh.mainKey,
      retired: [await sealRetired(fresh.identity, identity, 1)],
    });
    const anybody = app.client();
    expect(await codeOf(anybody.joining.set_password({ reset, ...(await newSecrets()) }))).toBe(
      '404 reset_refused',
    );
    expect((await client.auth.check({})).data.main_key).toEqual(fresh.mainKey);
  });

  test('cannot target the caller’s own account', async () => {
    const user_id = await userIdOf(app.db, owner);
    expect(await codeOf(owner.client.organization.reset_password({ user_id }))).toBe('403 forbidden');
  });

  test('gives no access to a service admin’s account, not even with an earlier link', async () => {
    const setAdmin = (id: string, is_admin: boolean) =>
      app.db
        .updateTable('users')
        .set({ is_admin, admin_level: is_admin ? 'super' : null })
        .where('id', '=', id)
        .execute();
    const member = await addMember(app, owner);
    await setAdmin(member.id, true);
    expect(await codeOf(owner.client.organization.reset_password({ user_id: member.id }))).toBe(
      '403 forbidden',
    );
    await member.client.auth.check({});
    await setAdmin(member.id, false);
    const reset = await begin(member.id);
    await setAdmin(member.id, true);
    const anybody = app.client();
    expect(await codeOf(anybody.joining.reset({ reset }))).toBe('404 reset_refused');
    expect(await codeOf(anybody.joining.set_password({ reset, ...(await newSecrets()) }))).toBe(
      '404 reset_refused',
    );
    await app.client().sign_in.login({ email: member.email, password: member.loginHash });
  });

  test('is refused when its user becomes a service admin while it is being used', async () => {
    const member = await addMember(app, owner);
    const reset = await begin(member.id);
    const secrets = await newSecrets();
    const { call } = await app.db.transaction().execute(async trx => {
      await trx.updateTable('users').set({ is_admin: true }).where('id', '=', member.id).execute();
      const under = codeOf(app.client().joining.set_password({ reset, ...secrets }));
      await expect
        .poll(async () => {
          const { rows } = await sql<{ n: number }>`
            select count(*)::int as n from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
          return rows[0]?.n;
        })
        .toBe(1);
      return { call: under };
    });
    expect(await call).toBe('404 reset_refused');
    await app.client().sign_in.login({ email: member.email, password: member.loginHash });
  });

  test('cannot target another owner', async () => {
    const other = await addMember(app, owner, { role: 'owner' });
    expect(await codeOf(owner.client.organization.reset_password({ user_id: other.id }))).toBe(
      '403 forbidden',
    );
    await other.client.auth.check({});
  });
});
