/**
 * Runs the jobs that features define, each on schedule and on one of all nodes (pg-boss in the same
 * database, schema pgboss). The jobs are in the features' jobs.ts files; outbound mail has its own
 * queue (features/outbound/delivery).
 */
import { PgBoss } from 'pg-boss';
import { JOB_EXPIRES_MS } from '../base/limits.ts';
import type { Deps } from '../context/deps.ts';
import { type Connection, createPool } from '../db/pool.ts';
import { findServerKind } from '../db/server-kind.ts';
import { forgetScheduled } from '../features/accounts/records/index.ts';
import { turnFiltersOn } from '../features/inbound/filters/jobs.ts';
import {
  collectEmptyDrafts,
  collectOrphanContainers,
  moveContainers,
  purgeDeletedMail,
  wakeSnoozedMail,
} from '../features/mailbox/messages/jobs.ts';
import { archiveContainers, checkArchive, tidyContainerArchive } from '../features/operator/backup/jobs.ts';
import {
  foldStorageCounts,
  publishOperationsGauges,
  registerJobs,
  runNoted,
} from '../features/operator/operations/index.ts';
import { removeExpiredRows } from '../features/operator/retention/jobs.ts';
import { closeCustomers, reconcileBilling } from '../features/organization/billing/jobs.ts';
import { checkDueDomains, listVerifiedDomains } from '../features/organization/domains/jobs.ts';
import { publishHoldGauge } from '../features/outbound/send-watch/index.ts';
import { tellHolds } from '../features/outbound/send-watch/jobs.ts';
import { publishCertificateGauge } from '../features/support/certificates/index.ts';
import { renewCertificates } from '../features/support/certificates/jobs.ts';
import { foldStatistics } from '../features/support/statistics/jobs.ts';
import { createJumpGuardedClock } from './jump-guarded-clock.ts';

type Job = {
  /** Minute, hour, day, month, weekday in UTC. */
  readonly cron: string;
  readonly run: (deps: Deps) => Promise<unknown>;
  /** Whether the job permanently deletes expired data; it then uses the jump-guarded clock. */
  readonly isFinal?: true;
  /** Whether the job also runs at every start. */
  readonly atStart?: true;
  /**
   * Polling interval for a due run, in seconds; half a minute unless a user waits for the result.
   */
  readonly pollSeconds?: number;
};

/** Every job by name; start minutes are staggered, so that a small machine runs one at a time. */
export const JOBS: Readonly<Record<string, Job>> = {
  'purge-deleted-mail': {
    cron: '5 * * * *',
    run: deps => purgeDeletedMail({ ...deps, forgetScheduled }),
    isFinal: true,
  },
  'collect-empty-drafts': { cron: '20 * * * *', run: collectEmptyDrafts, isFinal: true },
  'collect-orphan-containers': { cron: '35 * * * *', run: collectOrphanContainers, isFinal: true },
  'move-containers': { cron: '*/5 * * * *', run: moveContainers, atStart: true },
  'check-archive': { cron: '3-59/10 * * * *', run: checkArchive },
  'archive-containers': { cron: '* * * * *', run: archiveContainers, atStart: true, pollSeconds: 5 },
  'tidy-container-archive': { cron: '27 4 * * *', run: tidyContainerArchive, isFinal: true },
  'wake-snoozed-mail': { cron: '* * * * *', run: wakeSnoozedMail, pollSeconds: 5 },
  'renew-certificates': {
    cron: '1-59/5 * * * *',
    run: deps => renewCertificates({ ...deps, listVerifiedDomains }),
    atStart: true,
  },
  'check-domains': { cron: '*/5 * * * *', run: checkDueDomains },
  'fold-statistics': { cron: '* * * * *', run: foldStatistics },
  'tell-holds': { cron: '*/5 * * * *', run: tellHolds },
  'close-billing-customers': { cron: '2-59/10 * * * *', run: closeCustomers },
  'reconcile-billing': { cron: '42 3 * * *', run: reconcileBilling, atStart: true },
  'fold-storage-counts': { cron: '*/10 * * * *', run: foldStorageCounts },
  'turn-filters-on': { cron: '14 2 * * *', run: turnFiltersOn, atStart: true },
  'remove-expired-rows': { cron: '50 * * * *', run: removeExpiredRows, isFinal: true },
};

const CONNECTIONS_MAX = 3;
const RETRY_DELAY_SECONDS = 60;
const POLL_SECONDS = 30;
const STOP_TIMEOUT_MS = 20_000;

export type RunningJobs = { readonly close: () => Promise<void> };

/**
 * Starts the schedule. `close` waits for the running job. Rejects when the database is unreachable.
 */
export async function startJobs(deps: Deps, connection: Connection): Promise<RunningJobs> {
  const isYugabyte = (await findServerKind(deps.db)) === 'yugabyte';
  // Our own pool drops connections that do not respond, and finds the server that accepts writes.
  const pool = createPool(connection, deps.logger, CONNECTIONS_MAX);
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    // Its own tables without partitions, and without other features that YugabyteDB lacks.
    backend: isYugabyte ? 'yugabytedb' : 'postgres',
  });
  // Without a listener, a lost connection would end the process.
  boss.on('error', error => deps.logger.warn({ err: error }, 'job queue error'));
  await boss.start().catch(error => pool.end().then(() => Promise.reject(error)));
  await registerJobs(
    deps.db,
    Object.entries(JOBS).map(([name, { cron }]) => ({ name, cron })),
  );
  publishOperationsGauges(deps);
  publishHoldGauge(deps);
  publishCertificateGauge(deps);
  const patient: Deps = { ...deps, clock: createJumpGuardedClock(deps.clock, deps.logger) };
  for (const [name, job] of Object.entries(JOBS)) {
    await boss.createQueue(name, {
      policy: 'exclusive',
      retryLimit: 2,
      retryDelay: RETRY_DELAY_SECONDS,
      expireInSeconds: JOB_EXPIRES_MS / 1000,
    });
    // Queued before its worker, which polls immediately; one job that already waits or runs is
    // enough.
    if (job.atStart === true) await boss.send(name);
    await boss.work(name, { pollingIntervalSeconds: job.pollSeconds ?? POLL_SECONDS }, async () => {
      const startedAt = performance.now();
      const result = await runNoted(deps, name, () => job.run(job.isFinal === true ? patient : deps)).catch(
        error => {
          // The queue does not log failures: it only records them and retries.
          deps.logger.warn({ err: error, job: name }, 'job failed');
          throw error;
        },
      );
      // A job that runs every minute and found nothing to do is not worth an info line.
      deps.logger[result === 0 ? 'debug' : 'info'](
        { job: name, result, tookMs: Math.round(performance.now() - startedAt) },
        'job done',
      );
    });
    // A machine that was off at the scheduled time catches up with one run.
    await boss.schedule(name, job.cron, null, { missed: 'once', tz: 'UTC' });
  }
  return {
    close: async () => {
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
      await pool.end();
    },
  };
}
