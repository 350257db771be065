// The audit log: written atomically with the action, with its actor and subject, and without names
// once an account is deleted.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { registerTestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { setAdmin, setPlanOf } from '../../accounts/users/admins.ts';
import { setPlan } from '../../accounts/users/index.ts';
import { writeAudit } from './service.ts';

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const entriesOf = (subjectId: string) =>
  app.db
    .selectFrom('audit_entries')
    .select(['at', 'actor_kind', 'actor_id', 'action', 'object', 'details'])
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute();

test('operator commands are audited, with the former plan', async () => {
  const user = await registerTestUser(app);
  const userId = await userIdOf(app.db, user);
  await setAdmin(app.deps, user.email.toUpperCase(), 'standard');
  await setAdmin(app.deps, user.email, null);
  await setPlanOf(app.deps, user.email, 'pro');
  const by = { at: clock.now(), actor_kind: 'operator', actor_id: null, object: null };
  expect(await entriesOf(userId)).toEqual([
    { ...by, action: 'grant_admin', details: { level: 'standard' } },
    { ...by, action: 'revoke_admin', details: {} },
    { ...by, action: 'set_plan', details: { plan: 'pro', former_plan: 'free' } },
  ]);
  const { data } = await user.client.auth.check({});
  expect(data).toMatchObject({ plan: 'pro', plan_config: { domain_limit: 25 } });
  expect(data.role.is_admin).toBe(false);
});

test('a command that changes nothing is not audited', async () => {
  const user = await registerTestUser(app);
  const userId = await userIdOf(app.db, user);
  const revoke = () => setAdmin(app.deps, user.email, null);
  await expect(revoke()).rejects.toMatchObject({ code: 'not_an_admin' });
  await setPlanOf(app.deps, user.email, 'free');
  expect(await entriesOf(userId)).toEqual([]);
  expect(await setAdmin(app.deps, user.email, 'standard')).toBe(true);
  expect(await setAdmin(app.deps, user.email, 'standard')).toBe(false);
  expect(await revoke()).toBe(true);
  await expect(revoke()).rejects.toMatchObject({ code: 'not_an_admin' });
  expect((await entriesOf(userId)).map(({ action }) => action)).toEqual(['grant_admin', 'revoke_admin']);
});

test('granting a plan or an admin level to an unknown account fails', async () => {
  await expect(setPlanOf(app.deps, 'nobody@keyfold.test', 'pro')).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(setAdmin(app.deps, 'nobody@keyfold.test', 'super')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('an entry is rolled back with the action that failed', async () => {
  const user = await registerTestUser(app);
  const subjectId = await userIdOf(app.db, user);
  const failing = app.db.transaction().execute(async trx => {
    await setPlan(trx, subjectId, 'plus');
    await writeAudit(trx, { actor: { kind: 'billing' }, action: 'set_plan', subjectId, at: clock.now() });
    throw new Error('lost');
  });
  await expect(failing).rejects.toThrow('lost');
  expect(await entriesOf(subjectId)).toEqual([]);
  expect((await user.client.auth.check({})).data.plan).toBe('free');
});

test('an entry remains without names when an account is deleted', async () => {
  const [admin, user] = [await registerTestUser(app), await registerTestUser(app)];
  const [actorId, subjectId] = [await userIdOf(app.db, admin), await userIdOf(app.db, user)];
  await app.db.transaction().execute(trx =>
    writeAudit(trx, {
      actor: { kind: 'admin', userId: actorId },
      action: 'suspend_user',
      subjectId,
      object: 'queue-1',
      details: { reason: `spam by ${user.email}`, plan: 'free' },
      at: clock.now(),
    }),
  );
  await user.client.account.delete_account({ password: user.loginHash });
  await admin.client.account.delete_account({ password: admin.loginHash });
  const left = await app.db
    .selectFrom('audit_entries')
    .select(['actor_kind', 'actor_id', 'subject_id', 'details'])
    .where('object', '=', 'queue-1')
    .execute();
  expect(left).toEqual([
    { actor_kind: 'admin', actor_id: null, subject_id: null, details: { plan: 'free' } },
  ]);
});
