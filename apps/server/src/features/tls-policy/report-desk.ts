/**
 * Which reports on TLS are due, and where to. One machine at a time has a report; what cannot be sent is tried again for
 * two days, and then forgotten. Sending is the SMTP room's and the web's.
 */
import { isAbsence } from '../../adapters/dns.ts';
import { askPublicWeb, WebRefusal } from '../../adapters/public-web.ts';
import type { Deps } from '../../deps.ts';
import { type CountedResult, findReportTargets, packReport, type TlsReport } from './report.ts';
import {
  claimTlsResults,
  deleteTlsResults,
  deleteTlsResultsBefore,
  type TlsResultRow,
} from './results-store.ts';
import { dayOf, endOf, openTlsResult } from './tls-results.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A report that was not sent is tried again after this time. */
const RETRY_MS = 4 * HOUR_MS;
/** Results are kept for so long after the day that they are of; RFC 8460 §5.3 has a day at least. */
const KEPT_MS = 2 * DAY_MS;
const POST_TIMEOUT_MS = 60_000;
/** Reports of one round. */
const ROUND_MAX = 200;

/** Sends a report by mail; says whether the other server took it. */
export type MailReport = (report: TlsReport, address: string) => Promise<boolean>;

type ReportDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'dns' | 'logger' | 'masterKey' | 'webDoor'>;

const post = async ({ dns, webDoor }: ReportDeps, report: TlsReport, url: string): Promise<boolean> => {
  try {
    const { status } = await askPublicWeb(
      { dns, webDoor },
      {
        url,
        method: 'POST',
        schemes: ['https:'],
        headers: { 'content-type': 'application/tlsrpt+gzip' },
        body: packReport(report),
        maxBytes: 0,
        maxRedirects: 0,
        mayLeaveOrigin: false,
        signal: AbortSignal.timeout(POST_TIMEOUT_MS),
      },
    );
    return status >= 200 && status < 300;
  } catch (error) {
    if (error instanceof WebRefusal) return false;
    throw error;
  }
};

/** Where a domain wants its reports; null while that cannot be looked up. */
const targetsOf = async ({ dns }: ReportDeps, domain: string): Promise<readonly string[] | null> => {
  try {
    return findReportTargets(await dns.resolve(`_smtp._tls.${domain}`, 'TXT'));
  } catch (error) {
    return isAbsence(error) ? [] : null;
  }
};

const reportOf = (deps: ReportDeps, rows: readonly TlsResultRow[]): TlsReport | null => {
  const results = rows.flatMap((row): CountedResult[] => {
    const result = openTlsResult(deps, row);
    return result === null ? [] : [{ result, sessions: row.sessions }];
  });
  const [first] = results;
  const [row] = rows;
  if (first === undefined || row === undefined) return null;
  const end = endOf(row.day);
  return {
    domain: first.result.domain,
    submitter: deps.config.domains[0] ?? deps.config.hostname,
    begin: new Date(end.getTime() - DAY_MS),
    end,
    results,
  };
};

/** Sends one report; true when there is nothing left to do about it. One that takes it is enough (RFC 8460 §3). */
const sendReport = async (deps: ReportDeps, report: TlsReport, mailReport: MailReport): Promise<boolean> => {
  const targets = await targetsOf(deps, report.domain);
  if (targets === null) return false;
  if (targets.length === 0) return true;
  for (const target of targets) {
    const isTaken = target.startsWith('https:')
      ? await post(deps, report, target)
      : await mailReport(report, target.slice('mailto:'.length));
    if (isTaken) return true;
  }
  return false;
};

/** Sends what is due; returns how many reports are done with. */
export const sendDueReports = async (deps: ReportDeps, mailReport: MailReport): Promise<number> => {
  const { clock, db, logger } = deps;
  let done = 0;
  await deleteTlsResultsBefore(db, dayOf(new Date(clock.now().getTime() - KEPT_MS)));
  for (let count = 0; count < ROUND_MAX; count++) {
    const now = clock.now();
    const rows = await claimTlsResults(db, now, new Date(now.getTime() + RETRY_MS));
    const [row] = rows;
    if (row === undefined) break;
    const report = reportOf(deps, rows);
    try {
      if (report !== null && !(await sendReport(deps, report, mailReport))) continue;
    } catch (error) {
      logger.warn({ err: error }, 'a report on TLS could not be sent');
      continue;
    }
    await deleteTlsResults(db, row);
    done++;
  }
  return done;
};
