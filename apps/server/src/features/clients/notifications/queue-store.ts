/**
 * Statements on the push queue. A worker claims a job by a lease ([Note: Leases] in db/claim.ts). A
 * push may therefore be sent twice, under the same name, but is never lost.
 */
import { randomUUIDv7 } from 'node:crypto';
import { type Selectable, type SqlBool, sql } from 'kysely';
import { NO_NEWS_BITS } from '../../../base/flags.ts';
import { changeHeld, claimNext, deleteHeld, hasKey, hasNoLease, userQueue } from '../../../db/claim.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import type { Tables } from '../../../db/tables.ts';
import type { DeviceKind } from './store.ts';

export type JobType = Tables['push_jobs']['type'];
export type NewJob = {
  readonly userId: string;
  readonly deviceId: string;
  readonly type: JobType;
  readonly mailId: string | null;
  readonly dueAt: Date;
};

/** Inserts jobs. A device has at most one pending summary. */
export async function insertJobs(db: Db | Trx, jobs: readonly NewJob[], now: Date): Promise<void> {
  if (jobs.length === 0) return;
  await db
    .insertInto('push_jobs')
    .values(
      jobs.map(job => ({
        id: randomUUIDv7(),
        user_id: job.userId,
        device_id: job.deviceId,
        type: job.type,
        mail_id: job.mailId,
        created_at: now,
        next_attempt_at: job.dueAt,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/**
 * Returns the users, among these or among all with devices, whose mailbox changed since it was last
 * processed.
 */
export async function findChanged(
  db: Db,
  userIds: readonly string[] | null,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select p.user_id from push_users p join mailboxes b on b.user_id = p.user_id
    where b.version <> p.version ${userIds === null ? sql`` : sql`and p.user_id = any(${[...userIds]}::uuid[])`}
    limit ${most}`.execute(db);
  return rows.map(row => row.user_id);
}

export type Watched = {
  /** Timestamps as database text, because their precision exceeds that of Date. */
  readonly pushedUntil: string;
  readonly lastArrival: string;
  readonly version: number;
};

/**
 * Locks the watch state of a user's mailbox and returns it with the current version; null when the
 * mailbox is not watched.
 */
export async function lockWatched(trx: Trx, userId: string): Promise<Watched | null> {
  const held = await sql<{ pushed_until: string }>`
    select pushed_until::text from push_users where user_id = ${userId}::uuid for update`.execute(trx);
  const box = await sql<{ version: number; last_arrival: string }>`
    select version, last_arrival::text from mailboxes where user_id = ${userId}::uuid`.execute(trx);
  const [known] = held.rows;
  const [now] = box.rows;
  if (known === undefined || now === undefined) return null;
  return { pushedUntil: known.pushed_until, lastArrival: now.last_arrival, version: now.version };
}

export async function saveWatched(
  trx: Trx,
  userId: string,
  { version, lastArrival }: Watched,
): Promise<void> {
  await sql`
    update push_users set version = ${version}::bigint,
      pushed_until = greatest(pushed_until, ${lastArrival}::timestamptz)
    where user_id = ${userId}::uuid`.execute(trx);
}

/** Stops watching the mailbox of a user without devices. */
export async function forgetWatched(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom('push_users').where('user_id', '=', userId).execute();
}

export type News = { readonly id: string; readonly is_alert: boolean; readonly headers: string };

/**
 * Returns new messages to push, oldest first: the newest `most.mails` unseen messages, and the
 * first `most.notices` notices about the account. Notices are selected separately, so that no flood
 * of mail crowds them out, and even if they were read at once, so that an intruder cannot suppress
 * them.
 */
export async function findNews(
  trx: Trx,
  userId: string,
  { pushedUntil, lastArrival }: Watched,
  most: { readonly notices: number; readonly mails: number },
): Promise<News[]> {
  const arrived = sql`user_id = ${userId}::uuid and arrived_at > ${pushedUntil}::timestamptz
      and arrived_at <= ${lastArrival}::timestamptz`;
  const { rows } = await sql<News>`
    select id, is_alert, headers from (
      (select id, is_alert, headers, arrived_at from mails where ${arrived} and is_alert
        order by arrived_at limit ${most.notices})
      union all
      (select id, is_alert, headers, arrived_at from mails where ${arrived} and not is_alert
        and flags & ${NO_NEWS_BITS}::smallint = 0 order by arrived_at desc limit ${most.mails})
    ) news order by arrived_at`.execute(trx);
  return rows;
}

/** Stores how many messages were pushed to a device one by one. */
export async function saveBurst(trx: Trx, deviceId: string, since: Date, size: number): Promise<void> {
  await trx
    .updateTable('push_devices')
    .set({ burst_since: since, burst_size: size })
    .where('id', '=', deviceId)
    .execute();
}

/**
 * Forgets notifications on these devices whose messages are no longer news, and queues jobs that
 * remove them there.
 */
export async function insertReads(
  trx: Trx,
  userId: string,
  deviceIds: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  await sql`
    with gone as (
      delete from push_shown s
      where s.user_id = ${userId}::uuid and s.device_id = any(${[...deviceIds]}::uuid[]) and not exists (
        select 1 from mails m
        where m.user_id = s.user_id and m.id = s.mail_id and m.flags & ${NO_NEWS_BITS}::smallint = 0
      ) returning device_id, mail_id
    )
    insert into push_jobs (id, user_id, device_id, type, mail_id, created_at, next_attempt_at)
    select gen_random_uuid(), ${userId}::uuid, device_id, 'read', mail_id, ${now}::timestamptz, ${now}::timestamptz
    from gone`.execute(trx);
}

const jobQueue = userQueue('push_jobs', ['user_id', 'id']);

/** A job whose `attempts` include the current one. */
export type ClaimedJob = Selectable<Tables['push_jobs']> & { readonly leased_until: Date };

type Claim = {
  readonly kinds: readonly DeviceKind[];
  /** Users who already had their turn. */
  readonly served: readonly string[];
  readonly now: Date;
  readonly leasedUntil: Date;
  /** Maximum concurrent jobs of these kinds per user. */
  readonly atOncePerUser: number;
};

/** Claims the job that has been due longest, or returns undefined when none is available. */
export async function claimJob(
  db: Db,
  { kinds, served, now, leasedUntil, atOncePerUser }: Claim,
): Promise<ClaimedJob | undefined> {
  const job = await claimNext(db, jobQueue, {
    find: async (passed, limit) => {
      const { rows } = await sql<Pick<ClaimedJob, 'id' | 'user_id'>>`
        select j.user_id, j.id from push_jobs j join push_devices d on d.user_id = j.user_id and d.id = j.device_id
        where j.next_attempt_at <= ${now} and ${hasNoLease(now, 'j.leased_until')}
          and (d.blocked_until is null or d.blocked_until <= ${now}) and d.kind = any(${[...kinds]}::text[])
          and j.user_id <> all(${[...served]}::uuid[]) and j.id <> all(${passed.map(({ id }) => id)}::uuid[])
          and (
            select count(*) from push_jobs o join push_devices e on e.user_id = o.user_id and e.id = o.device_id
            where o.user_id = j.user_id and o.leased_until > ${now} and e.kind = any(${[...kinds]}::text[])
          ) < ${atOncePerUser}
        order by j.next_attempt_at, j.id limit ${limit}`.execute(db);
      return rows;
    },
    where: sql<SqlBool>`next_attempt_at <= ${now} and ${hasNoLease(now)}`,
    set: { leased_until: leasedUntil, attempts: sql`attempts + 1` },
  });
  return job && { ...job, leased_until: leasedUntil };
}

/** Returns when the next unclaimed job is due, or null when there is none. */
export async function findNextDue(db: Db, kinds: readonly DeviceKind[], now: Date): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select min(greatest(j.next_attempt_at, coalesce(j.leased_until, j.next_attempt_at),
      coalesce(d.blocked_until, j.next_attempt_at))) as due
    from push_jobs j join push_devices d on d.id = j.device_id
    where d.kind = any(${[...kinds]}::text[]) and j.next_attempt_at <= ${now}::timestamptz + interval '1 hour'`.execute(
    db,
  );
  return rows[0]?.due ?? null;
}

/** Returns whether a message is still unseen. */
export async function isStillNews(db: Db, userId: string, mailId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from mails where user_id = ${userId}::uuid and id = ${mailId}::uuid
      and flags & ${NO_NEWS_BITS}::smallint = 0`.execute(db);
  return rows.length > 0;
}

/**
 * Returns the number of unread messages in the inbox from the counters. It is the app badge, which
 * the client's own page computes in the same way (ADR 40).
 */
export async function countUnread(db: Db, userId: string, allMails: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(total), 0)::integer as total from mail_counts
    where user_id = ${userId}::uuid and tag_id = ${allMails}::uuid
      and flags & ${NO_NEWS_BITS}::smallint = 0`.execute(db);
  return rows[0]?.total ?? 0;
}

type Held = Pick<ClaimedJob, 'id' | 'leased_until' | 'user_id'>;

const heldBy = (job: Held) => ({ where: hasKey(jobQueue, job), lease: job.leased_until });

/** Deletes a job that this worker holds; returns false when another worker has claimed it. */
export const deleteJob = async (trx: Db | Trx, job: Held): Promise<boolean> =>
  (await deleteHeld(trx, jobQueue, heldBy(job))) > 0;

/** Makes a job that this worker holds due again at a later time. */
export async function postponeJob(trx: Trx, job: Held, until: Date): Promise<void> {
  await changeHeld(trx, jobQueue, heldBy(job), { next_attempt_at: until, leased_until: null });
}

/** Records a successful push to a device. */
export async function noteSent(trx: Trx, deviceId: string, now: Date): Promise<void> {
  await trx
    .updateTable('push_devices')
    .set({ sent_at: now, failing_since: null, blocked_until: null })
    .where('id', '=', deviceId)
    .execute();
}

/** Records a failed push to a device, and suspends pushes to it until the given time. */
export async function noteFailure(
  trx: Trx,
  deviceId: string,
  now: Date,
  blockedUntil: Date | null,
): Promise<void> {
  await sql`
    update push_devices set failing_since = coalesce(failing_since, ${now}), blocked_until = ${blockedUntil}
    where id = ${deviceId}::uuid`.execute(trx);
}

export async function noteShown(trx: Trx, job: ClaimedJob, now: Date, kept: number): Promise<void> {
  await sql`
    insert into push_shown (device_id, mail_id, user_id, shown_at)
    select id, ${job.mail_id}::uuid, user_id, ${now}::timestamptz from push_devices where id = ${job.device_id}::uuid
    on conflict do nothing`.execute(trx);
  await sql`
    delete from push_shown where (device_id, mail_id) in (
      select device_id, mail_id from push_shown where device_id = ${job.device_id}::uuid
      order by shown_at desc, mail_id desc offset ${kept}
    )`.execute(trx);
}

export async function removeDevice(trx: Trx, deviceId: string): Promise<void> {
  await trx.deleteFrom('push_devices').where('id', '=', deviceId).execute();
}

/** Deletes jobs that could not be sent in time. */
export async function deleteOldJobs(db: Db, before: Date): Promise<number> {
  const result = await db.deleteFrom('push_jobs').where('created_at', '<=', before).executeTakeFirst();
  return Number(result.numDeletedRows);
}

export async function countJobs(db: Db): Promise<{ kind: DeviceKind; total: number }[]> {
  const { rows } = await sql<{ kind: DeviceKind; total: number }>`
    select d.kind, count(*)::integer as total from push_jobs j join push_devices d on d.id = j.device_id
    group by d.kind`.execute(db);
  return rows;
}
