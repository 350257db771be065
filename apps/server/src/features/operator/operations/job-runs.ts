/**
 * Records the runs of recurring jobs, with their outcome and the numbers they returned. An error is
 * recorded by its code or kind; its text, which may contain anything, is only in the log.
 */
import { type SqlBool, sql } from 'kysely';
import { counter } from '../../../base/metrics.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Db } from '../../../db/pool.ts';

type Place = Pick<Deps, 'clock' | 'db'>;

const runs = counter('keyfold_job_runs_total', 'Runs of recurring jobs', ['job', 'outcome']);

/** Records which jobs exist, and deletes those that no longer do. */
export async function registerJobs(
  db: Db,
  jobs: readonly { readonly name: string; readonly cron: string }[],
): Promise<void> {
  await db
    .insertInto('job_runs')
    .values([...jobs])
    .onConflict(conflict => conflict.column('name').doUpdateSet({ cron: sql`excluded.cron` }))
    .execute();
  await db
    .deleteFrom('job_runs')
    .where(sql<SqlBool>`not name = any(${jobs.map(job => job.name)}::text[])`)
    .execute();
}

/**
 * Returns the numbers of a result: a number itself, or the numeric properties of an object by name.
 */
function numbersOf(result: unknown): Record<string, number> {
  if (typeof result === 'number') return { done: result };
  if (typeof result !== 'object' || result === null) return {};
  return Object.fromEntries(
    Object.entries(result).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

const MILLISECONDS_MAX = 2_147_483_647;

/** Returns the code of an error, or its kind, as one word. */
function wordOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const word = typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
  return /^[A-Za-z0-9_]{1,40}$/.test(word) ? word : 'Error';
}

/** Runs a job and records the outcome. Returns or throws what the job does. */
export async function runNoted<T>({ db, clock }: Place, name: string, run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const note = (change: Record<string, unknown>) =>
    db.updateTable('job_runs').set(change).where('name', '=', name).execute();
  const tookMs = () => Math.min(MILLISECONDS_MAX, Math.round(performance.now() - startedAt));
  await note({ started_at: clock.now(), ended_at: null });
  try {
    const result = await run();
    const ended_at = clock.now();
    const numbers = JSON.stringify(numbersOf(result));
    await note({
      ended_at,
      succeeded_at: ended_at,
      took_ms: tookMs(),
      outcome: 'done',
      result: numbers,
      failure: null,
    });
    runs.inc({ job: name, outcome: 'done' });
    return result;
  } catch (error) {
    runs.inc({ job: name, outcome: 'failed' });
    // Without the database there is nowhere to record the run; the job's own error is the one to
    // report.
    await note({
      ended_at: clock.now(),
      took_ms: tookMs(),
      outcome: 'failed',
      result: '{}',
      failure: wordOf(error),
    }).catch(() => undefined);
    throw error;
  }
}

export const listJobRuns = (db: Db) => db.selectFrom('job_runs').selectAll().orderBy('name').execute();
