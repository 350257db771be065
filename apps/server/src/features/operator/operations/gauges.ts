/**
 * Prometheus metrics for jobs and storage. Labels are kinds and names of jobs, never personal data.
 */

import { gauge, labeledGauge } from '../../../base/metrics.ts';
import type { Deps } from '../../../context/deps.ts';
import { readArchiver } from '../../../db/wal-archive.ts';
import { findLastBackups } from '../backup/index.ts';
import { listJobRuns } from './job-runs.ts';
import { countContainers, measureDatabase, measureDisk } from './storage-counts.ts';

const SECOND_MS = 1000;

/** Registers the metrics of jobs and storage. */
export function publishOperationsGauges({ db, config }: Pick<Deps, 'config' | 'db'>): void {
  labeledGauge(
    'keyfold_job_last_success_timestamp_seconds',
    'Last success of a recurring job, as a Unix timestamp',
    'job',
    async () =>
      (await listJobRuns(db)).flatMap(run =>
        run.succeeded_at === null ? [] : [{ label: run.name, value: run.succeeded_at.getTime() / SECOND_MS }],
      ),
  );
  labeledGauge('keyfold_job_last_seconds', 'Duration of the last run of a recurring job', 'job', async () =>
    (await listJobRuns(db)).flatMap(run =>
      run.took_ms === null ? [] : [{ label: run.name, value: run.took_ms / SECOND_MS }],
    ),
  );
  labeledGauge('keyfold_container_bytes', 'Bytes of encrypted blobs, by purpose', 'kind', async () =>
    (await countContainers(db)).map(one => ({ label: one.kind, value: one.size_bytes })),
  );
  labeledGauge('keyfold_containers', 'Encrypted blobs, by purpose', 'kind', async () =>
    (await countContainers(db)).map(one => ({ label: one.kind, value: one.items })),
  );
  gauge(
    'keyfold_database_bytes',
    'Size of the database',
    async () => (await measureDatabase(db)).database_bytes,
  );
  gauge(
    'keyfold_disk_free_bytes',
    'Free space on the file system of KEYFOLD_DATA',
    async () => (await measureDisk(config.dataDir))?.free_bytes ?? Number.NaN,
  );
  labeledGauge(
    'keyfold_backup_last_success_timestamp_seconds',
    'Time of the last verified backup, as a Unix timestamp',
    'kind',
    async () =>
      (await findLastBackups(db)).map(one => ({ label: one.kind, value: one.made_at.getTime() / SECOND_MS })),
  );
  gauge('keyfold_archive_failing', 'Whether the last attempt to archive database changes failed', async () =>
    config.walArchive !== undefined && (await readArchiver(db)).isFailing ? 1 : 0,
  );
}
