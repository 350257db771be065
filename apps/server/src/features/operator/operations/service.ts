/**
 * The service from the operator's point of view: domains, jobs, storage, versions. Read-only. The
 * queue belongs to features/outbound/delivery.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { OperatedDomain, OperatedJob, OperatedStorage } from '@keyfold/contract';
import { CronExpressionParser } from 'cron-parser';
import { sql } from 'kysely';
import { JOB_EXPIRES_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { listJobRuns } from './job-runs.ts';
import { countContainers, measureDatabase, measureDisk } from './storage-counts.ts';

type Place = Pick<Deps, 'clock' | 'config' | 'db'>;

/** Returns the jobs by name, each with its next run. */
export async function viewJobs({ db, clock }: Place): Promise<OperatedJob[]> {
  const now = clock.now();
  return (await listJobRuns(db)).map(run => {
    const isOpen = run.started_at !== null && run.ended_at === null;
    // A process that crashed during a run did not record its end.
    const isLost = isOpen && now.getTime() - (run.started_at?.getTime() ?? 0) > JOB_EXPIRES_MS;
    return {
      name: run.name,
      cron: run.cron,
      last_run_at: run.started_at?.toISOString() ?? null,
      took_ms: run.took_ms,
      outcome: isLost ? 'failed' : isOpen ? 'running' : (run.outcome ?? 'never'),
      result: run.result,
      failure: isLost ? 'lost' : run.failure,
      succeeded_at: run.succeeded_at?.toISOString() ?? null,
      next_run_at: CronExpressionParser.parse(run.cron, { currentDate: now, tz: 'UTC' })
        .next()
        .toDate()
        .toISOString(),
    };
  });
}

export const viewStorage = async ({ db, config }: Place): Promise<OperatedStorage> => ({
  containers: await countContainers(db),
  container_store: config.s3 === undefined ? 'files' : 's3',
  ...(await measureDatabase(db)),
  database: config.databaseUrl === undefined ? 'embedded' : 'own',
  disk: await measureDisk(config.dataDir),
});

const PACKAGE = new URL('../../../../package.json', import.meta.url);

/** Returns the version of this program from its package.json. */
const ownVersion = (): string => (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version;

export async function viewVersions({ db }: Place) {
  const server = await sql<{ server_version: string }>`show server_version`.execute(db);
  const newest = await sql<{ name: string }>`
    select name from kysely_migration order by name desc limit 1`.execute(db);
  return {
    keyfold: ownVersion(),
    node: process.versions.node,
    postgres: server.rows[0]?.server_version ?? '',
    schema: newest.rows[0]?.name ?? '',
  };
}

const PAGE_ROWS = 50;

type ClaimedRow = {
  readonly domain: string;
  readonly verified_at: Date | null;
  readonly is_healthy: boolean | null;
  readonly checked_at: Date | null;
  readonly missing_since: Date | null;
  readonly keys: number;
  readonly seen_keys: number;
};

/** DKIM keys of a domain, and those whose DNS record was found. */
const KEYS_OF_DOMAIN = sql`
  (select count(*) from domain_keys k where k.domain = d.domain) as keys,
  (select count(*) from domain_keys k where k.domain = d.domain and k.seen_at is not null) as seen_keys`;

const dkimOf = ({ keys, seen_keys }: Pick<ClaimedRow, 'keys' | 'seen_keys'>): OperatedDomain['dkim'] =>
  seen_keys > 0 ? 'ready' : keys > 0 ? 'waiting' : 'none';

/**
 * Returns the service's own domains. Their DNS is not checked, and their mail is signed once a key
 * exists.
 */
async function ownDomains({ db, config }: Place): Promise<OperatedDomain[]> {
  const { rows } = await sql<Pick<ClaimedRow, 'domain' | 'keys' | 'seen_keys'>>`
    select d.domain, ${KEYS_OF_DOMAIN} from unnest(${[...config.domains]}::text[]) as d(domain)`.execute(db);
  return rows.map(row => ({
    domain: row.domain,
    kind: 'service',
    verified_at: null,
    dkim: row.keys > 0 ? 'ready' : 'none',
    healthy: null,
    checked_at: null,
    missing_since: null,
  }));
}

/**
 * Returns a page of domains by name, with the service's own before the first. Page numbers start at
 * 1.
 */
export async function viewDomains(
  place: Place,
  page: number,
): Promise<{ readonly domains: OperatedDomain[]; readonly has_more: boolean }> {
  const { rows } = await sql<ClaimedRow>`
    select d.domain, d.verified_at, d.is_healthy, d.checked_at, d.missing_since, ${KEYS_OF_DOMAIN}
    from domains d order by d.domain, d.user_id
    limit ${PAGE_ROWS + 1} offset ${(page - 1) * PAGE_ROWS}`.execute(place.db);
  const claimed = rows.slice(0, PAGE_ROWS).map(
    (row): OperatedDomain => ({
      domain: row.domain,
      kind: 'user',
      verified_at: row.verified_at?.toISOString() ?? null,
      dkim: dkimOf(row),
      healthy: row.is_healthy,
      checked_at: row.checked_at?.toISOString() ?? null,
      missing_since: row.missing_since?.toISOString() ?? null,
    }),
  );
  return {
    domains: [...(page === 1 ? await ownDomains(place) : []), ...claimed],
    has_more: rows.length > PAGE_ROWS,
  };
}
