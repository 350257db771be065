// Destruction of replaced keys with a second factor enabled: the owner proves it once, however many
// requests the work takes (docs/adr/0023); without it nothing is destroyed.
import { randomBytes } from 'node:crypto';
import { sealRetired } from '@keyfold/crypto/retired';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { codeAt, nextStep, turnTotpOn, wrongCodeAt } from '../../../../tests/harness/second-factor.ts';
import { createTestKeys, registerTestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { RETIRED_KEY_KEPT_MS, RETIRED_WRAPS_AT_ONCE } from '../../../base/limits.ts';

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

/** Returns a user with an authenticator app and keys that were replaced long enough ago. */
async function withRetired() {
  const user = await registerTestUser(app);
  const { identity, mainKey } = await createTestKeys(user.vaultKey);
  await user.client.key_rotation.rotate({
    password: user.loginHash,
    from: user.identity.key_id,
    main_key: mainKey,
    retired: [await sealRetired(identity, user.identity, 1)],
  });
  clock.advance(RETIRED_KEY_KEPT_MS);
  const factor = await turnTotpOn(user, clock);
  const destroy = (proof: object = {}) =>
    user.client.key_rotation.destroy({ key_id: user.identity.key_id, password: user.loginHash, ...proof });
  return { ...factor, user, inUse: identity.key_id, destroy, now: () => codeAt(factor.secret, clock.now()) };
}

const retiredOf = async ({ user }: Awaited<ReturnType<typeof withRetired>>) =>
  (await user.client.key_rotation.retired({})).data;

test('destroying old keys needs the second factor where one is on, by any method', async () => {
  const one = await withRetired();
  expect(await codeOf(one.destroy())).toBe('403 second_factor_needed');
  const wrong = { totp_code: wrongCodeAt(one.secret, clock.now()) };
  expect(await codeOf(one.destroy(wrong))).toBe('403 code_wrong');
  expect(await retiredOf(one)).toMatchObject([{ is_ending: false }]);
  expect((await one.destroy({ totp_code: one.now() })).data).toEqual({ remaining: 0 });
  expect(await retiredOf(one)).toEqual([]);

  const other = await withRetired();
  await other.destroy({ totp_code: other.codes[0] });
  expect((await other.user.client.second_factor.status({})).data.recovery_codes_left).toBe(9);
});

/**
 * Stores more messages than one request processes, each with a wrap for the old keys and one for
 * the current keys.
 */
async function fillMailbox({ user, inUse }: Awaited<ReturnType<typeof withRetired>>): Promise<void> {
  await sql`
    insert into mails select (jsonb_populate_record(null::mails, to_jsonb(m) || jsonb_build_object(
      'id', gen_random_uuid(), 'key_used', ${user.identity.key_id}::text, 'own_key_used', ${inUse}::text
    ))).* from mails m, generate_series(1, ${RETIRED_WRAPS_AT_ONCE + 1}::int)
    where m.id = (select id from mails where user_id = ${await userIdOf(app.db, user)}::uuid limit 1)`.execute(
    app.db,
  );
}

test('the second factor is asked for once; later batches need only the password', async () => {
  const one = await withRetired();
  await fillMailbox(one);
  expect((await one.destroy({ totp_code: one.now() })).data).toEqual({ remaining: 1 });
  expect(await retiredOf(one)).toMatchObject([{ is_ending: true }]);
  expect(await codeOf(one.destroy({ password: randomBytes(32).toString('hex') }))).toBe('403 password_wrong');
  nextStep(clock);
  const code = one.now();
  expect((await one.destroy({ totp_code: code })).data).toEqual({ remaining: 0 });
  // The code was not checked, so it is still valid.
  await one.user.client.otp.disable({ code });
});

test('a proof counts only for the keys it was given for, and a refused one for none', async () => {
  const one = await withRetired();
  await fillMailbox(one);
  const wrong = { totp_code: wrongCodeAt(one.secret, clock.now()) };
  expect(await codeOf(one.destroy(wrong))).toBe('403 code_wrong');
  expect(await codeOf(one.destroy())).toBe('403 second_factor_needed');
  const other = await withRetired();
  await one.destroy({ totp_code: one.now() });
  expect(await codeOf(other.destroy())).toBe('403 second_factor_needed');
});

test('needed or unknown keys are reported before a code is used up', async () => {
  const one = await withRetired();
  const { client } = one.user;
  const { identity } = await createTestKeys();
  const strange = { key_id: identity.key_id, password: one.user.loginHash, totp_code: one.now() };
  expect(await codeOf(client.key_rotation.destroy(strange))).toBe('404 not_found');
  await app.db
    .updateTable('retired_keys')
    .set({ retired_at: clock.now() })
    .where('key_id', '=', one.user.identity.key_id)
    .execute();
  expect(await codeOf(one.destroy({ totp_code: one.now() }))).toBe('409 keys_needed');
  nextStep(clock);
  clock.advance(RETIRED_KEY_KEPT_MS);
  expect(await codeOf(one.destroy({ totp_code: one.now() }))).toBe('none');
});
