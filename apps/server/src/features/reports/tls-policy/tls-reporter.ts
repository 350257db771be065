/**
 * TLS reports for domains that request them (RFC 8460): what is counted, and where a report is
 * sent, by mail or to a web server.
 */
import { createMessageId } from '@keyfold/mail/mime/stored-headers';
import { isAbsence } from '../../../adapters/dns.ts';
import { askPublicWeb, WebRefusal } from '../../../adapters/outbound-http.ts';
import type { Deps } from '../../../context/deps.ts';
import { buildReportMail, createLedger, type DueReport, workOffDue } from '../report-aggregator/index.ts';
import { findReportTargets, packReport } from './report.ts';
import type { ReportBounds } from './report-bounds.ts';
import type { TlsResult } from './tls-results.ts';

const POST_TIMEOUT_MS = 60_000;

export type TlsReporter = {
  /** Counts a session. */
  readonly count: (result: TlsResult) => void;
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Creates the session counter for reports of this process. */
export function createTlsReporter(deps: Pick<Deps, 'clock' | 'db' | 'logger' | 'masterKey'>): TlsReporter {
  const ledger = createLedger(deps, 'tls');
  return { ...ledger, count: result => ledger.count(result.domain, result) };
}

/** Sends a message for `submitter`; returns whether the other server accepted it. */
export type SendReportMail = (mail: {
  readonly submitter: string;
  readonly to: string;
  readonly message: Buffer;
}) => Promise<boolean>;

type ReportDeps = Pick<
  Deps,
  'clock' | 'config' | 'db' | 'dns' | 'logger' | 'masterKey' | 'outboundConnector'
>;

async function post(
  { dns, outboundConnector }: ReportDeps,
  packed: Buffer,
  url: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { status } = await askPublicWeb(
      { dns, outboundConnector },
      {
        url,
        method: 'POST',
        schemes: ['https:'],
        headers: { 'content-type': 'application/tlsrpt+gzip' },
        body: packed,
        maxBytes: 0,
        maxRedirects: 0,
        mayLeaveOrigin: false,
        signal: AbortSignal.any([AbortSignal.timeout(POST_TIMEOUT_MS), signal]),
      },
    );
    return status >= 200 && status < 300;
  } catch (error) {
    if (error instanceof WebRefusal) return false;
    throw error;
  }
}

/** Returns where a domain wants its reports; null while the lookup fails. */
async function targetsOf({ dns }: ReportDeps, domain: string): Promise<readonly string[] | null> {
  try {
    return findReportTargets(await dns.resolve(`_smtp._tls.${domain}`, 'TXT'));
  } catch (error) {
    return isAbsence(error) ? [] : null;
  }
}

/**
 * Sends one report; returns true when it is finished. One target that accepts it is enough (RFC
 * 8460 §3).
 */
async function sendReport(
  deps: ReportDeps,
  due: DueReport,
  bounds: ReportBounds,
  sendMail: SendReportMail,
  signal: AbortSignal,
): Promise<boolean> {
  const targets = await targetsOf(deps, due.domain);
  if (targets === null) return false;
  if (targets.length === 0) return true;
  const { domain, submitter } = due;
  const { file, id } = packReport(due);
  let hasHadShare = false;
  for (const target of targets) {
    if (target.startsWith('https:')) {
      if (await post(deps, file.bytes, target, signal)) return true;
      continue;
    }
    const to = target.slice('mailto:'.length);
    if (!bounds.mayMail(domain, to)) {
      hasHadShare = true;
      continue;
    }
    const message = buildReportMail({
      submitter,
      to,
      subject: `Report Domain: ${domain} Submitter: ${submitter} Report-ID: <${id}>`,
      messageId: createMessageId(deps.config.hostname),
      now: deps.clock.now(),
      headers: [`TLS-Report-Domain: ${domain}`, `TLS-Report-Submitter: ${submitter}`],
      contentType: 'multipart/report; report-type="tlsrpt"',
      text: `This is an aggregate TLS report for ${domain} from ${submitter}.`,
      file,
    });
    if (await sendMail({ submitter, to, message })) return true;
  }
  // A target that has used its daily share does not get this report later either.
  return hasHadShare;
}

/** Sends the due reports; returns how many reports are finished. */
export const sendDueTlsReports = (
  deps: ReportDeps,
  bounds: ReportBounds,
  sendMail: SendReportMail,
  signal: AbortSignal,
): Promise<number> => workOffDue(deps, 'tls', due => sendReport(deps, due, bounds, sendMail, signal), signal);
