/**
 * Aggregates, by day and domain, the counts that daily reports send to other domains, and hands
 * them out when the day is over: each report to one machine at a time, retried after some hours
 * when it could not be sent, for two days. features/reports/tls-policy and
 * features/reports/dmarc-reports define what is counted and how a report is written and sent.
 *
 * [Note: Report ledger] Counts are collected in memory and written once a minute: a crash loses a
 * minute of statistics, and no message waits for them. Rows are sealed under the master key,
 * because they show who sent mail and who received it.
 */

import { untilAborted } from '../../../base/until-aborted.ts';
import type { Deps } from '../../../context/deps.ts';
import {
  addCount,
  type CountRow,
  claimCounts,
  deleteCounts,
  deleteCountsBefore,
  type ReportKind,
} from './store.ts';

type LedgerDeps = Pick<Deps, 'clock' | 'db' | 'logger' | 'masterKey'>;

const PURPOSE = 'report ledger';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FLUSH_MS = 60_000;
/**
 * Reports of a day are spread over the first hours after it instead of being sent all at its end
 * (RFC 8460 §4.1).
 */
const SPREAD_MS = 4 * HOUR_MS;
/** Delay before a report that could not be sent is retried. */
const RETRY_MS = 4 * HOUR_MS;
/** How long counts are kept after their day; RFC 8460 §5.3 requires at least a day. */
const KEPT_MS = 2 * DAY_MS;
/** Maximum number of distinct entries counted between two writes; further ones are dropped. */
const WAITING_MAX = 20_000;
/** Maximum number of reports per run. */
const ROUND_MAX = 200;

/** Returns the UTC day of a time, as YYYY-MM-DD. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Returns the end of a day. */
const endOf = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS);

const contextOf = ({ kind, day, entry_digest }: Pick<CountRow, 'day' | 'entry_digest' | 'kind'>): string =>
  `${kind} ${day} ${entry_digest.toString('hex')}`;

type Ledger = {
  /** Counts one entry for a domain; `entry` is JSON, and equal entries share a count. */
  readonly count: (domain: string, entry: object) => void;
  /** Writes the pending counts to the database. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Creates the ledger of one report kind for this process. */
export function createLedger(deps: LedgerDeps, kind: ReportKind): Ledger {
  const { clock, db, logger, masterKey } = deps;
  const waiting = new Map<
    string,
    { readonly day: string; readonly domain: string; readonly text: string; count: number }
  >();

  const write = async ({
    day,
    domain,
    text,
    count,
  }: {
    day: string;
    domain: string;
    text: string;
    count: number;
  }) => {
    const entry_digest = masterKey.digest(PURPOSE, kind, day, text);
    const domain_digest = masterKey.digest(PURPOSE, kind, domain);
    await addCount(db, {
      kind,
      day,
      domain_digest,
      entry_digest,
      entry_sealed: masterKey.seal(PURPOSE, contextOf({ kind, day, entry_digest }), Buffer.from(text)),
      count,
      // Each domain has its own send time, the same for all its rows.
      next_try_at: new Date(endOf(day).getTime() + (domain_digest.readUInt32BE(0) % SPREAD_MS)),
    });
  };

  const flush = async (): Promise<void> => {
    const counted = [...waiting.values()];
    waiting.clear();
    for (const one of counted) await write(one);
  };
  const timer = setInterval(() => {
    flush().catch(error => logger.warn({ err: error }, 'could not store counts for reports'));
  }, FLUSH_MS);
  timer.unref();

  return {
    count: (domain, entry) => {
      const day = dayOf(clock.now());
      const text = JSON.stringify({ domain, entry });
      const known = waiting.get(`${day} ${text}`);
      if (known !== undefined) known.count++;
      else if (waiting.size < WAITING_MAX) waiting.set(`${day} ${text}`, { day, domain, text, count: 1 });
    },
    flush,
    close: async () => {
      clearInterval(timer);
      await flush().catch(error => logger.warn({ err: error }, 'could not store counts for reports'));
    },
  };
}

/** The report due to a domain for one day. */
export type DueReport = {
  readonly domain: string;
  /** The first domain of this service, which is responsible for the report. */
  readonly submitter: string;
  readonly begin: Date;
  readonly end: Date;
  readonly entries: readonly { readonly entry: unknown; readonly count: number }[];
};

function openRow(
  { masterKey }: Pick<Deps, 'masterKey'>,
  row: CountRow,
): { readonly domain: string; readonly entry: unknown } | null {
  try {
    return JSON.parse(masterKey.open(PURPOSE, contextOf(row), row.entry_sealed).toString('utf8'));
  } catch {
    // Sealed under another master key, so it cannot be reported.
    return null;
  }
}

function dueReportOf(deps: Pick<Deps, 'config' | 'masterKey'>, rows: readonly CountRow[]): DueReport | null {
  const opened = rows.flatMap(row => {
    const one = openRow(deps, row);
    return one === null ? [] : [{ ...one, count: row.count }];
  });
  const [first] = opened;
  const [row] = rows;
  if (first === undefined || row === undefined) return null;
  const end = endOf(row.day);
  return {
    domain: first.domain,
    submitter: deps.config.domains[0] ?? deps.config.hostname,
    begin: new Date(end.getTime() - DAY_MS),
    end,
    entries: opened.map(({ entry, count }) => ({ entry, count })),
  };
}

/**
 * Passes the due reports one by one to `send`, which returns whether the report is finished;
 * returns the number of finished reports. Reports that remain when the signal aborts are retried
 * later.
 */
export async function workOffDue(
  deps: LedgerDeps & Pick<Deps, 'config'>,
  kind: ReportKind,
  send: (report: DueReport) => Promise<boolean>,
  signal: AbortSignal,
): Promise<number> {
  const { clock, db, logger } = deps;
  let done = 0;
  await deleteCountsBefore(db, kind, dayOf(new Date(clock.now().getTime() - KEPT_MS)));
  for (let tries = 0; tries < ROUND_MAX && !signal.aborted; tries++) {
    const now = clock.now();
    const rows = await claimCounts(db, kind, now, new Date(now.getTime() + RETRY_MS));
    const [row] = rows;
    if (row === undefined) break;
    const report = dueReportOf(deps, rows);
    try {
      if (report !== null && !(await untilAborted(send(report), signal))) continue;
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error, kind }, 'could not send a report');
      continue;
    }
    await deleteCounts(db, row);
    done++;
  }
  return done;
}
