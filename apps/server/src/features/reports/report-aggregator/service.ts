/**
 * Counts, by day and domain, what other domains are told in daily reports, and hands it out when the day is over: each
 * report to one machine at a time, again after some hours when it could not be sent, and for two days. What is counted, and
 * how a report is written and sent, is of features/reports/tls-policy and features/reports/dmarc-reports.
 *
 * [Note: Report ledger] Counts are gathered in memory and written once a minute: a crash loses a minute of statistics, and no
 * mail waits for them. Rows are sealed under the master key, since they say whom mail went to or came from.
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
/** Reports of a day are sent in the first hours after it, not all at its end (RFC 8460 §4.1). */
const SPREAD_MS = 4 * HOUR_MS;
/** A report that was not sent is tried again after this time. */
const RETRY_MS = 4 * HOUR_MS;
/** Counts are kept for so long after their day; RFC 8460 §5.3 has a day at least. */
const KEPT_MS = 2 * DAY_MS;
/** Different things that are counted between two writes; what is beyond is not counted. */
const WAITING_MAX = 20_000;
/** Reports of one round. */
const ROUND_MAX = 200;

/** The day of a time, in UTC, as YYYY-MM-DD. */
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** When a day ends. */
const endOf = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS);

const contextOf = ({ kind, day, entry_digest }: Pick<CountRow, 'day' | 'entry_digest' | 'kind'>): string =>
  `${kind} ${day} ${entry_digest.toString('hex')}`;

type Ledger = {
  /** Counts one thing about a domain; `entry` is JSON, equal things are counted together. */
  readonly count: (domain: string, entry: object) => void;
  /** Writes down what was counted. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A ledger of one kind, for this process. */
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
      // Each domain has its own moment, the same for all rows of it.
      next_try_at: new Date(endOf(day).getTime() + (domain_digest.readUInt32BE(0) % SPREAD_MS)),
    });
  };

  const flush = async (): Promise<void> => {
    const counted = [...waiting.values()];
    waiting.clear();
    for (const one of counted) await write(one);
  };
  const timer = setInterval(() => {
    flush().catch(error => logger.warn({ err: error }, 'counts for reports could not be written'));
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
      await flush().catch(error => logger.warn({ err: error }, 'counts for reports could not be written'));
    },
  };
}

/** What is to be told to a domain about a day. */
export type DueReport = {
  readonly domain: string;
  /** The first domain of this service, which answers for the report. */
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
    // Sealed under another master key: nobody can be told of it.
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
 * Hands out what is due, one after the other, to `send`, which says whether there is nothing left to do about it; returns
 * how many those were. What is left when the signal ends it is tried again later.
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
      if (!signal.aborted) logger.warn({ err: error, kind }, 'a report could not be sent');
      continue;
    }
    await deleteCounts(db, row);
    done++;
  }
  return done;
}
