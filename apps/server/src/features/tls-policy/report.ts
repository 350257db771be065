/**
 * A report on TLS as its domain gets it (RFC 8460 §4): JSON, packed, and the mail around it. Who it goes to stands in DNS.
 * Pure but for the packing.
 */
import { gzipSync } from 'node:zlib';
import { formatDate } from '@keyfold/mail/mime/stored-headers';
import type { TlsResult } from './tls-results.ts';

/** One counted result. */
export type CountedResult = { readonly result: TlsResult; readonly sessions: number };

export type TlsReport = {
  readonly domain: string;
  /** Our first domain, which answers for the report. */
  readonly submitter: string;
  readonly begin: Date;
  readonly end: Date;
  readonly results: readonly CountedResult[];
};

const isoSecond = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, 'Z');

const RUA = /^(?:mailto:[^\s,;!?<>"]+@[a-z0-9.-]+|https:\/\/[^\s,;!"<>]+)$/i;
/** Addresses of one record that are written to. */
const TARGETS_MAX = 3;

/** Where the reports of a domain are wanted, out of the TXT records of `_smtp._tls.` (RFC 8460 §3); empty: nowhere. */
export const findReportTargets = (records: readonly unknown[]): readonly string[] => {
  const texts = records
    .map(record => (Array.isArray(record) ? record.join('') : ''))
    .filter(text => /^v=TLSRPTv1\s*;/.test(text));
  const [text] = texts;
  if (text === undefined || texts.length > 1) return [];
  const rua = text.split(';').find(field => /^\s*rua\s*=/.test(field)) ?? '';
  return rua
    .slice(rua.indexOf('=') + 1)
    .split(',')
    .map(target => target.trim())
    .filter(target => RUA.test(target))
    .slice(0, TARGETS_MAX);
};

/** A name for the report that no other has: the same when it is tried again. */
const idOf = ({ domain, submitter, begin }: TlsReport): string =>
  `${isoSecond(begin).slice(0, 10)}_${domain}@${submitter}`;

const sum = (results: readonly CountedResult[]): number =>
  results.reduce((total, { sessions }) => total + sessions, 0);

const describePolicy = (domain: string, results: readonly CountedResult[]) => {
  const { type, strings, mxHosts } = results[0]?.result.policy ?? {
    type: 'no-policy-found',
    strings: [],
    mxHosts: [],
  };
  const failed = results.filter(({ result }) => result.failure !== null);
  return {
    policy: {
      'policy-type': type,
      ...(strings.length === 0 ? {} : { 'policy-string': strings }),
      'policy-domain': domain,
      ...(mxHosts.length === 0 ? {} : { 'mx-host': mxHosts }),
    },
    summary: {
      'total-successful-session-count': sum(results) - sum(failed),
      'total-failure-session-count': sum(failed),
    },
    ...(failed.length === 0
      ? {}
      : {
          'failure-details': failed.map(({ result: { failure }, sessions }) => ({
            'result-type': failure?.type,
            'sending-mta-ip': failure?.sendingIp,
            'receiving-mx-hostname': failure?.receivingHost,
            'receiving-ip': failure?.receivingIp,
            'failed-session-count': sessions,
          })),
        }),
  };
};

/** The report as an object that JSON can write. */
export const describeReport = (report: TlsReport) => {
  const byPolicy = Map.groupBy(report.results, ({ result }) => JSON.stringify(result.policy));
  return {
    'organization-name': report.submitter,
    'date-range': {
      'start-datetime': isoSecond(report.begin),
      'end-datetime': isoSecond(new Date(report.end.getTime() - 1000)),
    },
    'contact-info': `postmaster@${report.submitter}`,
    'report-id': idOf(report),
    policies: [...byPolicy.values()].map(results => describePolicy(report.domain, results)),
  };
};

/** The report packed, as both ways of sending have it. */
export const packReport = (report: TlsReport): Buffer =>
  gzipSync(Buffer.from(JSON.stringify(describeReport(report))));

const LINE = /.{1,76}/g;

/** The mail that brings a report (RFC 8460 §5.3), CRLF line ends, still to be signed. */
export const buildReportMail = (
  report: TlsReport,
  mail: { readonly to: string; readonly messageId: string; readonly now: Date },
): Buffer => {
  const { domain, submitter, begin, end } = report;
  const id = idOf(report);
  const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
  const file = `${submitter}!${domain}!${seconds(begin)}!${seconds(end) - 1}.json.gz`;
  const boundary = `kf-tlsrpt-${seconds(begin)}-${seconds(mail.now)}`;
  const lines = [
    `From: TLS reports of ${submitter} <postmaster@${submitter}>`,
    `To: ${mail.to}`,
    `Subject: Report Domain: ${domain} Submitter: ${submitter} Report-ID: <${id}>`,
    `Date: ${formatDate(mail.now)}`,
    `Message-ID: ${mail.messageId}`,
    `TLS-Report-Domain: ${domain}`,
    `TLS-Report-Submitter: ${submitter}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type="tlsrpt"; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `This is an aggregate report on TLS on the way to ${domain}, by ${submitter}.`,
    '',
    `--${boundary}`,
    'Content-Type: application/tlsrpt+gzip',
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${file}"`,
    '',
    ...(packReport(report).toString('base64').match(LINE) ?? []),
    `--${boundary}--`,
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
};
