// Recovery kits whose words were shown but not confirmed: they open the account alongside the
// confirmed kit (docs/interpretations.md#13).
import { randomBytes } from 'node:crypto';
import { SHOWN_KITS_MAX } from '@keyfold/contract/limits';
import { lockVault } from '@keyfold/crypto/vault';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { createTestKeys, registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  clock = createTestClock();
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

const refused = '403 recovery_refused';
const newHash = () => randomBytes(32).toString('hex');

/** Stores a kit as a client does before it shows the words. */
async function show(user: TestUser, isConfirmed = false) {
  const recovery = { proof: newHash(), main_key: await lockVault(randomBytes(32), user.identity) };
  const { data } = await user.client.account.save_recovery({
    password: user.loginHash,
    recovery,
    confirmed: isConfirmed,
  });
  return { ...recovery, at: data.recovery_at };
}

const open = ({ email }: TestUser, { proof }: { readonly proof: string }) =>
  codeOf(app.client().recovery.recover({ email, proof }));

test('shown recovery words open the account, and the reminder stays until they are confirmed', async () => {
  const user = await registerTestUser(app);
  const later = await show(user);
  expect((await user.client.auth.check({})).data).toMatchObject({
    recovery_at: null,
    recovery_shown_at: later.at,
  });
  const lost = app.client();
  const { data } = await lost.recovery.recover({ email: user.email, proof: later.proof });
  expect(data.main_key).toEqual(later.main_key);
  const fresh = { password: newHash(), main_key: await lockVault(randomBytes(32), user.identity) };
  await lost.recovery.recover({ email: user.email, proof: later.proof, ...fresh });
  // A user who typed the words has kept them.
  expect((await lost.auth.check({})).data).toMatchObject({ recovery_at: later.at, recovery_shown_at: null });
  expect(await open(user, later)).toBe('none');
});

test('confirming a kit ends all others, not earlier; repeating it gives the same answer', async () => {
  const user = await registerTestUser(app);
  const { confirm_recovery } = user.client.account;
  const kept = await show(user, true);
  clock.advance(1000);
  const first = await show(user);
  const second = await show(user);
  for (const kit of [kept, first, second]) expect(await open(user, kit)).toBe('none');
  expect((await user.client.auth.check({})).data.recovery_at).toBe(kept.at);

  const stranger = await registerTestUser(app);
  for (const client of [stranger.client, user.client])
    expect(
      await codeOf(
        client.account.confirm_recovery({ proof: client === user.client ? newHash() : second.proof }),
      ),
    ).toBe(refused);
  for (const kit of [kept, first, second]) expect(await open(user, kit)).toBe('none');
  for (let times = 0; times < 2; times++)
    expect((await confirm_recovery({ proof: second.proof })).data).toEqual({ recovery_at: second.at });
  expect(await open(user, second)).toBe('none');
  for (const kit of [kept, first]) expect(await open(user, kit)).toBe(refused);
  expect((await user.client.auth.check({})).data).toMatchObject({
    recovery_at: second.at,
    recovery_shown_at: null,
  });
});

test('using unconfirmed words does not end a confirmed kit', async () => {
  const user = await registerTestUser(app);
  const kept = await show(user, true);
  const later = await show(user);
  const fresh = { password: newHash(), main_key: await lockVault(randomBytes(32), user.identity) };
  await app.client().recovery.recover({ email: user.email, proof: later.proof, ...fresh });
  for (const kit of [kept, later]) expect(await open(user, kit)).toBe('none');
});

test('the number of pending kits is limited, and refusing another one ends none of them', async () => {
  const user = await registerTestUser(app);
  const kits = [];
  for (let made = 0; made < SHOWN_KITS_MAX; made++) kits.push(await show(user));
  expect(await codeOf(show(user))).toBe('422 limit_reached');
  expect(await open(user, kits[0] ?? { proof: '' })).toBe('none');
  await user.client.account.remove_recovery({ password: user.loginHash });
  for (const kit of kits.slice(0, 3)) expect(await open(user, kit)).toBe(refused);
  expect((await user.client.auth.check({})).data.recovery_shown_at).toBeNull();
});

test('a kit for retired keys opens nothing', async () => {
  const user = await registerTestUser(app);
  const { mainKey } = await createTestKeys();
  const kit = await show(user);
  // Replaces keys as the previous release does; it does not know these kits.
  await app.db
    .updateTable('users')
    .set({ main_key: JSON.stringify(mainKey) })
    .where('email', '=', user.email)
    .execute();
  expect(await open(user, kit)).toBe(refused);
});
