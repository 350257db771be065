/**
 * DMARC aggregate reports for domains that request them (RFC 9990): counts arriving messages and
 * sends the report messages. An address at another domain receives a report only if that domain
 * consents (§4), so that a record cannot be used to flood a third party.
 */
import { domainOf } from '@keyfold/mail/address-form';
import { createMessageId } from '@keyfold/mail/mime/stored-headers';
import type { Deps } from '../../../context/deps.ts';
import { buildReportMail, createLedger, type DueReport, workOffDue } from '../report-aggregator/index.ts';
import type { DmarcResult } from './dmarc-results.ts';
import { findMailTargets, formatReport, mailsOf, packReport } from './report.ts';

export type DmarcLedger = {
  /** Counts a message. */
  readonly count: (result: DmarcResult) => void;
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Creates the counter for reports of this process. */
export function createDmarcLedger(deps: Pick<Deps, 'clock' | 'db' | 'logger' | 'masterKey'>): DmarcLedger {
  const ledger = createLedger(deps, 'dmarc');
  return { ...ledger, count: result => ledger.count(result.policyDomain, result) };
}

/** Sends a message for `submitter`; returns whether the other server accepted it. */
type SendMail = (mail: {
  readonly submitter: string;
  readonly to: string;
  readonly message: Buffer;
}) => Promise<boolean>;

type ReportDeps = Pick<Deps, 'clock' | 'config' | 'db' | 'dns' | 'logger' | 'masterKey'>;

const isWithin = (name: string, parent: string): boolean => name === parent || name.endsWith(`.${parent}`);

/**
 * Returns whether an address wants the reports of a domain: an address at the domain does, any
 * other address must be authorized in DNS (RFC 9990 §4).
 */
async function wantsReports({ dns }: ReportDeps, domain: string, address: string): Promise<boolean> {
  const host = domainOf(address);
  if (isWithin(host, domain) || isWithin(domain, host)) return true;
  try {
    const records = await dns.resolve(`${domain}._report._dmarc.${host}`, 'TXT');
    return records.some(record => Array.isArray(record) && /^v=DMARC1\s*(?:;|$)/.test(record.join('')));
  } catch {
    return false;
  }
}

async function sendReport(deps: ReportDeps, report: DueReport, sendMail: SendMail): Promise<boolean> {
  const xml = formatReport(report);
  const rua = mailsOf(report).at(-1)?.result.rua ?? '';
  if (xml === null) return true;
  const { subject, file } = packReport(report, xml);
  let isLeft = false;
  for (const to of findMailTargets(rua)) {
    if (!(await wantsReports(deps, report.domain, to))) continue;
    const message = buildReportMail({
      submitter: report.submitter,
      to,
      subject,
      messageId: createMessageId(deps.config.hostname),
      now: deps.clock.now(),
      headers: [],
      contentType: 'multipart/mixed',
      text: `This is an aggregate DMARC report for ${report.domain} from ${report.submitter}.`,
      file,
    });
    if (!(await sendMail({ submitter: report.submitter, to, message }))) isLeft = true;
  }
  return !isLeft;
}

/** Sends the due reports; returns how many reports are finished. */
export const sendDueDmarcReports = (
  deps: ReportDeps,
  sendMail: SendMail,
  signal: AbortSignal,
): Promise<number> => workOffDue(deps, 'dmarc', report => sendReport(deps, report, sendMail), signal);
