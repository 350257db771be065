// Concurrent requests of one account lock its rows in the same order, the account first, so that
// they cannot deadlock; PostgreSQL would resolve a deadlock by failing one of them. A concurrent
// sign-in or restore cannot bring back what a password change or the owner ended.
import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { turnTotpOn } from '../../../../tests/harness/second-factor.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import type { Trx } from '../../../db/pool.ts';

/** Hash of a password that no user has. */
const OTHER_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g';

let app: TestApp;
let ann: TestUser;
let userId: string;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  ann = await registerTestUser(app, { keepSignedIn: true });
  userId = await userIdOf(app.db, ann);
});
afterAll(() => app.close());

/** Lets a request run until it completes or waits for a lock. */
async function letRun(call: Promise<unknown>): Promise<void> {
  let isDone = false;
  void call.then(() => {
    isDone = true;
  });
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
      return isDone || (rows[0]?.n ?? 0) > 0;
    })
    .toBe(true);
}

/**
 * Returns the result of a request that runs into another one, which has locked the account and then
 * changes something else of it.
 */
async function meet(
  begin: (trx: Trx) => Promise<unknown>,
  request: () => Promise<unknown>,
  then: RawBuilder<unknown>,
): Promise<string> {
  const { call } = await app.db.transaction().execute(async trx => {
    await begin(trx);
    const under = codeOf(request());
    await letRun(under);
    await then.execute(trx);
    return { call: under };
  });
  return call;
}

/** Takes the locks of a password change. */
const changePassword = (trx: Trx) =>
  sql`update users set login_hash = login_hash where id = ${userId}::uuid`.execute(trx);
/** Takes the locks of an account deletion. */
const closeAccount = (trx: Trx) =>
  sql`select id from users where id = ${userId}::uuid for update`.execute(trx);

const mailbox = () => sql`select user_id from mailboxes where user_id = ${userId}::uuid for update`;
const devices = () => sql`delete from devices where user_id = ${userId}::uuid`;

/** From an unknown browser, which triggers a notice in the mailbox. */
const signIn = () => app.client().sign_in.login({ email: ann.email, password: ann.loginHash });

test('a sign-in from a new browser does not deadlock with a password change', async () => {
  expect(await meet(changePassword, signIn, mailbox())).toBe('none');
});

test('a repeated sign-in on a kept device does not deadlock with account deletion', async () => {
  const again = () =>
    ann.client.sign_in.login({ email: ann.email, password: ann.loginHash, keep_signed_in: true });
  expect(await meet(closeAccount, again, devices())).toBe('none');
});

const restore = () => ann.client.auth.restore({ email: ann.email, timestamp: Date.now() });

test('a restore is refused during a password change that ends the device', async () => {
  expect(await meet(changePassword, restore, devices())).toBe('401 restore_refused');
});

test('signing out does not deadlock with a session that is being restored', async () => {
  const restoring = async (trx: Trx) => {
    await sql`select id from users where id = ${userId}::uuid for no key update`.execute(trx);
    await sql`select family_id from devices where user_id = ${userId}::uuid for update`.execute(trx);
  };
  const itsSession = sql`delete from sessions where user_id = ${userId}::uuid`;
  expect(await meet(restoring, () => ann.client.auth.logout({}), itsSession)).toBe('none');
});

describe('a sign-in that began before a password change', () => {
  const other = (trx: Trx) =>
    sql`update users set login_hash = ${OTHER_HASH} where id = ${userId}::uuid`.execute(trx);
  const nothing = () => sql`select 1`;

  test('is refused with the old password', async () => {
    expect(await meet(other, signIn, nothing())).toBe('401 login_refused');
  });

  test('leaves no MFA-pending session of the old password', async () => {
    await turnTotpOn(ann, createTestClock());
    expect(await meet(other, signIn, nothing())).toBe('401 login_refused');
    const left = await app.db
      .selectFrom('half_sessions')
      .select('user_id')
      .where('user_id', '=', userId)
      .execute();
    expect(left).toEqual([]);
  });
});

test('ending all other sessions also ends one that is being restored', async () => {
  /** Takes the locks of a device restore. */
  const begun = sql`
    insert into sessions select (jsonb_populate_record(null::sessions, to_jsonb(s) || jsonb_build_object(
      'id', gen_random_uuid(), 'token_hash', ${`\\x${randomBytes(32).toString('hex')}`}::text, 'family_id', null
    ))).* from sessions s where s.user_id = ${userId}::uuid`;
  const end = () => ann.client.account.end_other_sessions({});
  expect(await meet(changePassword, end, begun)).toBe('none');
  expect((await ann.client.account.sessions({})).data).toHaveLength(1);
});
