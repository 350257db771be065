/**
 * Keyfold's queue of pushes and the same queue on pg-boss: adding jobs in a transaction, and
 * working through them with four workers, one attempt at a time for each user. A handler receives
 * the user of a job and does nothing that takes time.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { fromKysely, PgBoss } from 'pg-boss';
import { createFairQueue } from '../../apps/server/src/features/clients/notifications/fair-queue.ts';
import {
  claimJob,
  deleteJob,
  findNextDue,
  insertJobs,
} from '../../apps/server/src/features/clients/notifications/queue-store.ts';
import { startWorkerPool } from '../../apps/server/src/jobs/push-worker-pool.ts';

const WORKERS = 4;
const LEASE_MS = 60_000;
const NAME = 'push';
/** The shortest interval that pg-boss allows. */
const POLL_SECONDS = 0.5;
const BATCH = 50;

/** Keyfold's queue. */
export function createOurs({ db, logger }) {
  const clock = { now: () => new Date() };
  let pool;
  return {
    add: devices =>
      db.transaction().execute(trx => {
        const now = new Date();
        const jobs = devices.map(({ userId, deviceId }) => ({
          userId,
          deviceId,
          type: 'mail',
          mailId: randomUUID(),
          dueAt: now,
        }));
        return insertJobs(trx, jobs, now);
      }),
    start: async handle => {
      const claimNext = createFairQueue(served => {
        const now = new Date();
        const leasedUntil = new Date(now.getTime() + LEASE_MS);
        return claimJob(db, { kinds: ['fcm'], served, now, leasedUntil, atOncePerUser: 1 });
      });
      const queue = {
        atOnce: WORKERS,
        pushNext: async () => {
          const job = await claimNext();
          if (job === undefined) return false;
          await handle(job.user_id);
          await deleteJob(db, job);
          return true;
        },
        nextDueAt: () => findNextDue(db, ['fcm'], new Date()),
      };
      pool = startWorkerPool({ clock, logger }, queue, 30_000);
    },
    wake: () => pool.wake(),
    stop: () => pool.close(),
    clear: () => sql`truncate push_jobs`.execute(db),
    vacuum: () => sql`vacuum analyze push_jobs`.execute(db),
  };
}

/**
 * The same on pg-boss, which finds jobs by NOTIFY. `work` fetches fifty jobs at a time and runs
 * them one after the other, since a worker that fetches one at a time waits for half a second after
 * each. With `isSingle`, our own worker pool fetches them one by one, and deletes them.
 */
export async function createBoss({ db, connection, logger }, { isSingle }) {
  const boss = new PgBoss({ ...connection, max: 8, useListenNotify: true, schedule: false });
  boss.on('error', error => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(NAME, { notify: true, retryLimit: 10, heartbeatSeconds: 60 });
  const clock = { now: () => new Date() };
  let pool;
  const startSingle = handle => {
    const queue = {
      atOnce: WORKERS,
      pushNext: async () => {
        const [job] = await boss.fetch(NAME, { batchSize: 1, groupConcurrency: 1 });
        if (job === undefined) return false;
        await handle(job.data.userId);
        await boss.deleteJob(NAME, job);
        return true;
      },
      nextDueAt: async () => null,
    };
    pool = startWorkerPool({ clock, logger }, queue, 30_000);
  };
  const startBatches = handle =>
    boss.work(
      NAME,
      {
        batchSize: BATCH,
        localConcurrency: WORKERS,
        groupConcurrency: 1,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: POLL_SECONDS,
        notifyPollingIntervalSeconds: POLL_SECONDS,
      },
      async jobs => {
        for (const { data } of jobs) await handle(data.userId);
      },
    );
  return {
    add: devices =>
      db.transaction().execute(trx =>
        boss.insert(
          NAME,
          devices.map(({ userId, deviceId }) => ({
            data: { userId, deviceId, type: 'mail', mailId: randomUUID() },
            group: { id: userId },
          })),
          { db: fromKysely(trx) },
        ),
      ),
    start: isSingle ? async handle => startSingle(handle) : startBatches,
    wake: () => pool?.wake(),
    stop: () => (isSingle ? pool.close() : boss.offWork(NAME, { wait: true })),
    clear: () => boss.deleteAllJobs(NAME),
    vacuum: () => sql`vacuum analyze pgboss.job_common`.execute(db),
    close: () => boss.stop({ graceful: false }),
  };
}
