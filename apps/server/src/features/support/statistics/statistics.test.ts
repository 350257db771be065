// Compares the counters with a full recount, after every operation that changes them.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../../tests/harness/clock.ts';
import { sealTestMessage } from '../../../../tests/harness/sending.ts';
import { registerTestUser, userIdOf } from '../../../../tests/harness/users.ts';
import { setPlanOf } from '../../accounts/users/admins.ts';
import { foldStatistics } from './jobs.ts';
import { findPageStart, getStatistics } from './service.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
let clock: TestClock;
beforeAll(async () => {
  // The middle of a month, so that days can pass in both directions.
  clock = createTestClock(new Date('2026-11-15T10:30:00Z'));
  app = await startTestApp({ clock });
});
afterAll(() => app.close());

/** Counts what the counters claim, from the tables themselves. */
async function recount() {
  const now = clock.now();
  const { rows } = await sql<Record<string, number>>`
    with living as (
      select *, last_active_at >= date_trunc('hour', ${now}::timestamptz - interval '30 days') as is_seen from users
    )
    select count(*)::int as total_users,
      (count(*) filter (where is_seen and status = 'active'))::int as active_users,
      (count(*) filter (where created_at >= date_trunc('month', ${now}::timestamptz at time zone 'UTC') at time zone 'UTC'))::int
        as new_users_this_month,
      (100.0 * count(*) filter (where is_seen is not true) / greatest(1, count(*)))::float8 as churn_rate,
      (select coalesce(sum(used_bytes), 0)::bigint from mailboxes) as storage_used,
      (select count(*)::int from domains) as total_domains,
      (select count(*)::int from domains where verified_at is not null and is_healthy) as active_domains,
      (count(*) filter (where plan = 'free'))::int as free,
      (count(*) filter (where plan = 'plus'))::int as plus,
      (count(*) filter (where plan = 'pro'))::int as pro
    from living`.execute(app.db);
  const { free, plus, pro, ...rest } = rows[0] ?? {};
  return { ...rest, users_by_plan: { free, plus, pro } };
}

/** Asserts that counters and recount agree, folded or not. */
async function same() {
  const expected = await recount();
  expect(await getStatistics(app.db, clock.now())).toMatchObject(expected);
  await foldStatistics(app.deps);
  expect(await getStatistics(app.db, clock.now())).toMatchObject(expected);
  return getStatistics(app.db, clock.now());
}

const change = (email: string, set: object) =>
  app.db.updateTable('users').set(set).where('email', '=', email).execute();

test('statistics match a full recount after changes to accounts, mail and domains', async () => {
  expect(await same()).toMatchObject({ total_users: 0, churn_rate: 0 });
  const users = [];
  for (let made = 0; made < 6; made += 1) users.push(await registerTestUser(app));
  const [ann, bob, cid, dan, eve, fay] = users as [
    (typeof users)[number],
    ...(typeof users)[number][],
  ] as never as typeof users & { length: 6 };
  if (!ann || !bob || !cid || !dan || !eve || !fay) throw new Error('Six were made');
  expect(await same()).toMatchObject({ total_users: 6, active_users: 6, new_users_this_month: 6 });

  await setPlanOf(app.deps, ann.email, 'pro');
  await setPlanOf(app.deps, bob.email, 'plus');
  await change(cid.email, { status: 'suspended' });
  await change(dan.email, { last_active_at: null });
  await change(eve.email, { last_active_at: new Date(clock.now().getTime() - 31 * DAY_MS) });
  await change(fay.email, { created_at: new Date('2026-10-31T23:59:59Z') });
  const mixed = await same();
  expect(mixed).toMatchObject({ active_users: 3, new_users_this_month: 5 });
  expect(mixed.users_by_plan).toEqual({ free: 4, plus: 1, pro: 1 });
  expect(mixed.churn_rate).toBeCloseTo(100 / 3);

  await ann.client.sending.send_private(await sealTestMessage(ann, { to: [bob] }));
  const { data: held } = await ann.client.sending.send_private({
    ...(await sealTestMessage(ann, { to: [bob] })),
    undo_seconds: 30,
  });
  expect(await same()).toMatchObject({ total_emails_sent: 1, emails_sent_this_month: 1 });
  await ann.client.sending.unsend({ id: held.id });
  await bob.client.domains.register({ domain: 'bobs.example' });
  await bob.client.domains.register({ domain: 'bobs-other.example' });
  await app.db
    .updateTable('domains')
    .set({ verified_at: clock.now(), is_healthy: true })
    .where('domain', '=', 'bobs.example')
    .execute();
  const busy = await same();
  expect(busy).toMatchObject({ total_emails_sent: 1, total_domains: 2, active_domains: 1 });
  expect(busy.storage_used).toBeGreaterThan(0);
  const sent = await app.db
    .selectFrom('mailboxes')
    .select('sent_emails')
    .where('user_id', '=', await userIdOf(app.db, ann))
    .executeTakeFirst();
  expect(sent).toEqual({ sent_emails: 1 });

  await bob.client.account.delete_account({ password: bob.loginHash });
  expect(await same()).toMatchObject({ total_users: 5, total_domains: 0, active_domains: 0 });

  clock.advance(16 * DAY_MS);
  expect(await same()).toMatchObject({ new_users_this_month: 0, emails_sent_this_month: 0 });
  expect((await same()).total_emails_sent).toBe(1);
  clock.advance(20 * DAY_MS);
  expect(await same()).toMatchObject({ active_users: 0, churn_rate: 100 });
  // Signs in again, outside the hours in which the user was seen before.
  await app.client().sign_in.login({ email: fay.email, password: fay.loginHash });
  expect(await same()).toMatchObject({ active_users: 1 });
});

test('statistics stay correct during concurrent writes and folds', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => registerTestUser(app)));
  const messages = await Promise.all(
    users.map((user, index) => sealTestMessage(user, { to: [users[(index + 1) % users.length] ?? user] })),
  );
  const before = (await getStatistics(app.db, clock.now())).total_emails_sent;
  await Promise.all([
    ...users.map((user, index) => user.client.sending.send_private(messages[index] as never)),
    ...Array.from({ length: 6 }, () => foldStatistics(app.deps)),
  ]);
  expect((await same()).total_emails_sent).toBe(before + users.length);
  // The console shows this number for any number of users, so every sent message must be counted.
  const { rows } = await sql<{ sum: number }>`select sum(sent_emails)::int as sum from mailboxes`.execute(
    app.db,
  );
  expect((await same()).total_emails_sent).toBeGreaterThanOrEqual(rows[0]?.sum ?? 0);
  expect(rows[0]?.sum).toBeGreaterThanOrEqual(users.length);
});

test('statistics find the day on which a page of accounts by age begins', async () => {
  const rows = await app.db
    .selectFrom('users')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  for (const [place, { created_at }] of rows.entries()) {
    const start = await findPageStart(app.db, place);
    if (start === null) throw new Error('A place has no page');
    const older = rows.filter(row => row.created_at < start.before);
    expect(older[start.skipped]?.created_at).toEqual(created_at);
  }
  expect(await findPageStart(app.db, rows.length)).toBeNull();
});
