// Two of one account that come at one moment take its rows in one order, the account first: neither waits for the other for
// ever, which PostgreSQL would end by refusing one of them. And what a changed password or its owner ends has no way to come
// back by a sign-in or a restored session that was under way.
import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock } from '../../../../tests/harness/clock.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { turnTotpOn } from '../../../../tests/harness/second-factor.ts';
import { registerTestUser, type TestUser, userIdOf } from '../../../../tests/harness/users.ts';
import type { Trx } from '../../../db/pool.ts';

/** Of a password that nobody has. */
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

/** Lets a request run until it is done or stands before a lock. */
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

/** What comes of a request that meets another one, which has the account and then takes something else of it. */
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

/** As a changed password takes it. */
const changePassword = (trx: Trx) =>
  sql`update users set login_hash = login_hash where id = ${userId}::uuid`.execute(trx);
/** As the end of the account takes it. */
const closeAccount = (trx: Trx) =>
  sql`select id from users where id = ${userId}::uuid for update`.execute(trx);

const mailbox = () => sql`select user_id from mailboxes where user_id = ${userId}::uuid for update`;
const devices = () => sql`delete from devices where user_id = ${userId}::uuid`;

/** From a browser that is not known, which is told by a notice in the mailbox. */
const signIn = () => app.client().sign_in.login({ email: ann.email, password: ann.loginHash });

test('signing in with a new browser, and a changed password', async () => {
  expect(await meet(changePassword, signIn, mailbox())).toBe('none');
});

test('signing in again where a device was kept, and the end of the account', async () => {
  const again = () =>
    ann.client.sign_in.login({ email: ann.email, password: ann.loginHash, keep_signed_in: true });
  expect(await meet(closeAccount, again, devices())).toBe('none');
});

const restore = () => ann.client.auth.restore({ email: ann.email, timestamp: Date.now() });

test('a restored session, and a changed password, which ends the device', async () => {
  expect(await meet(changePassword, restore, devices())).toBe('401 restore_refused');
});

test('signing out, and a session that is just being restored', async () => {
  const restoring = async (trx: Trx) => {
    await sql`select id from users where id = ${userId}::uuid for no key update`.execute(trx);
    await sql`select family_id from devices where user_id = ${userId}::uuid for update`.execute(trx);
  };
  const itsSession = sql`delete from sessions where user_id = ${userId}::uuid`;
  expect(await meet(restoring, () => ann.client.auth.logout({}), itsSession)).toBe('none');
});

describe('what began before a changed password was there', () => {
  const other = (trx: Trx) =>
    sql`update users set login_hash = ${OTHER_HASH} where id = ${userId}::uuid`.execute(trx);
  const nothing = () => sql`select 1`;

  test('signs nobody in with the old one', async () => {
    expect(await meet(other, signIn, nothing())).toBe('401 login_refused');
  });

  test('leaves no half-done sign-in of the old one either', async () => {
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

test('ending all other sessions also ends the one that is just being restored', async () => {
  /** As a device does it that is restored. */
  const begun = sql`
    insert into sessions select (jsonb_populate_record(null::sessions, to_jsonb(s) || jsonb_build_object(
      'id', gen_random_uuid(), 'token_hash', ${`\\x${randomBytes(32).toString('hex')}`}::text, 'family_id', null
    ))).* from sessions s where s.user_id = ${userId}::uuid`;
  const end = () => ann.client.account.end_other_sessions({});
  expect(await meet(changePassword, end, begun)).toBe('none');
  expect((await ann.client.account.sessions({})).data).toHaveLength(1);
});
